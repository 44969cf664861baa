"""The table of a sweep: a row for each run that is finished, with its options and its results."""

import csv
import functools
import io
import operator


def get(json, path):
    """Return the value at a path in JSON, None if there is none."""
    for part in path.split("/"):
        try:
            json = json[int(part) if isinstance(json, list) else part]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    return json


def get_iteration(json):
    """Return the mean time of the iterations after the first, or that of the first if it is alone."""
    times = get(json, "runs/0/iterationSeconds") or [None]
    if len(times) == 1:
        return times[0]
    return functools.reduce(operator.add, times[1:], 0.0) / (len(times) - 1)


def get_rate(json):
    """Return the samples per second."""
    seconds = get_iteration(json)
    return (get(json, "globalBatch") or 0) / seconds if seconds else None


def get_time_error(json):
    """Return the relative error of times of such jobs."""
    validation = get(json, "runs/0/validation")
    if validation is None:
        return None
    error = get(validation, "error90")
    return "not validated" if error is None else error


def get_gpus_of_replica(json):
    """Return the GPUs of a replica."""
    parts, stages = get(json, "plan/tensorParallel"), get(json, "plan/pipelineParallel")
    return None if parts is None or stages is None else parts * stages


def get_hours(json):
    """Return the hours until the model has its target."""
    seconds = get(json, "runs/0/toTarget/seconds")
    return seconds / 3600 if seconds else None


# The columns after the options and the error, each with a path in the JSON of a run or a function
RESULTS = {
    "plan_replicas": "plan/dataParallel",
    "plan_replica_gpus": get_gpus_of_replica,
    "plan_tp": "plan/tensorParallel",
    "plan_pp": "plan/pipelineParallel",
    "plan_ep": "plan/expertParallel",
    "plan_virtual_stages": "plan/virtualStages",
    "plan_microbatches": "plan/microbatches",
    "plan_recompute": "plan/recomputation",
    "plan_sequence_parallel": "plan/sequenceParallel",
    "plan_zero": "plan/zeroStage",
    "plan_bucket_bytes": "plan/bucketBytes",
    "plan_tensor_algorithm": "plan/tensorAlgorithm",
    "plan_tensor_rings": "plan/tensorRings",
    "plan_data_algorithm": "plan/dataAlgorithm",
    "plan_data_rings": "plan/dataRings",
    "plan_cuts": "plan/cuts",
    "plan_degree": "plan/degree",
    "plan_phase_circuits": "plan/phaseCircuits",
    "plan_simulated_gpus": "plan/simulatedGpus",
    "plan_memory_bytes": "plan/memoryBytesPerGpu",
    "plan_parameter_bytes": "plan/memory/parameterBytes",
    "plan_gradient_bytes": "plan/memory/gradientBytes",
    "plan_optimizer_bytes": "plan/memory/optimizerBytes",
    "plan_activation_bytes": "plan/memory/activationBytes",
    "predicted_s": "plan/predictedIterationSeconds",
    "iteration_s": get_iteration,
    "first_s": "runs/0/iterationSeconds/0",
    "time_error": get_time_error,
    "compute_s": "runs/0/computeSeconds",
    "bubble_s": "runs/0/bubbleSeconds",
    "exposed_s": "runs/0/exposedCommunicationSeconds",
    "dark_s": "runs/0/darkSeconds",
    "reconfigurations": "runs/0/reconfigurations",
    "lightpaths": "runs/0/lightpaths",
    "sent_bytes": "runs/0/bytesSent",
    "feasible": "runs/0/feasible",
    "light_hops": "runs/0/light/hops",
    "light_amplifiers": "runs/0/light/amplifiers",
    "light_margin_db": "runs/0/light/marginDb",
    "light_fault": "runs/0/light/fault",
    "light_remedy": "runs/0/light/remedy",
    "samples_per_s": get_rate,
    "target": "runs/0/toTarget/target",
    "target_extrapolated": "runs/0/toTarget/extrapolated",
    "target_fitted": "runs/0/toTarget/fitted",
    "samples_to_target": "runs/0/toTarget/samples",
    "iterations_to_target": "runs/0/toTarget/iterations",
    "to_target_s": "runs/0/toTarget/seconds",
    "to_target_h": get_hours,
}

# With --explain
BOUND = {"bound_s": "plan/bound/seconds", "bound_gap": "plan/bound/gap"}

# With --cost
COST = {
    "network_w": "runs/0/cost/networkWatts",
    "network_dollars": "runs/0/cost/networkDollars",
    "network_joules": "runs/0/cost/networkJoulesPerIteration",
    "iteration_joules": "runs/0/cost/joulesPerIteration",
    "iteration_dollars": "runs/0/cost/dollarsPerIteration",
}

# With --measure
MEASURE = {
    "planning_wall_s": "plan/planning/wallSeconds",
    "planning_peak_bytes": "plan/planning/peakMemoryBytes",
    "simulation_events": "runs/0/events",
    "simulation_wall_s": "runs/0/wallSeconds",
    "simulation_peak_bytes": "runs/0/peakMemoryBytes",
}


def write(value):
    """Return a value of JSON as a field: numbers with all digits, lists with spaces between items."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return " ".join(map(write, value))
    return str(value)


def make_table(options, rows, has_labels, has_measures):
    """Return a table as CSV with the quotes of RFC 4180.

    The options are names of columns; a row is a label, a run, its result and its refusal.
    """
    columns = dict(RESULTS)
    for asked, more in (("explain" in options, BOUND), ("cost" in options, COST), (has_measures, MEASURE)):
        columns.update(more if asked else {})
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow((["sweep"] if has_labels else []) + options + ["error", *columns])
    for label, run, result, refusal in rows:
        results = [place(result) if callable(place) else get(result, place) for place in columns.values()]
        values = [run.get_value(name) for name in options] + [refusal, *map(write, results)]
        table.writerow(([label] if has_labels else []) + values)
    return text.getvalue()
