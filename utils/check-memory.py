#!/usr/bin/env python3
"""Compares the memory of plans with published peaks of measured jobs.

The peaks are those of data/memory.json. With --fits, every training job of data/calibration.json is planned with the
memory of its accelerator: as each of them ran, each of them must fit.
"""

import json
import os

import calibrate
import study

PEAKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/memory.json")

# The largest median of the absolute errors, and the largest error, that pass --check
MEDIAN, LARGEST = 0.02, 0.06

HEADS = ["job", "tensor x pipeline x context x data", "experts over", "published", "planned", "error", "reserved", "seen"]


def plan(program, row, data):
    """Return a job with its planned memory, GiB."""
    degrees = {name: row[name] for name in ("tp", "pp", "cp", "dp", "ep") if name in row}
    options = [f"--{name}={value}" for name, value in degrees.items()]
    if row.get("tp", 1) > 1:
        options.append("--sequenceParallel=true")
    batch = data["microbatches"] * row["dp"]
    arguments = [f"--model={row['model']}", f"--batch={batch}", *data["options"], *options, "--planOnly", "--rehearse=false"]
    result = study.run(program, arguments, row["job"])
    planned = result["plan"]["memoryBytesPerGpu"] / 2**30
    return {**row, "plannedGib": planned, "memory": result["plan"]["memory"], "error": planned / row["peakGib"] - 1}


def fit(program, row, latencies):
    """Return a job that ran, and the sentence that refuses its plan, if one does. More microbatches than the fullest
    moment of a schedule has take no more memory."""
    batch = [row["batch"], *calibrate.get_short_batches(row)][-1]
    arguments = calibrate.get_arguments({**row, "batch": batch}, latencies)
    arguments = [word for word in arguments if not word.startswith("--memory=")]
    return {"row": row, "refusal": study.train(program, [*arguments, "--planOnly", "--rehearse=false"])[1]}


def print_table(rows, is_rst):
    """Print the table and its summary."""
    lines = [HEADS]
    for row in rows:
        degrees = " x ".join(str(row.get(name, 1)) for name in ("tp", "pp", "cp", "dp"))
        numbers = [f"{row[name]:.2f}" for name in ("peakGib", "plannedGib")]
        slack = f"+{100 * (row['reservedGib'] / row['peakGib'] - 1):.1f} %"
        seen = "yes" if row.get("seen") else "no"
        experts = str(row["ep"]) if "ep" in row else "-"
        lines.append([row["job"], degrees, experts, *numbers, f"{100 * row['error']:+.1f} %", slack, seen])
    widths = [max(map(len, column)) for column in zip(*lines)]
    printed = [" ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip() for line in lines]
    if is_rst:
        rule = " ".join("=" * width for width in widths)
        printed = [rule, printed[0], rule, *printed[1:], rule]
    print("\n".join(printed) + "\n")
    for name, chosen in (("all", rows), ("not seen", [row for row in rows if not row.get("seen")])):
        errors = [abs(row["error"]) for row in chosen]
        print(
            f"{'* ' if is_rst else ''}{len(errors)} jobs, {name}: median error {100 * study.get_median(errors):.1f} %,"
            f" largest {100 * max(errors):.1f} %"
        )


def print_fits(results, is_rst):
    """Print the jobs whose plans are refused."""
    refused = [result for result in results if result["refusal"]]
    bullet = "* " if is_rst else ""
    print(f"{bullet}{len(results) - len(refused)} of {len(results)} jobs fit into the memory of their accelerators.")
    for result in refused:
        row = result["row"]
        print(f"{bullet}{row['source']}, {row['job']}, {row['accelerator']}: {result['refusal'].split(': use ')[0]}.")


def check(rows):
    """Refuse errors beyond the limits."""
    errors = [abs(row["error"]) for row in rows]
    if study.get_median(errors) > MEDIAN or max(errors) > LARGEST:
        raise ValueError(
            f"The errors have a median of {100 * study.get_median(errors):.1f} % and the largest is"
            f" {100 * max(errors):.1f} %: at most {100 * MEDIAN:.0f} % and {100 * LARGEST:.0f} % are allowed"
        )


def main():
    """Plan and report."""
    parser = study.make_parser("Compare the memory of plans with published peaks of measured jobs.")
    parser.add_argument("--format", default="table", help="table, or rst for the manual")
    parser.add_argument("--fits", action="store_true", help="plan the jobs of data/calibration.json instead")
    options = parser.parse_args()
    study.check_options(options, ["table", "rst"])
    if options.fits:
        data = calibrate.read_measurements()
        print_fits(study.run_all(
            lambda row: fit(options.program, row, data["latencies"]),
            [row for row in data["measurements"] if "measure" not in row],
            options.jobs,
            lambda row: f"{row['source']}, {row['job']}",
        ), options.format == "rst")
        return
    with open(PEAKS, encoding="utf-8") as file:
        data = json.load(file)
    rows = study.run_all(
        lambda row: plan(options.program, row, data), data["measurements"], options.jobs, lambda row: row["job"]
    )
    study.report(options, {"rows": rows}, print_table, check)


if __name__ == "__main__":
    study.end(main, "check-memory.py")
