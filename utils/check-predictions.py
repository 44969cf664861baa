#!/usr/bin/env python3
"""Compares predictions of training runs with the speeds that were published.

A row of data/predictions.csv is a run as in data/calibration.json. Its prediction was committed before its published
value, and is not changed afterwards: the table has what the module simulates now beside it.
"""

import csv
import json
import os

import calibrate
import study

PREDICTIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/predictions.csv")

# Columns that are texts
TEXTS = ("source", "job", "class", "model", "accelerator", "sequenceParallel", "oncePerServer", "unit")

HEADS = ["job", "accelerator", "tensor x pipeline x context x data", "batch", "class", "predicted", "published", "error", "now"]


def read_rows():
    """Return the fields of the file, and its rows: as those of calibrate.py, with the prediction as it stands there."""
    with open(PREDICTIONS, encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        rows = [
            {name: text if name in TEXTS else json.loads(text) for name, text in row.items() if text} for row in table
        ]
        return table.fieldnames, rows


def predict(program, row, latencies):
    """Return a row with what the module simulates now."""
    seconds, *_ = calibrate.train(program, row, latencies)
    return {**row, "now": calibrate.get_value(row, seconds)}


def get_time_error(row, name):
    """Return the error of the time by which a rate was predicted."""
    return calibrate.get_time_error({**row, "error": row[name] / row["published"] - 1})


def write_predictions(names, rows):
    """Fill in the predictions that the file lacks."""
    with open(PREDICTIONS, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, names, restval="", extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        for row in rows:
            table.writerow(row if "predicted" in row else {**row, "predicted": float(f"{row['now']:.4g}")})


def print_table(rows, is_rst):
    """Print the table, and the errors of the predictions by class."""
    lines = [HEADS]
    for row in rows:
        errors = [f"{100 * get_time_error(row, name):+.1f} %" for name in ("predicted", "now")]
        degrees = " x ".join(map(str, calibrate.get_degrees(row)))
        numbers = [str(row[name]) for name in ("predicted", "published")]
        lines.append([row["job"], row["accelerator"], degrees, str(row["batch"]), row["class"], *numbers, *errors])
    widths = [max(map(len, column)) for column in zip(*lines)]
    rule = " ".join("=" * width for width in widths)
    printed = [" ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip() for line in lines]
    print("\n".join([rule, printed[0], rule, *printed[1:], rule] if is_rst else printed) + "\n")
    for kind in dict.fromkeys(row["class"] for row in rows):
        errors = [get_time_error(row, "predicted") for row in rows if row["class"] == kind]
        sizes = sorted(map(abs, errors))
        print(
            f"{'* ' if is_rst else ''}{kind}, {len(errors)} predictions: median error {100 * study.get_median(sizes):.1f} %,"
            f" 90 % of them within {100 * calibrate.get_tail(sizes):.1f} %, mean {100 * sum(errors) / len(errors):+.1f} %"
        )


def main():
    """Simulate and report."""
    parser = study.make_parser("Compare predictions of training runs with the speeds that were published.")
    parser.add_argument("--format", default="table", help="table, or rst for the manual")
    parser.add_argument("--predict", action="store_true", help="fill in the predictions that the file lacks")
    options = parser.parse_args()
    study.check_options(options, ["table", "rst"])
    names, rows = read_rows()
    latencies = calibrate.read_measurements()["latencies"]
    wanted = [row for row in rows if ("published" in row if not options.predict else "predicted" not in row)]
    found = study.run_all(
        lambda row: predict(options.program, row, latencies), wanted, options.jobs, lambda row: row["job"]
    )
    if options.predict:
        done = iter(found)
        write_predictions(names, [row if "predicted" in row else next(done) for row in rows])
        return
    study.report(options, {"rows": found}, print_table, lambda _: None)


if __name__ == "__main__":
    study.end(main, "check-predictions.py")
