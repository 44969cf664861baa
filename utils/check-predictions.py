#!/usr/bin/env python3
"""Compares predictions of training runs with the speeds that were published.

A row of data/predictions.csv is a run as in data/calibration.json. Its prediction was committed before its published
value, and is not changed afterwards; --now simulates the runs again and prints what the module predicts now.
"""

import csv
import json
import os

import calibrate
import study

PREDICTIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/predictions.csv")

# Columns that are texts
TEXTS = (
    "source", "job", "class", "model", "accelerator", "wholeExperts", "sequenceParallel", "oncePerServer", "unit",
)

HEADS = [
    "source", "job", "accelerator", "tensor x pipeline x context x data", "batch", "unit", "predicted", "published",
    "error", "class",
]


def read_rows():
    """Return the fields of the file, and its rows: as those of calibrate.py, with the prediction as it stands there."""
    with open(PREDICTIONS, encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        rows = [
            {name: text if name in TEXTS else json.loads(text) for name, text in row.items() if text} for row in table
        ]
        return table.fieldnames, rows


def simulate(options, rows):
    """Return what is published of each row if the module is right."""
    latencies = calibrate.read_measurements()["latencies"]

    def get_prediction(row):
        seconds, *_ = calibrate.train(options.program, row, latencies)
        return float(f"{calibrate.get_value(row, seconds):.4g}")

    return study.run_all(get_prediction, rows, options.jobs, lambda row: row["job"])


def get_time_error(row, prediction):
    """Return the error of the time that a prediction stands for."""
    return calibrate.get_time_error({**row, "error": prediction / row["published"] - 1})


def print_table(rows, is_rst):
    """Print the table, and the errors of the predictions by class."""
    has_now = any("now" in row for row in rows)
    lines = [HEADS + ["error now"] * has_now]
    for row in rows:
        errors = [f"{100 * get_time_error(row, row[name]):+.1f} %" for name in ("predicted", "now") if name in row]
        degrees = " x ".join(map(str, calibrate.get_degrees(row)))
        numbers = [calibrate.to_text(row[name]) for name in ("predicted", "published")]
        lines.append([row["source"], row["job"], row["accelerator"], degrees, str(row["batch"]), row["unit"], *numbers])
        lines[-1] += [errors[0], row["class"], *errors[1:]]
    widths = [max(map(len, column)) for column in zip(*lines)]
    rule = " ".join("=" * width for width in widths)
    printed = [" ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip() for line in lines]
    print("\n".join([rule, printed[0], rule, *printed[1:], rule] if is_rst else printed) + "\n")
    for kind in dict.fromkeys(row["class"] for row in rows):
        errors = [get_time_error(row, row["predicted"]) for row in rows if row["class"] == kind]
        sizes = list(map(abs, errors))
        print(
            f"{'* ' if is_rst else ''}{kind}, {len(errors)} predictions: median error {100 * study.get_median(sizes):.1f} %,"
            f" 90 % of them within {100 * calibrate.get_tail(sizes):.1f} %, mean {100 * sum(errors) / len(errors):+.1f} %"
        )


def main():
    """Compare, or predict."""
    parser = study.make_parser("Compare predictions of training runs with the speeds that were published.")
    parser.add_argument("--format", default="table", help="table, or rst for the manual")
    parser.add_argument("--predict", action="store_true", help="fill in the predictions that the file lacks")
    parser.add_argument("--now", action="store_true", help="also predict the runs with the module as it is")
    options = parser.parse_args()
    if options.predict or options.now:
        study.check_options(options, ["table", "rst"])
    names, rows = read_rows()
    if options.predict:
        missing = [row for row in rows if "predicted" not in row]
        for row, prediction in zip(missing, simulate(options, missing)):
            row["predicted"] = prediction
        with open(PREDICTIONS, "w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, names, restval="", lineterminator="\n")
            table.writeheader()
            table.writerows(rows)
        return
    rows = [row for row in rows if "published" in row]
    if options.now:
        for row, prediction in zip(rows, simulate(options, rows)):
            row["now"] = prediction
    study.report(options, {"rows": rows}, print_table, lambda _: None)


if __name__ == "__main__":
    study.end(main, "check-predictions.py")
