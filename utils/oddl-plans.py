#!/usr/bin/env python3
"""Simulates plans on ODDL with all algorithms of collectives, and compares times, predictions and a switch.

GPUs have 200 Gb/s each. --check fails unless the algorithm of the default is within 1 % of the best one, all
predictions are within 5 %, and data parallelism (second table) takes at most 2 % longer than on the electrical switch.
"""

import study

GPT = "gpt2-355m:layers=6,sequence=512,gradients=half"
# Model, its samples for each GPU, GPUs, grid and degrees of parallelism
CASES = [
    ("resnet50", 32, 8, "2 x 4", {}),
    ("vgg19", 32, 9, "3 x 3", {}),
    ("resnet50", 32, 12, "3 x 4", {}),
    ("bert-large:layers=6,gradients=half", 8, 16, "4 x 4", {}),
    (GPT, 2, 32, "4 x 8", {}),
    ("vgg19", 32, 36, "6 x 6", {}),
    ("resnet50", 16, 64, "8 x 8", {}),
    ("bert-large:layers=6,gradients=half", 8, 16, "4 x 4", {"tp": 2}),
    ("bert-large:layers=6,gradients=half", 8, 32, "4 x 8", {"tp": 4}),
    (GPT, 4, 16, "4 x 4", {"pp": 2, "microbatch": 1}),
    (GPT, 4, 24, "4 x 6", {"pp": 3, "microbatch": 2}),
    (GPT, 4, 32, "4 x 8", {"tp": 2, "pp": 2, "microbatch": 2}),
]
ALGORITHMS = ["automatic", "ring", "direct", "halving-doubling", "double-tree", "grid"]
# Those whose messages pass corners in all cases
RELAYED = ["ring", "direct"]
# Data parallelism beside a switch: model, and samples for each GPU
DATA_MODELS = [("resnet50", 16), ("bert-large:layers=6,gradients=half", 8), (GPT, 2)]
DATA_GRIDS = [(4, 4), (6, 6), (8, 8), (16, 16), (2, 4), (2, 8), (3, 4), (3, 5), (4, 6), (4, 8), (8, 16)]
DATA_HEADS = ["Model", "Grid", "Computation, ms", "ODDL, ms", "Switch, ms", "To switch"]
HEADS = ["Model", "Grid", "Degrees", "Default, ms", "Best other, ms", "To it", "To switch", "Default", "Ring", "Direct"]
# The limits of --check
BETTER, PREDICTED, SWITCH = 1.01, 0.05, 1.02


def make_arguments(case):
    """Return the arguments of a case that are not those of its fabric."""
    model, samples, gpus, _, degrees = case
    return [
        f"--model={model}",
        f"--gpus={gpus}",
        f"--batch={gpus * samples}",
        "--planner=fixed",
        "--placement=linear",
        "--bandwidth=200Gbps",
        *(f"--{name}={value}" for name, value in degrees.items()),
    ]


def simulate(program, case, fabric, algorithm):
    """Return the times of an iteration as simulated and as predicted, in seconds."""
    arguments = [*make_arguments(case), f"--fabric={fabric}", f"--allReduce={algorithm}", "--iterations=3"]
    result = study.run(program, arguments)
    return study.get_steady_seconds(result["runs"][0]), result["plan"]["predictedIterationSeconds"]


def passes_corners(program, case, algorithm):
    """Return whether a grid without relays refuses the plan."""
    arguments = [*make_arguments(case), "--fabric=oddl", f"--allReduce={algorithm}", "--relayPolicy=forbid"]
    return study.train(program, [*arguments, "--planOnly", "--rehearse=false"])[1] is not None


def describe(case):
    """Return the model, the grid and the degrees of a case."""
    model, _, gpus, grid, degrees = case
    parts = degrees.get("tp", 1) * degrees.get("pp", 1)
    names = [f"{name} {degrees[name]}" for name in ("tp", "pp") if name in degrees]
    return [model.partition(":")[0], grid, ", ".join([f"dp {gpus // parts}", *names])]


def measure(program, case):
    """Return the row of a case."""
    runs = {name: simulate(program, case, "oddl", name) for name in ALGORITHMS}
    default, _ = runs["automatic"]
    other = min(ALGORITHMS[1:], key=lambda name: runs[name][0])
    switch, _ = simulate(program, case, "electrical", "automatic")
    return {
        "case": describe(case),
        "defaultSeconds": default,
        "other": other,
        "otherSeconds": runs[other][0],
        "switchSeconds": switch,
        "errors": {name: predicted / seconds - 1 for name, (seconds, predicted) in runs.items()},
        "relayed": [name for name in RELAYED if passes_corners(program, case, name)],
    }


def compare(program, case):
    """Return the row of a case of data parallelism beside a switch."""
    model, _, _, grid, _ = case
    times = {}
    for fabric, shape in (("oddl", [f"--rows={grid.partition(' ')[0]}"]), ("electrical", [])):
        arguments = [*make_arguments(case), f"--fabric={fabric}", *shape, "--iterations=3"]
        result = study.run(program, arguments)
        run = result["runs"][0]
        times[fabric] = study.get_steady_seconds(run)
    return {
        "model": model.partition(":")[0],
        "grid": grid,
        "computeSeconds": run["computeSeconds"],
        "defaultSeconds": times["oddl"],
        "switchSeconds": times["electrical"],
    }


def format_data(row):
    """Return the words of a row of data parallelism beside a switch."""
    return [
        row["model"],
        row["grid"],
        *(f"{1e3 * row[name]:.2f}" for name in ("computeSeconds", "defaultSeconds", "switchSeconds")),
        f"{row['defaultSeconds'] / row['switchSeconds']:.4f}",
    ]


def format_row(row):
    """Return the words of a row."""
    return [
        *row["case"],
        f"{1e3 * row['defaultSeconds']:.2f}",
        f"{1e3 * row['otherSeconds']:.2f} ({row['other']})",
        f"{row['defaultSeconds'] / row['otherSeconds']:.3f}",
        f"{row['defaultSeconds'] / row['switchSeconds']:.3f}",
        # Without the sign of a zero
        *(f"{round(100 * row['errors'][name], 1) + 0.0:+.1f} %" for name in ("automatic", *RELAYED)),
    ]


def check(rows, others):
    """Refuse times beyond the limits."""
    for row in others:
        if row["defaultSeconds"] > SWITCH * row["switchSeconds"]:
            raise ValueError(f"{row['model']} on {row['grid']} GPUs is too slow beside a switch")
    for row in rows:
        name = ", ".join(row["case"])
        if row["defaultSeconds"] > BETTER * row["otherSeconds"]:
            raise ValueError(f"{name}: {row['other']} is faster than the default by more than 1 %")
        for algorithm, error in row["errors"].items():
            if abs(error) > PREDICTED:
                raise ValueError(f"{name}: the prediction of {algorithm} is off by {100 * error:.1f} %")
    relayed = sum(len(row["relayed"]) for row in rows)
    if relayed < len(RELAYED) * len(rows):
        raise ValueError(f"Only {relayed} plans have messages that pass corners")


def main():
    """Simulate and report."""
    parser = study.make_parser(__doc__)
    parser.set_defaults(format="rst")
    options = parser.parse_args()
    study.check_options(options, ["rst"])
    rows = study.run_all(
        lambda case: measure(options.program, case),
        CASES,
        options.jobs,
        lambda case: ", ".join(describe(case)),
    )
    others = study.run_all(
        lambda case: compare(options.program, case),
        [
            (model, each, height * width, f"{height} x {width}", {})
            for model, each in DATA_MODELS
            for height, width in DATA_GRIDS
        ],
        options.jobs,
        lambda case: f"{case[0]} on {case[3]} GPUs",
    )
    if options.json != "-":
        study.print_table(HEADS, map(format_row, rows))
        print()
        study.print_table(DATA_HEADS, map(format_data, others))
    if options.json:
        study.write_json({"plans": rows, "dataParallelism": others}, options.json)
    if options.check:
        check(rows, others)


if __name__ == "__main__":
    study.end(main, "oddl-plans.py")
