#!/usr/bin/env python3
"""Simulates published measurements of training and inference and reports the errors.

The measurements are those of data/calibration.json. Each job is spread as the measured one was, over servers
below an electrical switch; GPUs that do the same are folded. The memory of the GPUs is not limited: it is the
time that is compared. Many microbatches take the time of two shorter batches, extrapolated: beyond them each
microbatch takes the same time.

--accuracy and --classes write the errors of the rows that no fit has seen by class, accelerator and precision.
"""

import functools
import hashlib
import json
import math
import os
import re

import study

MEASUREMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/calibration.json")

# Options of lightpath-train that a row can set
PLAN = [
    "tp", "pp", "cp", "dp", "ep", "wholeExperts", "oncePerServer", "virtualStages", "schedule", "microbatch", "recompute",
    "sequenceParallel", "zero",
]

# Classes of measurements
CLASSES = [
    "dense", "MoE", "FSDP", "convolutional", "recommendation", "long context", "decode", "prefill",
]

# What an inference row measures, by the figures of lightpath-infer
MEASURES = {"ttft": "timeToFirstTokenSeconds", "tpot": "timePerOutputTokenSeconds", "request": "requestSeconds"}

# What rows can be summed up by
GROUPS = ("graphs", "dispatcher")

# Kept-out rows from which on a class counts as validated
LEAST_ROWS = 3

# Bytes of a bucket that holds all gradients
UNLIMITED = 10**15

# The largest median of the absolute errors of rows kept out of the fit, and the largest error of 90 % of them, that
# pass --check
LIMITS = {
    "dense": (0.04, 0.18),
    "MoE": (0.28, 0.62),
    "FSDP": (0.06, 0.28),
    "convolutional": (0.13, 0.18),
    "long context": (0.14, 0.36),
    "decode": (0.28, 0.35),
    "prefill": (0.10, 0.43),
}

HEADS = [
    "source", "job", "accelerator", "tensor x pipeline x context x data", "batch", "unit", "published", "simulated",
    "error", "class", "kept out",
]


def select(rows, options):
    """Return the measurements that the options choose."""
    chosen = [
        row for row in rows
        if options.source in ("", row["source"]) and options.accelerator in ("", row["accelerator"])
        and options.kind in ("", row["class"])
        and options.job in row["job"]
    ]
    if not chosen:
        sources, accelerators = (", ".join(dict.fromkeys(row[key] for row in rows)) for key in ("source", "accelerator"))
        raise ValueError(
            f"There is no measurement with --source={options.source}, --accelerator={options.accelerator} and"
            f" --job={options.job}: sources are {sources}, accelerators are {accelerators}"
        )
    return chosen


def read_options(words):
    """Return options of a program, such as --gpus=8, by name."""
    for word in words:
        if not re.fullmatch("--[^=]+=.+", word):
            raise ValueError(f"--with={word} must be an option with its value, like --with=--framework=none:launch=50000")
    return {name[2:]: value for name, _, value in (word.partition("=") for word in words)}


def get_degrees(row):
    """Return the tensor-parallel degree, the pipeline stages, the shares of a sample, and the replicas of a job."""
    return row.get("tp", 1), row.get("pp", 1), row.get("cp", 1), row["dp"]


def get_gpus(row):
    """Return the number of GPUs of a job."""
    return math.prod(get_degrees(row))


def get_family(row):
    """Return the name of the rows that are kept out of the fit, or not, together."""
    return "|".join([row["source"], row["accelerator"], row["job"].split(",")[0].split(" (")[0]])


def get_precision(row):
    """Return the precision of the matrix products of a row."""
    options = row["model"].partition(":")[2].split(",")
    words = [option.partition("=")[2] for option in options if option.startswith("precision=")]
    return {"single": "single", "fp8": "FP8"}.get("".join(words), "half")


def get_group(row):
    """Return the class, the accelerator and the precision of a row, within which rows are kept out of the fit."""
    return row["class"], row["accelerator"], get_precision(row)


def get_kept_families(rows):
    """Return the groups and families that the fit does not see: those whose name has a SHA-256 that begins with a
    byte divisible by 3, and of several families of a group without one, that with the least SHA-256."""
    groups = {}
    for row in rows:
        if "measure" in row or get_gpus(row) > 1:
            groups.setdefault(get_group(row), set()).add(get_family(row))
    kept = set()
    for group, families in groups.items():
        hashes = sorted((hashlib.sha256(name.encode()).digest(), name) for name in families)
        chosen = [name for digest, name in hashes if digest[0] % 3 == 0]
        if not chosen and len(families) > 1:
            chosen = [hashes[0][1]]
        kept.update((group, name) for name in chosen)
    return kept


def read_measurements():
    """Return the contents of the file of measurements, whose classes must be known and marks those of the rule."""
    with open(MEASUREMENTS, encoding="utf-8") as file:
        data = json.load(file)
    for row in data["measurements"]:
        if row.get("class") not in CLASSES:
            raise ValueError(f"{row['source']}, {row['job']}: class must be one of {', '.join(CLASSES)}")
    kept = get_kept_families(data["measurements"])
    for row in data["measurements"]:
        expected = ("measure" in row or get_gpus(row) > 1) and (get_group(row), get_family(row)) in kept
        if row.get("keptOut", False) != expected:
            raise ValueError(f"{row['source']}, {row['job']}: keptOut must be {str(expected).lower()}")
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
        "iterations": 1,
        "fold": "true",
        **latencies,
    }
    if row["serverGpus"] > 1:
        # Clusters of InfiniBand reach each card from each other
        values["attach"] = "gpu"
    if not row.get("overlap", True):
        values["ns3::lightpath::FixedPlanner::BucketBytes"] = UNLIMITED
    return [f"--{name}={str(value).lower() if value in (True, False) else value}" for name, value in values.items()]


def get_inference_arguments(row, latencies):
    """Return the options of lightpath-infer for a measured request."""
    values = {
        "model": row["model"],
        "accelerator": row["accelerator"],
        "memory": "unlimited",
        "prompt": row["prompt"],
        "output": row["output"],
        "batch": row["batch"],
        "bandwidth": "400Gbps",
        **latencies,
    }
    for phase in ("prefill", "decode"):
        values.update({f"{phase}Gpus": row["tp"], f"{phase}Tp": row["tp"]})
    if row["tp"] > 1:
        values["serverGpus"] = row["serverGpus"]
    return [f"--{name}={value}" for name, value in values.items()]


def get_short_batches(row):
    """Return two shorter batches from which on each microbatch takes the same time, or none."""
    piece = row["dp"] * row["microbatch"]
    stages = row.get("pp", 1)
    # Virtual stages and two directions need twice as many as there are stages
    first = 2 * stages if row.get("virtualStages", 1) > 1 or "schedule" in row else stages + 1
    if row["batch"] // piece <= first + stages:
        return []
    return [first * piece, (first + stages) * piece]


def extrapolate(row, batches, seconds):
    """Return the time of an iteration, from those of shorter batches."""
    short, longer = seconds
    return short + (longer - short) * (row["batch"] - batches[0]) / (batches[1] - batches[0])


def get_value(row, seconds):
    """Return what would be published if an iteration took some seconds."""
    seconds *= row.get("evaluation", 1)
    return 1000 * seconds if row["unit"] == "ms" else seconds if row["unit"] == "s" else row["work"] / seconds


def infer(program, row, latencies):
    """Return the time that lightpath-infer, beside lightpath-train, finds for a measured request, in seconds."""
    infers = os.path.join(os.path.dirname(program), "lightpath-infer")
    result = study.run(infers, get_inference_arguments(row, latencies), f"{row['source']}, {row['job']}")
    return result[MEASURES[row["measure"]]]


def train(program, row, latencies):
    """Return the time of an iteration, that which the plan predicts, the GPUs simulated, and the time that this took."""
    batches = get_short_batches(row)
    runs = []
    for batch in batches or [row["batch"]]:
        arguments = get_arguments({**row, "batch": batch}, latencies)
        result = study.run(program, arguments, f"{row['source']}, {row['job']}")
        runs.append((result["plan"], result["runs"][0]))
    times = [run["iterationSeconds"][-1] for _, run in runs], [plan["predictedIterationSeconds"] for plan, _ in runs]
    seconds, predicted = (extrapolate(row, batches, found) if batches else found[0] for found in times)
    wall = sum(plan["planning"]["wallSeconds"] + run["wallSeconds"] for plan, run in runs)
    return seconds, predicted, runs[-1][0]["simulatedGpus"], wall


def simulate(program, row, latencies):
    """Return a measurement with its simulation."""
    if "measure" in row:
        seconds = predicted = infer(program, row, latencies)
        simulated_gpus, wall = 2 * get_gpus(row), 0
    else:
        seconds, predicted, simulated_gpus, wall = train(program, row, latencies)
    simulated = get_value(row, seconds)
    tensor, pipeline, context, data = get_degrees(row)
    return {
        **{key: row[key] for key in ("class", "source", "job", "model", "accelerator")},
        **{key: row[key] for key in GROUPS if key in row},
        "precision": get_precision(row),
        "gpus": get_gpus(row),
        "simulatedGpus": simulated_gpus,
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
        "predictedIterationSeconds": predicted,
        "wallSeconds": wall,
    }


def get_time_error(row):
    """Return the simulated over the published time, less 1, of a row."""
    return row["error"] if row["unit"] in ("s", "ms") else 1 / (1 + row["error"]) - 1


def get_accuracy(rows):
    """Return the errors of the rows that no fit has seen, by class, accelerator and precision."""
    groups = {get_group(row): [] for row in rows}
    for row in rows:
        if row["keptOut"]:
            groups[get_group(row)].append(row)
    accuracy = []
    for (name, accelerator, precision), kept in sorted(groups.items(), key=lambda item: CLASSES.index(item[0][0])):
        models = {row["model"].partition(":")[0] for row in kept}
        errors = [abs(get_time_error(row)) for row in kept]
        entry = {"class": name, "accelerator": accelerator, "precision": precision, "rows": len(errors), "models": len(models)}
        if len(errors) >= LEAST_ROWS:
            entry.update({"median": round(study.get_median(errors), 4), "p90": round(get_tail(errors), 4)})
        accuracy.append(entry)
    return accuracy


def get_tail(errors):
    """Return the error that 90 % of all do not exceed."""
    return sorted(errors)[(9 * len(errors) + 9) // 10 - 1]


def write_classes(accuracy, name):
    """Write the errors of classes as a table of the manual."""
    lines = [["class", "accelerator", "precision", "kept-out rows", "median error", "90 % within"]]
    for entry in accuracy:
        errors = [f"{100 * entry[key]:.1f} %" if key in entry else "not validated" for key in ("median", "p90")]
        lines.append([entry["class"], entry["accelerator"], entry["precision"], str(entry["rows"]), *errors])
    widths = [max(map(len, column)) for column in zip(*lines)]
    rule = " ".join("=" * width for width in widths)
    printed = [" ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip() for line in lines]
    with open(name, "w", encoding="utf-8") as file:
        file.write("\n".join([rule, printed[0], rule, *printed[1:], rule]) + "\n")


def summarize(rows, group=""):
    """Return the quantiles of the absolute errors of all rows, of those not kept out of the fit, of those kept out, and
    of all with each value of a group."""
    parts = [
        ("all rows", rows),
        ("rows not kept out", [row for row in rows if not row["keptOut"]]),
        ("rows kept out of the fit", [row for row in rows if row["keptOut"]]),
    ]
    for value in dict.fromkeys(row[group] for row in rows if group in row):
        parts.append((f"rows of {group} {value}", [row for row in rows if row.get(group) == value]))
    summaries = []
    for name, part in parts:
        errors = sorted(abs(get_time_error(row)) for row in part)
        if errors:
            summaries.append({
                "rows": len(errors),
                "name": name,
                "median": study.get_median(errors),
                "percentile90": get_tail(errors),
                "largest": errors[-1],
            })
    return summaries


def to_text(value):
    """Return a number with four digits."""
    return f"{value:.0f}" if value >= 1000 else f"{value:.4g}"


def print_table(rows, is_rst, group=""):
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
            row["class"],
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
    for summary in summarize(rows, group):
        print(
            f"{'* ' if is_rst else ''}{summary['rows']} {summary['name']}: median error {100 * summary['median']:.1f} %,"
            f" 90 % of them within {100 * summary['percentile90']:.1f} %, largest {100 * summary['largest']:.1f} %"
        )


def check(rows):
    """Refuse errors of rows kept out of the fit beyond the limits of their class."""
    for name, (median, tail) in LIMITS.items():
        errors = [abs(get_time_error(row)) for row in rows if row["class"] == name and row["keptOut"]]
        if errors and (study.get_median(errors) > median or get_tail(errors) > tail):
            raise ValueError(
                f"The errors of rows of class {name} that are kept out of the fit have a median of"
                f" {100 * study.get_median(errors):.1f} % and 90 % of them are within {100 * get_tail(errors):.1f} %: at"
                f" most {100 * median:.1f} % and {100 * tail:.1f} % are allowed"
            )


def main():
    """Simulate and report."""
    parser = study.make_parser("Simulate published measurements of training and report the errors.")
    parser.add_argument("--source", default="", help="measurements of one source only, such as SC21")
    parser.add_argument("--accelerator", default="", help="measurements of one accelerator only")
    parser.add_argument("--job", default="", help="jobs with this part in their descriptions only, such as 175B")
    parser.add_argument("--class", dest="kind", default="", help="measurements of one class only, such as MoE")
    parser.add_argument(
        "--with", dest="more", action="append", default=[], metavar="OPTION",
        help="option that each run has besides, such as --framework=none:launch=50000; may be given again",
    )
    parser.add_argument("--by", default="", help=f"also sum up the rows by {' or '.join(GROUPS)}")
    parser.add_argument("--format", default="table", help="table, or rst for the manual")
    parser.add_argument("--accuracy", help="file for the errors of classes as JSON, such as data/accuracy.json")
    parser.add_argument("--classes", help="file for the errors of classes as a table of the manual")
    options = parser.parse_args()
    data = read_measurements()
    chosen = select(data["measurements"], options)
    study.check_options(options, ["table", "rst"])
    if options.by not in ("", *GROUPS):
        raise ValueError(f"There is no --by={options.by}: the known ones are {', '.join(GROUPS)}")
    if options.more and (options.accuracy or options.classes or options.check):
        raise ValueError("The errors of classes are those without --with")
    more = read_options(options.more)
    rows = study.run_all(
        lambda row: simulate(
            options.program, row, {**data["inferenceLatencies" if "measure" in row else "latencies"], **more}
        ),
        chosen,
        options.jobs,
        lambda row: f"{row['source']}, {row['job']}",
    )
    if options.accuracy:
        study.write_json(get_accuracy(rows), options.accuracy)
    if options.classes:
        write_classes(get_accuracy(rows), options.classes)
    print_rows = functools.partial(print_table, group=options.by)
    study.report(options, {"rows": rows, "summaries": summarize(rows, options.by)}, print_rows, check)


if __name__ == "__main__":
    study.end(main, "calibrate.py")
