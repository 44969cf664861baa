#!/usr/bin/env python3
"""Checks what lightpath-allocate reports of decisions that are worked out by hand.

usage: utils/check-allocations.py LIGHTPATH-ALLOCATE

Prints a line for each value that is wrong; the exit code is 1 if there is one.
"""

import json
import subprocess
import sys

# Clockwise, from 0 to 2 takes segments 0 and 1, and from 1 to 3 segments 1 and 2
RING = ["--ports=4", "--fibres=1", "--wavelengths=2", "--attribute=FillLeftover=false"]
RING_DEMAND = "src,dst,bytes\n0,2,1000000\n1,3,500000\n"
SLOTS = ["--ports=3", "--fabric=sip-ocs", "--switches=1", "--laneRate=100Gbps", "--switchingDelay=1us"]
SLOTS_DEMAND = "src,dst,bytes\n0,1,1000\n0,2,1000\n"

# Options, the demand, parts of the table, and values of the JSON
CASES = [
    (
        # Both wavelengths for the first pair, and half of that the other way for the second; two of
        # 2 x 4 x 2 wavelengths of segments have failed
        RING + ["--fail=segment:2:ccw"],
        RING_DEMAND,
        ["2 among 4 ports, 1.5 MB, 1 peers", "served          2\n", "6 of 14 wavelengths of segments"],
        {"objective": 2, "bound": 2, "gapPercent": 0, "lanesUsed": 6, "lanesTotal": 14, "bytes": 1500000},
    ),
    (
        # No way is left from 1 to 3
        RING + ["--fail=segment:2:cw,segment:0:ccw"],
        RING_DEMAND,
        ["served          1\n", "unserved        1: 1 to 3\n"],
        {"served": 1, "unserved": [[1, 3]], "objective": 0, "lanesTotal": 12},
    ),
    (
        # 1 us of darkness and 8000 bits at 100 Gb/s, twice
        SLOTS + ["--allocator=birkhoff"],
        SLOTS_DEMAND,
        ["slots           2\n", "objective       2.16 us: ", "gap             0.00 %\n", "bytes left      0\n"],
        {"makespanSeconds": 2.16e-6, "bound": 2.16e-6, "gapPercent": 0, "unservedBytes": 0},
    ),
    (
        SLOTS + ["--allocator=birkhoff", "--fail=output:0:2"],
        SLOTS_DEMAND,
        ["unserved        1: 0 to 2\n", "gap             unknown\n", "bytes left      1000\n"],
        {"unserved": [[0, 2]], "gapPercent": None, "unservedBytes": 1000, "makespanSeconds": 1.08e-6},
    ),
]


def is_near(value, wanted):
    """Whether a value is as it should be, within what rounding takes."""
    if isinstance(wanted, float):
        return isinstance(value, float) and abs(value - wanted) <= 1e-9 * wanted
    return value == wanted


def check(program, options, demand, parts, values):
    """Yield a sentence for each value that is wrong."""
    command = [program, "--demand=-", *options]
    outputs = []
    for more in [], ["--json=-"]:
        done = subprocess.run([*command, *more], input=demand, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            yield f"{' '.join(command)}: {done.stderr}"
            return
        outputs.append(done.stdout)
    table, text = outputs
    found = json.loads(text)
    for part in parts:
        if part not in table:
            yield f"{' '.join(command)}: there is no '{part}' in the table\n{table}"
    for name, wanted in values.items():
        if not is_near(found.get(name), wanted):
            yield f"{' '.join(command)}: {name} is {found.get(name)}, not {wanted}"


def main():
    """Check the program that the command line names."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    faults = [fault for case in CASES for fault in check(sys.argv[1], *case)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
