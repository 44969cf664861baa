#!/usr/bin/env python3
"""Checks how the folders of model/ and helper/ depend on each other, what CMakeLists.txt names, that sources
which are compiled in batches have names of their own, and that a type is declared as it is defined.

usage: utils/check-layers.py

Prints one line for each fault; the exit code is 1 if there is one.
"""

import re
import sys
from pathlib import Path

# The optical wing, which is a library of its own and knows nothing of training
OPTICAL = ("base", "photonics", "device", "fabric", "datacenter", "parallel", "control", "helper/optical")

# The rooms of model/, and which others each may include headers of, next to those of base and of the
# rooms around it
MAY_USE = {
    "base": "",
    "parallel": "datacenter",
    "photonics": "",
    "photonics/network": "",
    "device": "photonics parallel",
    "fabric": "device photonics parallel fabric/grid",
    "fabric/grid": "device",
    "datacenter": "device fabric",
    "cluster": "",
    "cost": "workload photonics",
    "control": "device fabric photonics control/turns",
    "control/ring": "device fabric",
    "control/switches": "device fabric",
    "control/grid": "device fabric fabric/grid control/oddl",
    "control/oddl": "device fabric/grid",
    "control/rotor": "device fabric",
    "control/schedule": "device fabric",
    "control/graph": "device fabric",
    "control/turns": "device",
    "workload": "",
    "collective": "control/turns",
    "plan": "workload collective",
    "plan/exchange": "plan workload collective",
    "plan/turns": "plan workload collective control/turns",
    "planner": "plan workload collective control planner/write planner/price planner/place"
    " planner/search",
    "planner/write": "plan workload collective",
    "helper/optical": "*",
    "helper/mltrain": "*",
    "planner/price": "plan plan/turns collective control/turns control/oddl fabric/grid",
    "planner/place": "plan collective control control/turns planner/price",
    "planner/bound": "plan workload collective planner/write",
    "planner/sip-ml": "plan workload collective planner/write planner/price planner/place"
    " planner/bound",
    "planner/search": "plan workload collective planner/write planner/price planner/place"
    " planner/bound planner/sip-ml",
    "training": "",
    "training/run": "plan plan/turns workload collective control control/rotor control/turns device fabric photonics cost parallel training/transport training/forward",
    "training/transport": "plan collective control control/rotor datacenter device fabric photonics cost parallel",
    "training/forward": "plan workload collective control control/rotor control/turns device fabric photonics cost parallel training/run training/transport",
    "observation": "training/run training/transport plan workload collective control device fabric photonics cost",
}

# Values of other rooms
VALUES = {"training/transport": {"job-ledger", "job-ports", "report-format"}, "plan": {"traffic-matrix", "summed-demand", "link-split"}, "planner": {"link-split", "oddl-settings"}, "planner/price": {"port-table", "relay-paths", "transmission-clock"}}

# Plain computation: nothing that they include, directly or not, may know of events
PLAIN_FOLDERS = ("cluster", "cost", "photonics", "workload", "collective", "plan", "planner")
PLAIN_FILES = re.compile(r"control/(.*(allocator|scheduler|traffic-matrix|turns/)|oddl/).*|fabric/grid/.*")
EVENTS = {"application", "channel", "event-id", "net-device", "node", "simulator", "socket"}

# Folders whose sources are compiled in batches
BATCHES = (("model", "helper"), ("test",))

UNNAMED = re.compile(r"^namespace\n\{\n(.*?)^\} // namespace\n", re.DOTALL | re.MULTILINE)
CONSTANT = re.compile(r"^(?:constexpr|const)[^\n=({]*?\b(\w+)(?:\[.*?\])?\s*[={]", re.MULTILINE)
FUNCTION = re.compile(r"^(\w+)\(([^{;]*?)\)\s*\n\{", re.MULTILINE)

TYPE = re.compile(r"^(class|struct) (\w+)\b(?: final)?\s*(;|:|\{)", re.MULTILINE)

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]((?:[\w-]+/)*)([\w.-]+)\.h[>"]', re.MULTILINE)


class File:
    """A source file of the module."""

    def __init__(self, path):
        self.path = path
        self.name = path.as_posix().removeprefix("model/")
        self.folder = self.name.rpartition("/")[0]
        self.is_optical = self.folder.startswith(OPTICAL)
        text = path.read_text(encoding="utf-8")
        self.includes = INCLUDE.findall(text)
        self.calls_simulator = "Simulator::" in text

    def is_plain(self):
        """Whether the file must be plain computation."""
        return self.folder.split("/")[0] in PLAIN_FOLDERS or bool(PLAIN_FILES.fullmatch(self.name))


def find_events(file, headers, seen):
    """Get the chain of includes by which a file comes to know of events, or None."""
    for _, stem in file.includes:
        if stem in EVENTS and stem not in headers:
            return [f"ns3/{stem}.h"]
        header = headers.get(stem)
        if header and header.name not in seen:
            seen.add(header.name)
            chain = find_events(header, headers, seen)
            if chain:
                return [header.name] + chain
    return None


def may_use(file, header):
    """Whether a file may include a header."""
    if file.is_optical and not header.is_optical:
        return False
    if MAY_USE[file.folder] == "*" or header.folder in ("base", file.folder, file.folder.split("/")[0]):
        return True
    return header.folder in MAY_USE[file.folder].split() or header.path.stem in VALUES.get(
        file.folder, ()
    )


def check_includes(file, headers, public):
    """Yield a sentence for each include that goes the wrong way."""
    if file.folder not in MAY_USE:
        yield f"{file.path}: the folder {file.folder} is not one of {', '.join(MAY_USE)}"
        return
    for prefix, stem in file.includes:
        header = headers.get(stem)
        if not header or prefix not in ("", "ns3/") and not prefix.startswith(("model/", "helper/")):
            continue
        if not may_use(file, header):
            yield f"{file.path}: {file.folder} may not use {header.name}"
        wanted = "ns3/" if header.path.as_posix() in public else f"{header.path.parent.as_posix()}/"
        if header.folder == file.folder:
            wanted = ""
        if prefix != wanted:
            yield f'{file.path}: {stem}.h is to be included as "{wanted}{stem}.h"'
    if file.is_plain():
        if file.calls_simulator:
            yield f"{file.path}: plain computation may not call Simulator"
        chain = find_events(file, headers, set())
        if chain:
            yield f"{file.path}: plain computation may not know of events ({' -> '.join(chain)})"


def check_listed(files, headers, listed):
    """Yield a sentence for each file that CMakeLists.txt should name and does not."""
    for folder in ("model", "helper", "test", "utils"):
        for path in sorted(Path(folder).rglob("*.cc")):
            # main.cc is for the standalone build
            if path.as_posix() not in listed | {"test/main.cc"}:
                yield f"{path}: CMakeLists.txt does not name this file"
    # A header that is not named is private: who includes a public header does not have it
    for file in files:
        if file.path.as_posix() in listed and file.path.suffix == ".h":
            for _, stem in file.includes:
                if stem in headers and headers[stem].path.as_posix() not in listed:
                    yield f"{file.path}: a public header includes the private {stem}.h"


def check_unnamed(folders):
    """Yield a sentence for each constant or function that the unnamed namespaces of two sources define."""
    owners = {}
    for path in sorted(path for folder in folders for path in Path(folder).rglob("*.cc")):
        for body in UNNAMED.findall(path.read_text(encoding="utf-8")):
            names = CONSTANT.findall(body)
            for name, arguments in FUNCTION.findall(body):
                types = re.sub(r"\s*\w+\s*(,|$)", r"\1", " ".join(arguments.split()))
                names.append(f"{name}({types})")
            for name in names:
                if owners.setdefault(name, path) != path:
                    yield f"{path}: {owners[name]} has the name {name}, too: share it or name it apart"


def check_keys():
    """Yield a sentence for each class that is declared as a struct, or the other way round: compilers warn."""
    keys = {}
    declared = []
    for path in sorted(path for folder in ("model", "helper", "tools", "test") for path in Path(folder).rglob("*.h")):
        for key, name, after in TYPE.findall(path.read_text(encoding="utf-8")):
            if after == ";":
                declared.append((path, key, name))
            else:
                keys[name] = key
    for path, key, name in declared:
        if keys.get(name, key) != key:
            yield f"{path}: {name} is declared as {key}, and defined as {keys[name]}"


def main():
    """Check the module whose root is the current directory."""
    paths = sorted(path for folder in ("model", "helper") for path in Path(folder).rglob("*.*"))
    files = [File(path) for path in paths if path.suffix in (".h", ".cc")]
    headers = {}
    faults = []
    for file in files:
        if file.path.suffix == ".h":
            if file.path.stem in headers:
                faults.append(f"{file.path}: {headers[file.path.stem].path} has the same name")
            headers[file.path.stem] = file
    text = Path("CMakeLists.txt").read_text("utf-8")
    listed = set(re.findall(r"[\w./-]+\.(?:cc|h)\b", text))
    optical = set(" ".join(re.findall(r"set\(optical_\w+\n(.*?)\)", text, re.DOTALL)).split())
    for file in files:
        faults.extend(check_includes(file, headers, listed))
        name = file.path.as_posix()
        if name in listed and file.is_optical != (name in optical):
            faults.append(f"{name}: CMakeLists.txt gives this file to the library of the other wing")
    faults.extend(check_listed(files, headers, listed))
    for folders in BATCHES:
        faults.extend(check_unnamed(folders))
    faults.extend(check_keys())
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
