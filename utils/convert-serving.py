#!/usr/bin/env python3
"""Writes a table of lightpath-serving as files that simulators of serving read, and compares it with theirs.

usage: utils/convert-serving.py TABLE.csv --fabric=NAME OPTION...
       --vidur=FOLDER for all_reduce.csv and send_recv.csv, --aiconfigurator=FILE for one like nccl_perf.txt,
       --compare=FILE with a file of Vidur, at its sizes

Vidur reads all-reduces of as many GPUs as a server of the group has, and messages inside a server or between two.
AIConfigurator counts elements of two bytes. Sizes between two rows are interpolated in proportion to bytes.
"""

import csv
import sys

VIDUR = ["num_workers", "devices_per_node", "max_devices_per_node", "size", "collective"]
NCCL = {"all-reduce": "all_reduce", "all-gather": "all_gather", "reduce-scatter": "reduce_scatter", "all-to-all": "alltoall"}


def read(name, fabric):
    """Return the points (bytes, ms) of each operation, group and placement on a fabric."""
    curves = {}
    with open(name, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row.get("fabric") == fabric:
                key = (row["collective"], int(row["group"]), row["placement"])
                curves.setdefault(key, []).append((int(row["bytes"]), float(row["ms"])))
    if not curves:
        raise ValueError(f"{name} has no rows of the fabric '{fabric}'")
    return {key: sorted(points) for key, points in curves.items()}


def interpolate(points, size):
    """Return the time of a size, None outside of the table."""
    for (x, y), (end, most) in zip(points, points[1:] or points):
        if x <= size <= end:
            return y + (most - y) * (size - x) / max(end - x, 1)
    return None


def write_vidur(curves, folder):
    """Write the files of Vidur."""
    for name, title in (("all-reduce", "all_reduce"), ("send-recv", "send_recv")):
        names = [f"time_stats.{title}.{each}" for each in ("min", "max", "mean", "median", "std")]
        with open(f"{folder}/{title}.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["", *names, "rank", *VIDUR])
            rows = [
                [*[ms] * 4, 0, 0, group, group if placement == "packed" else 1, 8, size, title]
                for (collective, group, placement), points in curves.items()
                for size, ms in points
                if collective == name and (group == 2 or placement == "packed" and group <= 8)
            ]
            writer.writerows([number, *row] for number, row in enumerate(rows))


def write_aiconfigurator(curves, name):
    """Write the file of NCCL's operations of AIConfigurator."""
    with open(name, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["nccl_dtype", "num_gpus", "message_size", "op_name", "latency"])
        for (collective, group, placement), points in curves.items():
            if collective in NCCL and placement == "packed":
                writer.writerows(["half", group, size // 2, NCCL[collective], ms] for size, ms in points)


def compare(curves, name):
    """Print the median ratio of the table to the measurements of a file of Vidur, by group, placement and decade."""
    ratios = {}
    with open(name, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            title, group, size = row["collective"], int(row["num_workers"]), int(row["size"])
            placement = "packed" if int(row["devices_per_node"]) == group else "spread"
            ms = interpolate(curves.get((title.replace("_", "-"), group, placement), []), size)
            if ms:
                band = f"from {1 << 3 * ((size.bit_length() - 1) // 3) >> 10} KiB"
                ratios.setdefault((title, group, placement, band), []).append(ms / float(row[f"time_stats.{title}.median"]))
    for key, values in ratios.items():
        print(f"{' '.join(map(str, key)):32} {len(values):4} rows  {sorted(values)[len(values) // 2]:.3f}")


WAYS = {"vidur": write_vidur, "aiconfigurator": write_aiconfigurator, "compare": compare}


def main():
    """Do what the arguments ask for."""
    options = dict(word[2:].partition("=")[::2] for word in sys.argv[2:])
    if len(sys.argv) < 4 or "fabric" not in options:
        raise ValueError("give a table, --fabric=NAME, and what to write, as --help says" if "--help" not in sys.argv else __doc__)
    curves = read(sys.argv[1], options.pop("fabric"))
    for name, target in options.items():
        if name not in WAYS:
            raise ValueError(f"There is no option --{name}: the options are {', '.join(WAYS)} and fabric")
        WAYS[name](curves, target)


if __name__ == "__main__":
    try:
        main()
    except (ValueError, OSError) as error:
        sys.exit(f"convert-serving.py: {error}")
