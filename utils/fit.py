#!/usr/bin/env python3
"""Fits parameters of accelerators to published measurements of training.

The measurements are those of data/calibration.json that are not kept out. The fit changes the parameters in
data/accelerators that PARAMETERS lists. It minimises

    sum of weight * ln(1 + (ln(simulated / published) / SPREAD)^2) + sum of (ln(parameter / start) / spread)^2

over the measurements and the parameters, with the method of Levenberg and Marquardt from START, whatever the files
hold. A measurement has the weight of one over the root of the number of its family. Times are those that the planner
predicts, which differ from those of simulations by less than 0.1 %. A pipeline takes the time of two shorter batches,
extrapolated: beyond them each microbatch takes the same time.
"""

import json
import math
import os
import re
import tempfile

import calibrate
import study

ACCELERATORS = os.path.join(os.path.dirname(calibrate.MEASUREMENTS), "accelerators")

# Value to start from, which the fit is drawn to, spread of its logarithm, least and largest value
START = {
    "halfMatmulEfficiency": (0.7, 0.5, 0.1, 0.92),
    "halfAttentionEfficiency": (0.5, 0.5, 0.1, 0.92),
    "fp8MatmulEfficiency": (0.6, 0.5, 0.1, 0.92),
}

# Accelerators whose rows are fitted together, and the parameters of the first one; later families use earlier ones
PARAMETERS = {
    ("H100", "H200"): ["fp8MatmulEfficiency"],
    ("B200",): ["fp8MatmulEfficiency", "halfMatmulEfficiency", "halfAttentionEfficiency"],
    ("GB200",): ["fp8MatmulEfficiency", "halfMatmulEfficiency"],
}

# Classes of rows that the fit sees: what experts and inference take besides is from measured kernels
CLASSES = ["dense", "FSDP", "long context"]

# Errors of this size, as logarithms, are expected
SPREAD = 0.1


def get_file(accelerator):
    """Return the name of the file of an accelerator."""
    return os.path.join(ACCELERATORS, f"{accelerator}.json")


def read_values(accelerator):
    """Return the figures that the file of an accelerator states, and those of its base."""
    with open(get_file(accelerator), encoding="utf-8") as file:
        document = json.load(file)
    values = read_values(document["base"]) if "base" in document else {}
    for figure in document["figures"]:
        values.update(figure["values"])
    return values


def round_value(value):
    """Return a number with three digits."""
    return float(f"{value:.3g}")


def write_values(values):
    """Write parameters, by accelerator and name, into the files of their accelerators."""
    for accelerator in dict.fromkeys(accelerator for accelerator, _ in values):
        with open(get_file(accelerator), encoding="utf-8") as file:
            text = file.read()
        for name, value in get_own(values, accelerator).items():
            value = round_value(value)
            number = f"{1e6 * value:g}e-6" if name.endswith("Seconds") else f"{value:g}"
            text, count = re.subn(rf'("{name}": )[-+.\de]+', rf"\g<1>{number}", text)
            if count != 1:
                raise ValueError(f"{get_file(accelerator)} must state {name} once")
        with open(get_file(accelerator), "w", encoding="utf-8") as file:
            file.write(text)


class Times:
    """Times of measured jobs on accelerators with given parameters."""

    def __init__(self, program, latencies, jobs):
        self.program = program
        self.latencies = latencies
        self.jobs = jobs

    def predict(self, row, accelerator):
        """Return the time that the planner predicts for an iteration of a job, in seconds."""
        arguments = calibrate.get_arguments({**row, "accelerator": accelerator}, self.latencies)
        result = study.run(self.program, [*arguments, "--planOnly", "--rehearse=false"], f"{row['source']}, {row['job']}")
        return result["plan"]["predictedIterationSeconds"]

    def get_time(self, row, accelerator):
        """Return the time of an iteration of a job, which two shorter batches predict where there are any."""
        batches = calibrate.get_short_batches(row)
        if not batches:
            return self.predict(row, accelerator)
        return calibrate.extrapolate(
            row, batches, [self.predict({**row, "batch": batch}, accelerator) for batch in batches]
        )

    def get_errors(self, rows, values):
        """Return the logarithms of simulated over published times with the given parameters."""
        with tempfile.TemporaryDirectory() as folder:
            files = {}
            for accelerator in {row["accelerator"] for row in rows}:
                files[accelerator] = os.path.join(folder, f"{accelerator}.json")
                document = {
                    "format": "lightpath-accelerator",
                    "version": 1,
                    "name": accelerator,
                    "description": "Candidate",
                    "base": accelerator,
                    "figures": [{"confidence": "fitted", "source": "Candidate", "values": values}],
                }
                with open(files[accelerator], "w", encoding="utf-8") as file:
                    json.dump(document, file)
            return study.run_all(
                lambda row: self.get_error(row, files[row["accelerator"]]),
                rows,
                self.jobs,
                lambda row: f"{row['source']}, {row['job']}",
            )

    def get_error(self, row, accelerator):
        """Return the logarithm of the simulated over the published time of a job."""
        error = math.log(calibrate.get_value(row, self.get_time(row, accelerator)) / row["published"])
        return error if row["unit"] in ("s", "ms") else -error


def solve(matrix, right):
    """Return the solution of linear equations, by elimination with pivots."""
    rows = [[*line, value] for line, value in zip(matrix, right)]
    count = len(rows)
    for i in range(count):
        pivot = max(range(i, count), key=lambda k, i=i: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(count):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    return [rows[i][count] / rows[i][i] for i in range(count)]


def get_weights(rows):
    """Return the weights of rows: a family counts as the root of the number of its rows."""
    families = [calibrate.get_family(row) for row in rows]
    return [1 / math.sqrt(families.count(family)) for family in families]


def get_cost(names, logs, errors, weights):
    """Return the sum to be minimised."""
    cost = sum(weight * math.log1p((error / SPREAD) ** 2) for weight, error in zip(weights, errors))
    for name, log in zip(names, logs):
        start, spread, _, _ = START[name]
        cost += ((log - math.log(start)) / spread) ** 2
    return cost


def get_step(names, logs, errors, slopes, weights, damping):
    """Return the logarithms of the parameters after a step that lessens the sum."""
    count = len(names)
    matrix = [[0.0] * count for _ in range(count)]
    right = [0.0] * count
    for i, error in enumerate(errors):
        weight = weights[i] / SPREAD**2 / (1 + (error / SPREAD) ** 2)
        for a in range(count):
            right[a] -= weight * slopes[a][i] * error
            for b in range(count):
                matrix[a][b] += weight * slopes[a][i] * slopes[b][i]
    for a, name in enumerate(names):
        start, spread, _, _ = START[name]
        matrix[a][a] = (matrix[a][a] + 1 / spread**2) * (1 + damping)
        right[a] -= (logs[a] - math.log(start)) / spread**2
    steps = solve(matrix, right)
    bounds = [START[name][2:] for name in names]
    return [
        min(max(log + step, math.log(least)), math.log(largest))
        for log, step, (least, largest) in zip(logs, steps, bounds)
    ]


def get_slopes(times, rows, logs, errors, to_values):
    """Return what a change of each parameter changes of each error."""
    slopes = []
    for i in range(len(logs)):
        moved = [log + (0.05 if k == i else 0) for k, log in enumerate(logs)]
        slopes.append([(b - a) / 0.05 for a, b in zip(errors, times.get_errors(rows, to_values(moved)))])
    return slopes


def fit(times, rows, names, to_values):
    """Return the parameters that fit rows best."""
    weights = get_weights(rows)
    logs = [math.log(START[name][0]) for name in names]
    errors = times.get_errors(rows, to_values(logs))
    damping = 0.01
    for turn in range(12):
        # The logarithms are nearly linear: the slopes hold for several steps
        if turn % 4 == 0:
            slopes = get_slopes(times, rows, logs, errors, to_values)
        cost = get_cost(names, logs, errors, weights)
        while True:
            tried = get_step(names, logs, errors, slopes, weights, damping)
            found = times.get_errors(rows, to_values(tried))
            if get_cost(names, tried, found, weights) < cost or damping > 100:
                break
            damping *= 10
        moves = max(abs(a - b) for a, b in zip(tried, logs))
        logs, errors, damping = tried, found, damping / 10
        if moves < 0.002:
            break
    return [math.exp(log) for log in logs]


def is_fitted(row, names):
    """Return whether the fit of some parameters sees a row."""
    depends = calibrate.get_precision(row) == "FP8" or not all(name.startswith("fp8") for name in names)
    return row["class"] in CLASSES and depends and not row.get("keptOut", False)


def get_own(values, accelerator):
    """Return the parameters of one accelerator, by name."""
    return {name: value for (owner, name), value in values.items() if owner == accelerator}


def fit_all(times, measurements):
    """Return all parameters, by accelerator and name."""
    values = {}
    for family, names in PARAMETERS.items():
        rows = [row for row in measurements if row["accelerator"] in family and is_fitted(row, names)]
        owner = family[0]

        def to_values(logs, names=names, owner=owner):
            """Return the parameters of a candidate."""
            candidate = dict(values)
            candidate.update({(owner, name): math.exp(log) for name, log in zip(names, logs)})
            return {**get_own(candidate, read_base(owner)), **get_own(candidate, owner)}

        for name, value in zip(names, fit(times, rows, names, to_values)):
            values[owner, name] = round_value(value)
    return values


def read_base(accelerator):
    """Return the name of the base of an accelerator, None without one."""
    with open(get_file(accelerator), encoding="utf-8") as file:
        return json.load(file).get("base")


def main():
    """Fit, and write or check the files."""
    parser = study.make_parser(__doc__.splitlines()[0])
    parser.set_defaults(format="table")
    options = parser.parse_args()
    study.check_options(options, ["table"])
    data = calibrate.read_measurements()
    values = fit_all(Times(options.program, data["latencies"], options.jobs), data["measurements"])
    if options.json != "-":
        for (accelerator, name), value in values.items():
            print(f"{accelerator}: {name} {round_value(value):g}")
    if options.json:
        study.write_json({accelerator: get_own(values, accelerator) for accelerator, _ in values}, options.json)
    if not options.check:
        write_values(values)
        return
    for (accelerator, name), value in values.items():
        stated = read_values(accelerator)[name]
        if abs(math.log(stated / value)) > 0.01:
            raise ValueError(f"{get_file(accelerator)} has {name} {stated:g}, but the fit finds {value:.3g}")


if __name__ == "__main__":
    study.end(main, "fit.py")
