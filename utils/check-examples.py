#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks that the examples of the manual print what the manual says.

usage: utils/check-examples.py BUILD [all] [PAGE...]

BUILD has the programs. An example is a command of a program, or of utils/sweep, behind "$" in a block of
text of a page in doc/, with lines of output below it; sweeps.rst has commands that go on with others. Spaces and the ends of lines do not count, a line of "..."
stands for any output, and times that the machine itself takes are left out. Without "all" those of LONG are
left out. PAGE is the name of a page, such as tools.rst; by default all.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent
# Parts of commands that take more than some seconds
LONG = [
    "--days=7 --jobs=500", "--decodeBatch=11264", "--placing=scattered --full", "--days=7 --jobs=300", "--flap=card",
    "sip-ring,sip-ocs,oddl --cost", "lightpath-dctcp-jobs", "--dollars=", "--by=serverGpus",
    "--gpus=4096",
]
# What differs from run to run
MEASURED = re.compile(r"(?<=decided in)\s+[0-9.]+ \S+")
# Any output
ANY = "\0"


def get_examples(page):
    """The commands of a page and their output."""
    lines = page.read_text("utf-8").splitlines()
    number = 0
    while number < len(lines):
        begin = re.match(r"( +)\$ ((lightpath-|utils/sweep --).*)", lines[number])
        number += 1
        if not begin:
            continue
        indent, command = len(begin[1]), begin[2]
        while command.endswith("\\"):
            command = command[:-1] + lines[number].strip()
            number += 1
        output = []
        while number < len(lines) and (not lines[number].strip()
                                       or lines[number].startswith(begin[1])):
            if lines[number][indent:].startswith("$ "):
                break
            output.append(ANY if lines[number].strip() == "..." else lines[number])
            number += 1
        if any(line.strip() for line in output):
            yield command, "\n".join(output)


def get_words(text):
    """The words of a text without what differs from run to run."""
    return MEASURED.sub("", text).split()


def find_difference(expected, printed):
    """The first words of the manual that are not printed; nothing if all are."""
    at = 0
    is_open = False
    for part in " ".join(expected).split(ANY):
        words = part.split()
        places = range(at, len(printed) - len(words) + 1) if is_open else [at]
        found = next((p for p in places if printed[p:p + len(words)] == words), None)
        if found is None:
            same = 0
            while printed[at + same:at + same + 1] == words[same:same + 1]:
                same += 1
            return f"'{' '.join(words[same:same + 12])}', printed is " \
                   f"'{' '.join(printed[at + same:at + same + 12])}'"
        at = found + len(words)
        is_open = True
    if expected[-1] != ANY and at < len(printed):
        return f"nothing, printed is '{' '.join(printed[at:at + 12])}'"
    return None


def run(command, programs):
    """What a command prints."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("data", "examples", "utils"):
            os.symlink(FOLDER / name, Path(scratch) / name)
        path = f"{programs}:{os.environ['PATH']}"
        return subprocess.run(["bash", "-c", command], cwd=scratch, text=True, check=False,
                              env={**os.environ, "PATH": path, "LIGHTPATH_PROGRAMS": str(programs)}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


def main():
    """Runs the examples and compares."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    programs = Path(sys.argv[1]).resolve()
    do_all = "all" in sys.argv[2:]
    pages = [name for name in sys.argv[2:] if name != "all"]
    faults = number = 0
    for page in sorted(set((FOLDER / "doc").glob("*.rst")) - {FOLDER / "doc/sweeps.rst"}):
        for command, expected in get_examples(page):
            is_long = any(part in command for part in LONG)
            name = command.split()[0]
            is_there = (programs / name).exists() or (FOLDER / name).exists()
            if (pages and page.name not in pages) or (is_long and not do_all):
                continue
            number += 1
            difference = find_difference(get_words(expected), get_words(run(command, programs))) \
                if is_there else "a program that there is"
            if difference:
                faults += 1
                print(f"{page.name}: {command}\n    the manual has {difference}")
    print(f"{number} examples, {faults} faults")
    return faults > 0 or number == 0


if __name__ == "__main__":
    sys.exit(main())
