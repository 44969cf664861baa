#!/usr/bin/env python3
"""Checks the averages of lightpath-optinc-average by integers.

usage: utils/check-average.py PROGRAM

Prints a sentence for what is wrong; the exit code is 1 if anything is.
"""

import random
import struct
import subprocess
import sys

SERVERS = 4
COUNT = 1000


def average(data, *options):
    """Return how the program ended on some input."""
    return subprocess.run([sys.argv[1], *options], input=data, capture_output=True, check=False)


def main():
    """Check averages of numbers that are words already, and an input that ends too early."""
    draw = random.Random(1)
    numbers = [[draw.randint(-127, 127) for _ in range(COUNT)] for _ in range(SERVERS)]
    # The largest number of a block sets its scale: 127 words are 1
    numbers[0][::256] = [127] * len(numbers[0][::256])
    data = struct.pack("=I", COUNT)
    for own in numbers:
        data += struct.pack(f"={COUNT}f", *(number / 127 for number in own))
    # The nearest word; the upper one of two
    right = [(2 * sum(own) + SERVERS) // (2 * SERVERS) for own in zip(*numbers)]
    for options in ([], ["--averager=mesh"], ["--averager=mesh", "--phaseNoise=0.02"]):
        # Two blocks, of which the second has nothing of the first
        done = average(data + data, *options)
        for answer in struct.iter_unpack(f"={COUNT}fI", done.stdout):
            wrong = sum(abs(127 * each - word) > 1e-3 for each, word in zip(answer, right))
            if wrong != answer[-1] or (wrong > 0) != ("--phaseNoise=0.02" in options):
                sys.exit(f"{options}: {wrong} averages are wrong, {answer[-1]} by the program")
        if done.returncode or len(done.stdout) != 2 * (4 * COUNT + 4):
            sys.exit(f"{options}: exit code {done.returncode}, {len(done.stdout)} bytes")
    done = average(data[:-1])
    if done.returncode != 1 or b"ends inside a block" not in done.stderr:
        sys.exit(f"An input that ends too early: exit code {done.returncode}, {done.stderr}")


if __name__ == "__main__":
    main()
