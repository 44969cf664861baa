#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the icon of the module: a ring of fibre, six GPUs, and three lightpaths between them.

usage: doc/icon.py FILE.png

The picture has 100 x 100 pixels on a transparent background.
"""

import math
import struct
import sys
import zlib

SIZE = 100
# Samples of a pixel along each axis
SAMPLES = 4
FIBRE = (120, 130, 145)
GPU = (30, 40, 60)
# Colours of wavelengths, and the GPUs that each joins
LIGHTPATHS = [((225, 70, 60), 0, 2), ((40, 150, 90), 1, 4), ((45, 110, 220), 3, 5)]


def get_gpu(number):
    """The place of a GPU on the ring."""
    angle = math.radians(60 * number - 90)
    return 50 + 38 * math.cos(angle), 50 + 38 * math.sin(angle)


def get_distance(x, y, begin, end):
    """The distance of a point from the line between two others."""
    (x0, y0), (x1, y1) = begin, end
    length = (x1 - x0) ** 2 + (y1 - y0) ** 2
    share = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length
    share = min(1, max(0, share))
    return math.hypot(x - x0 - share * (x1 - x0), y - y0 - share * (y1 - y0))


def get_colour(x, y):
    """The colour at a point, or None where there is nothing."""
    if any(math.hypot(x - gx, y - gy) < 9 for gx, gy in map(get_gpu, range(6))):
        return GPU
    for colour, begin, end in LIGHTPATHS:
        if get_distance(x, y, get_gpu(begin), get_gpu(end)) < 2.5:
            return colour
    return FIBRE if abs(math.hypot(x - 50, y - 50) - 38) < 2 else None


def get_pixel(column, row):
    """The red, green, blue and opacity of a pixel."""
    steps = [(step + 0.5) / SAMPLES for step in range(SAMPLES)]
    colours = [get_colour(column + dx, row + dy) for dy in steps for dx in steps]
    seen = [colour for colour in colours if colour]
    if not seen:
        return bytes(4)
    mean = [round(sum(channel) / len(seen)) for channel in zip(*seen)]
    return bytes(mean + [round(255 * len(seen) / len(colours))])


def make_chunk(kind, content):
    """A chunk of a PNG file."""
    checksum = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)


def main():
    """Write the file."""
    if len(sys.argv) != 2:
        sys.exit("usage: doc/icon.py FILE.png")
    rows = b""
    for row in range(SIZE):
        rows += b"\0" + b"".join(get_pixel(column, row) for column in range(SIZE))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    with open(sys.argv[1], "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + make_chunk(b"IHDR", header))
        file.write(make_chunk(b"IDAT", zlib.compress(rows, 9)) + make_chunk(b"IEND", b""))


if __name__ == "__main__":
    main()
