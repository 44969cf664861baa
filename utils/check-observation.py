#!/usr/bin/env python3
"""Checks what ns-3 observes of scenarios against what other programs read in its files.

usage: utils/check-observation.py BUILD-DIRECTORY
tshark reads the captures that lightpath-observe writes: their frames, bytes and protocols are as
many as the trace sources have counted, with the right checksums, and the answers of TCP are to
what was sent. The ascii traces have a line for each event, and the flows of FlowMonitor lose
nothing without a reason. A scenario that is run with the attributes that it saved before is the
same, and one whose file has been edited is not. The animation of a ring has an entry for each
lightpath that begins or ceases to carry light.
"""

import collections
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

# What each scenario must have lost packets for, and whether tshark must find that TCP repeats some
SCENARIOS = {
    "circuit": ({"queue", "corrupt"}, False),
    "ring": ({"queue disc"}, True),
    "training": (set(), False),
}
# What tshark may say of checksums: good; or none, as ns-3 sends one that is zero by chance as zero
CHECKSUMS = {"ip": "1", "tcp": "1", "udp": "13"}
FLAGS = ("_ws.malformed", "_ws.unreassembled", "tcp.analysis.ack_lost_segment")


def expect(name, found, wanted):
    """Ends the program unless what was found is what was wanted."""
    if found != wanted:
        sys.exit(f"check-observation.py: {name}: {found}, but {wanted} was wanted")


def run(command):
    """Runs a command and returns what it prints."""
    process = subprocess.run(command, check=False, capture_output=True, text=True)
    expect(f"exit code of {command[0]}, which says {process.stderr.strip()}", process.returncode, 0)
    return process.stdout


def read_capture(path):
    """Yields a dictionary of fields for each frame of a capture."""
    fields = ["frame.number", "frame.len", "frame.time_delta", "frame.protocols"]
    fields += [f"{protocol}.checksum.status" for protocol in CHECKSUMS]
    fields += ["tcp.analysis.retransmission", *FLAGS]
    command = ["tshark", "-n", "-r", path, "-T", "fields"]
    for protocol in CHECKSUMS:
        command += ["-o", f"{protocol}.check_checksum:TRUE"]
    for field in fields:
        command += ["-e", field]
    for line in run(command).splitlines():
        yield dict(itertools.zip_longest(fields, line.split("\t"), fillvalue=""))


def check_capture(counts, folder):
    """Checks one capture, and returns how many segments of TCP are repeated."""
    name = counts["capture"]
    found = collections.Counter()
    repeated = 0
    for frame in read_capture(folder / name):
        where = f"frame {frame['frame.number']} of {name}"
        protocols = frame["frame.protocols"].split(":")
        expect(f"link of {where}", protocols[0], "ppp" if "ppp" in protocols else "eth")
        found["frames"] += 1
        found["bytes"] += int(frame["frame.len"])
        found["ipv4"] += "ip" in protocols
        found["tcp"] += "tcp" in protocols
        found["udp"] += "udp" in protocols
        expect(f"time before {where}", float(frame["frame.time_delta"]) >= 0, True)
        for protocol, good in CHECKSUMS.items():
            if protocol in protocols:
                status = frame[f"{protocol}.checksum.status"]
                expect(f"{protocol} checksum of {where} has status {status}", status != "" and status in good, True)
        for flag in FLAGS:
            expect(f"{flag} of {where}", frame[flag], "")
        repeated += frame["tcp.analysis.retransmission"] != ""
    for key in ("frames", "bytes", "ipv4", "tcp", "udp"):
        expect(f"{key} of {name}", found[key], counts[key])
    expect(f"{name} is empty", found["frames"] > 0, True)
    return repeated


def check_ascii(counts, folder):
    """Checks one ascii trace."""
    name = counts["ascii"]
    with open(folder / name, encoding="ascii") as lines:
        found = collections.Counter(line[0] for line in lines)
    for letter, key in (("+", "enqueued"), ("-", "dequeued"), ("r", "received"), ("d", "dropped")):
        expect(f"lines of {name} that begin with {letter}", found.pop(letter, 0), counts[key])
    expect(f"other lines of {name}", dict(found), {})


def check_flows(flows, path, reasons):
    """Checks the sums over all flows and the file of FlowMonitor."""
    expect("packets of flows", flows["sent"], flows["received"] + flows["lost"])
    expect("reasons of losses", set(flows["reasons"]), reasons)
    expect("losses with a reason", sum(flows["reasons"].values()), flows["lost"])
    stats = xml.etree.ElementTree.parse(path).getroot().find("FlowStats")
    for key, attribute in (("sent", "txPackets"), ("received", "rxPackets"), ("lost", "lostPackets")):
        expect(f"{key} packets of {path.name}", sum(int(flow.get(attribute)) for flow in stats), flows[key])


def check_scenario(programs, folder, scenario):
    """Runs a scenario and checks its files."""
    reasons, repeats = SCENARIOS[scenario]
    prefix = folder / scenario
    report = json.loads(run([programs / "lightpath-observe", f"--scenario={scenario}", f"--prefix={prefix}"]))
    repeated = 0
    for counts in report["devices"]:
        repeats_here = check_capture(counts, folder)
        # What a node forwards is in its capture twice
        repeated += repeats_here if counts["forwarded"] == 0 else 0
        check_ascii(counts, folder)
    expect(f"TCP repeats segments in {scenario}", repeated > 0, repeats)
    check_flows(report["flows"], folder / f"{scenario}-flows.xml", reasons)
    expect(f"files of {scenario}", len(list(folder.glob(f"{scenario}-*"))), 2 * len(report["devices"]) + 1)
    frames = sum(counts["frames"] for counts in report["devices"])
    print(f"{scenario}: {frames} frames in {len(report['devices'])} captures, {report['flows']}")


def check_config(programs, folder):
    """Saves and loads the attributes of a scenario."""
    path = folder / "config.txt"

    def run_config(mode):
        options = ("Mode=" + mode, "FileFormat=RawText", f"Filename={path}")
        table = run([programs / "lightpath-config", *(f"--ns3::ConfigStore::{option}" for option in options)])
        return table.split("\n\n", maxsplit=1)[0]

    saved = run_config("Save")
    expect("a scenario loaded as it was saved", run_config("Load"), saved)
    text = path.read_text(encoding="ascii")
    edits = {
        r"^(value .*MrrRingChannel/SwitchingDelay) .*": r'\1 "+50000ns"',
        r"^(default ns3::lightpath::TrainingJob::CollectiveLatency) .*": r'\1 "+1000000ns"',
        r"^value .*/CollectiveLatency .*\n": "",
    }
    for pattern, replacement in edits.items():
        text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        expect(f"{pattern} is in {path.name}", count > 0, True)
    path.write_text(text, encoding="ascii")
    loaded = run_config("Load").splitlines()[-1]
    expect(f"darkness of 50 us in {loaded}", "50.00 us" in loaded and "50.00 us" not in saved, True)
    expect(f"another iteration in {loaded}", loaded.split()[1] == saved.splitlines()[-1].split()[1], False)
    print(f"config: {len(text.splitlines())} lines")


def check_animation(programs, folder):
    """Checks the file for NetAnim."""
    path = folder / "animation.xml"
    counts = json.loads(run([programs / "lightpath-animate", f"--file={path}"]))
    nodes = 6
    # In four turns neighbours have lightpaths in both directions, and in four nodes that face each
    # other; in the end both have them, and keep them
    expect("changes of lightpaths", counts["changes"], (2 * 4 + 1) * (2 * nodes + nodes))
    root = xml.etree.ElementTree.parse(path).getroot()
    expect("nodes", len(root.findall("node")), nodes)
    links = {(link.get("fromId"), link.get("toId")) for link in root.findall("link")}
    expect("links", len(links), nodes * (nodes - 1) // 2)
    updates = root.findall("linkupdate")
    expect("updates of links", len(updates), counts["changes"])
    expect("links without a line", {(link.get("fromId"), link.get("toId")) for link in updates} - links, set())
    last = {(link.get("fromId"), link.get("toId")): link.get("ld") for link in updates}
    pairs = {(node, (node + hops) % nodes) for node in range(nodes) for hops in (1, nodes // 2)}
    expect("links with light in the end", {link for link, label in last.items() if label},
           {(str(min(pair)), str(max(pair))) for pair in pairs})
    expect("packets", len(root.findall("p")), counts["frames"])
    print(f"animation: {counts}")


def main():
    """Checks all scenarios."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    programs = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        for scenario in SCENARIOS:
            check_scenario(programs, pathlib.Path(folder), scenario)
        check_config(programs, pathlib.Path(folder))
        check_animation(programs, pathlib.Path(folder))


if __name__ == "__main__":
    main()
