#!/usr/bin/env python3
"""Simulates published measurements of training and reports the errors.

The measurements are those of data/calibration.json. Each job is spread as the measured one was, over servers
below an electrical switch; GPUs that do the same are folded. The memory of the GPUs is not limited: it is the
time that is compared.
"""

import hashlib
import json
import math
import os

import study

MEASUREMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/calibration.json")

# Options of lightpath-train that a row can set
PLAN = [
    "tp", "pp", "cp", "dp", "ep", "wholeExperts", "virtualStages", "schedule", "microbatch", "recompute",
    "sequenceParallel", "zero",
]

# Bytes of a bucket that holds all gradients
UNLIMITED = 10**15

# The largest median of the absolute errors, and the largest error of 90 % of them, that pass --check
LIMITS = {
    "all rows": (0.10, 0.25),
    "rows kept out of the fit": (0.12, 0.30),
}

HEADS = [
    "source", "job", "accelerator", "tensor x pipeline x context x data", "batch", "unit", "published", "simulated",
    "error", "kept out",
]


def select(rows, options):
    """Return the measurements that the options choose."""
    chosen = [
        row for row in rows
        if options.source in ("", row["source"]) and options.accelerator in ("", row["accelerator"])
        and options.job in row["job"]
    ]
    if not chosen:
        sources, accelerators = (", ".join(dict.fromkeys(row[key] for row in rows)) for key in ("source", "accelerator"))
        raise ValueError(
            f"There is no measurement with --source={options.source}, --accelerator={options.accelerator} and"
            f" --job={options.job}: sources are {sources}, accelerators are {accelerators}"
        )
    return chosen


def get_degrees(row):
    """Return the tensor-parallel degree, the pipeline stages, the shares of a sample, and the replicas of a job."""
    return row.get("tp", 1), row.get("pp", 1), row.get("cp", 1), row["dp"]


def get_gpus(row):
    """Return the number of GPUs of a job."""
    return math.prod(get_degrees(row))


def get_family(row):
    """Return the name of the rows that are kept out of the fit, or not, together."""
    return "|".join([row["source"], row["accelerator"], row["job"].split(",")[0].split(" (")[0]])


def is_kept_out(row):
    """Return whether the fit does not see a row: a third of the families, chosen by a hash of their names."""
    return get_gpus(row) > 1 and hashlib.sha256(get_family(row).encode()).digest()[0] % 3 == 0


def read_measurements():
    """Return the contents of the file of measurements, whose marks must be those of the rule."""
    with open(MEASUREMENTS, encoding="utf-8") as file:
        data = json.load(file)
    for row in data["measurements"]:
        if row.get("keptOut", False) != is_kept_out(row):
            raise ValueError(f"{row['source']}, {row['job']}: keptOut must be {str(is_kept_out(row)).lower()}")
    return data


def get_model(name):
    """Return the model of a row, whose gradients have the numbers of its products unless it says otherwise."""
    return name if "gradients=" in name else f"{name}{',' if ':' in name else ':'}gradients=half"


def get_arguments(row, latencies):
    """Return the options of lightpath-train for an iteration of a measured job."""
    values = {
        "model": get_model(row["model"]),
        "accelerator": row["accelerator"],
        "memory": "unlimited",
        "gpus": get_gpus(row),
        "batch": row["batch"],
        "planner": "fixed",
        **{name: row[name] for name in PLAN if name in row},
        "fabric": "electrical",
        "bandwidth": f"{row.get('uplinkGbps', 200)}Gbps",
        "serverGpus": row["serverGpus"],
        **latencies,
        "iterations": 1,
        "fold": "true",
    }
    if not row.get("overlap", True):
        values["ns3::lightpath::FixedPlanner::BucketBytes"] = UNLIMITED
    return [f"--{name}={str(value).lower() if value in (True, False) else value}" for name, value in values.items()]


def get_value(row, seconds):
    """Return what would be published if an iteration took some seconds."""
    seconds *= row.get("evaluation", 1)
    return seconds if row["unit"] == "s" else row["work"] / seconds


def simulate(program, row, latencies):
    """Return a measurement with its simulation."""
    result, refusal = study.train(program, get_arguments(row, latencies))
    if refusal:
        raise ValueError(f"{row['source']}, {row['job']}: {refusal}")
    plan, run = result["plan"], result["runs"][0]
    seconds = run["iterationSeconds"][-1]
    simulated = get_value(row, seconds)
    tensor, pipeline, context, data = get_degrees(row)
    return {
        **{key: row[key] for key in ("source", "job", "model", "accelerator")},
        "gpus": get_gpus(row),
        "simulatedGpus": plan["simulatedGpus"],
        "tensorParallel": tensor,
        "pipelineParallel": pipeline,
        "contextParallel": context,
        "dataParallel": data,
        "virtualStages": row.get("virtualStages", 1),
        "microbatch": row["microbatch"],
        "globalBatch": row["batch"],
        "unit": row["unit"],
        "published": row["published"],
        "simulated": simulated,
        "error": simulated / row["published"] - 1,
        "keptOut": row.get("keptOut", False),
        "iterationSeconds": seconds,
        "predictedIterationSeconds": plan["predictedIterationSeconds"],
        "wallSeconds": plan["planning"]["wallSeconds"] + run["wallSeconds"],
    }


def summarize(rows):
    """Return the quantiles of the absolute errors of all rows, of those of the fit, and of those kept out of it."""
    summaries = []
    for name, marks in (("all rows", (True, False)), ("rows of the fit", (False,)), ("rows kept out of the fit", (True,))):
        errors = sorted(abs(row["error"]) for row in rows if row["keptOut"] in marks)
        if errors:
            count = len(errors)
            summaries.append({
                "rows": count,
                "name": name,
                "median": study.get_median(errors),
                "percentile90": errors[(9 * count + 9) // 10 - 1],
                "largest": errors[-1],
            })
    return summaries


def to_text(value):
    """Return a number with four digits."""
    return f"{value:.0f}" if value >= 1000 else f"{value:.4g}"


def print_table(rows, is_rst):
    """Print the table and its summary."""
    lines = [HEADS]
    for row in rows:
        lines.append([
            row["source"],
            row["job"],
            row["accelerator"],
            f"{row['tensorParallel']} x {row['pipelineParallel']} x {row['contextParallel']} x {row['dataParallel']}",
            str(row["globalBatch"]),
            row["unit"],
            to_text(row["published"]),
            to_text(row["simulated"]),
            f"{100 * row['error']:+.1f} %",
            "yes" if row["keptOut"] else "no",
        ])
    widths = [max(map(len, column)) for column in zip(*lines)]
    rule = " ".join("=" * width for width in widths)
    # Numbers are aligned to the right
    printed = [
        " ".join(
            word.rjust(width) if 6 <= column <= 8 else word.ljust(width)
            for column, (word, width) in enumerate(zip(line, widths))
        ).rstrip()
        for line in lines
    ]
    if is_rst:
        printed = [rule, printed[0], rule, *printed[1:], rule]
    print("\n".join(printed) + "\n")
    for summary in summarize(rows):
        print(
            f"{'* ' if is_rst else ''}{summary['rows']} {summary['name']}: median error {100 * summary['median']:.1f} %,"
            f" 90 % of them within {100 * summary['percentile90']:.1f} %, largest {100 * summary['largest']:.1f} %"
        )


def check(rows):
    """Refuse errors beyond the limits."""
    for summary in summarize(rows):
        median, tail = LIMITS.get(summary["name"], (math.inf, math.inf))
        if summary["median"] > median or summary["percentile90"] > tail:
            raise ValueError(
                f"The errors of {summary['name']} have a median of {100 * summary['median']:.1f} % and 90 % of them are"
                f" within {100 * summary['percentile90']:.1f} %: at most {100 * median:.1f} % and"
                f" {100 * tail:.1f} % are allowed"
            )


def main():
    """Simulate and report."""
    parser = study.make_parser("Simulate published measurements of training and report the errors.")
    parser.add_argument("--source", default="", help="measurements of one source only, such as SC21")
    parser.add_argument("--accelerator", default="", help="measurements of one accelerator only")
    parser.add_argument("--job", default="", help="jobs with this part in their descriptions only, such as 175B")
    parser.add_argument("--format", default="table", help="table, or rst for the manual")
    options = parser.parse_args()
    data = read_measurements()
    chosen = select(data["measurements"], options)
    study.check_options(options, ["table", "rst"])
    rows = study.run_all(
        lambda row: simulate(options.program, row, data["latencies"]),
        chosen,
        options.jobs,
        lambda row: f"{row['source']}, {row['job']}",
    )
    if options.json != "-":
        print_table(rows, options.format == "rst")
    if options.json:
        study.write_json({"rows": rows, "summaries": summarize(rows)}, options.json)
    if options.check:
        check(rows)


if __name__ == "__main__":
    study.end(main, "calibrate.py")
