#!/usr/bin/env python3
"""Checks what ns-3 observes of scenarios against what other programs read in its files.

usage: utils/check-observation.py BUILD-DIRECTORY
tshark reads the captures of a TCP flow over a ring: they hold each frame that the ascii trace has,
with right checksums, and the segments carry as many bytes as were sent. A scenario that is run with
the attributes that it saved before is the same, and one whose file has been edited is not. The
animation of a ring has an entry for each lightpath that begins or ceases to carry light. The plots of a
ring whose circuits change have the rates of its circuits, and as many bytes wait as they have not sent.
"""

import collections
import itertools
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

# What tshark must say of checksums: good
CHECKSUMS = {"ip": "1", "tcp": "1"}
# What it must not say of any frame
FLAGS = ("_ws.malformed", "_ws.unreassembled", "tcp.analysis.ack_lost_segment", "tcp.analysis.retransmission")


def expect(name, found, wanted):
    """Ends the program unless what was found is what was wanted."""
    if found != wanted:
        sys.exit(f"check-observation.py: {name}: {found}, but {wanted} was wanted")


def run(command, folder=None):
    """Runs a command, in a folder, and returns what it prints."""
    process = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder)
    expect(f"exit code of {command[0]}, which says {process.stderr.strip()}", process.returncode, 0)
    return process.stdout


def read_capture(path):
    """Yields a dictionary of fields for each frame of a capture."""
    fields = ["frame.number", "frame.time_delta", "frame.protocols", "ip.src", "tcp.len", *FLAGS]
    fields += [f"{protocol}.checksum.status" for protocol in CHECKSUMS]
    command = ["tshark", "-n", "-r", path, "-T", "fields"]
    for protocol in CHECKSUMS:
        command += ["-o", f"{protocol}.check_checksum:TRUE"]
    for field in fields:
        command += ["-e", field]
    for line in run(command).splitlines():
        yield dict(itertools.zip_longest(fields, line.split("\t"), fillvalue=""))


def check_captures(programs, folder):
    """Checks the captures and the ascii trace of a TCP flow from node 0 to node 1."""
    sent = 10000000
    run([programs / "lightpath-bulk-send", f"--bytes={sent}", "--tracing", "--ChecksumEnabled=1",
         "--ns3::PcapFileWrapper::NanosecMode=1"], folder)
    with open(folder / "lightpath-bulk-send.tr", encoding="ascii") as lines:
        events = collections.Counter(re.match(r"(.) \S+ /NodeList/(\d)/", line).groups() for line in lines)
    for node in ("0", "1"):
        frames = list(read_capture(folder / f"lightpath-bulk-send-{node}-0.pcap"))
        # What leaves the queue begins to be sent at once
        expect(f"frames of node {node}", len(frames), events["-", node] + events["r", node])
        expect(f"frames that node {node} sends", sum(frame["ip.src"] == f"10.1.1.{int(node) + 1}" for frame in frames),
               events["-", node])
        carried = 0
        for frame in frames:
            where = f"frame {frame['frame.number']} of node {node}"
            expect(f"protocols of {where}", frame["frame.protocols"].split(":")[:4], ["eth", "ethertype", "ip", "tcp"])
            expect(f"time before {where}", float(frame["frame.time_delta"]) >= 0, True)
            for name, wanted in {**CHECKSUMS, **dict.fromkeys(FLAGS, "")}.items():
                field = name if name in FLAGS else f"{name}.checksum.status"
                expect(f"{field} of {where}", frame[field], wanted)
            carried += int(frame["tcp.len"])
        expect(f"bytes of TCP that node {node} sees", carried, sent)
    print(f"captures: {sum(events.values())} events of frames")


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


def read_numbers(path):
    """Returns the lines of a file that are two numbers."""
    pairs = (re.fullmatch(r"([-+.e0-9]+)\s+([-+.e0-9]+)\s*", line) for line in path.read_text().splitlines())
    return [tuple(map(float, pair.groups())) for pair in pairs if pair]


def check_plots(programs, folder):
    """Checks the data of gnuplot and the text of a ring on which each of four nodes sends to the next one."""
    run([programs / "lightpath-plot"], folder)
    # Circuits of 1, 4 and 2 wavelengths of 25 Gb/s are set up every 50 us and take 10 us to light up
    steps = [(10e-6, 25e9), (50e-6, 0), (60e-6, 100e9), (100e-6, 0), (110e-6, 50e9)]
    nodes, packets, frame = 4, 60, 9000
    rates = read_numbers(folder / "lightpath-rate.dat")
    expect("rates", sorted(collections.Counter(rates).items()), [(step, nodes) for step in steps])

    def send(until):
        """Returns the bytes that a node has been able to send until a time."""
        rate_until = [*steps, (math.inf, 0)]
        return sum(rate / 8 * max(0, min(until, end) - begin)
                   for (begin, rate), (end, _) in zip(rate_until, rate_until[1:]))

    frames = read_numbers(folder / "lightpath-frames.dat")
    expect("frames", sorted({size for _, size in frames}), [frame])
    for number, (time, _) in enumerate(sorted(frames)):
        # All nodes end a frame at the same time, whenever the circuits have had time for another one
        sent = (number // nodes + 1) * frame
        expect(f"bytes sent until frame {number}, at {time} s", round(send(time)), sent)
    expect("number of frames", len(frames), nodes * packets)
    for node in range(nodes):
        backlogs = read_numbers(folder / f"lightpath-backlog-{node}-0.txt")
        for time, waiting in backlogs:
            if time > 0:
                expect(f"bytes that wait at {time} s", waiting, packets * frame - round(send(time)))
        expect("bytes that wait in the end", backlogs[-1][1], 0)
    expect("a script that draws", "lightpath-rate.plt" in (folder / "lightpath-rate.sh").read_text(), True)
    print(f"plots: {len(rates)} rates, {len(frames)} frames")


def main():
    """Checks all scenarios."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    programs = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        check_captures(programs, pathlib.Path(folder))
        check_config(programs, pathlib.Path(folder))
        check_animation(programs, pathlib.Path(folder))
        check_plots(programs, pathlib.Path(folder))


if __name__ == "__main__":
    main()
