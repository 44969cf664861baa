"""Fits the figures of an accelerator file to measured times of operators, in plain Python.

The model is that of the module: an operator takes the longer of arithmetic, FLOP / rate + ramp, and memory traffic,
bytes / rate + ramp, and then the time of a launch.
"""

import json
import math

# Figures of the network, which one GPU alone cannot measure: those of data/accelerators/H100.json
NETWORK = {"serverLatencySeconds": 1.9e-6, "networkLatencySeconds": 4e-6, "collectiveLatencySeconds": 14e-6}

# Above this share of its time, memory traffic may be what an operator waits for
MEMORY_BOUND = 0.6

# Copies of a smaller share of the bytes of the largest one may stay in a cache
CACHED = 8

PEAKS = {
    "half": "halfFlopsPerSecond",
    "fp8": "fp8FlopsPerSecond",
    "tf32": "tf32FlopsPerSecond",
    "fp32": "fp32FlopsPerSecond",
}


def fit_line(points, intercept=None):
    """Return slope and intercept, 0 or more, of seconds over sizes, with the least sum of relative errors; outliers
    count little. A given intercept stays."""
    slope, start = get_median([t / x for x, t in points]), intercept or 0.0
    for _ in range(60):
        weights = []
        for x, t in points:
            error = abs((slope * x + start) / t - 1)
            # The sum of absolute errors, by squares whose weights follow the errors
            weights.append(1 / (t * t * max(error, 1e-3)))
        total = sum(weights)
        if intercept is None:
            mean_x = sum(w * x for w, (x, _) in zip(weights, points)) / total
            mean_t = sum(w * t for w, (_, t) in zip(weights, points)) / total
            spread = sum(w * (x - mean_x) ** 2 for w, (x, _) in zip(weights, points))
            new = sum(w * (x - mean_x) * (t - mean_t) for w, (x, t) in zip(weights, points)) / spread if spread else 0
            start = mean_t - new * mean_x
        if intercept is not None or start < 0 or new <= 0:
            start = intercept or 0.0
            above = sum(w * x * (t - start) for w, (x, t) in zip(weights, points))
            new = above / sum(w * x * x for w, (x, _) in zip(weights, points))
        # An intercept above all times leaves no slope
        slope = new if new > 0 else min(t / x for x, t in points)
    return slope, start


def get_median(values):
    """Return the median of numbers."""
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def choose(samples, *kinds, **wanted):
    """Return the samples of some kinds with some values."""
    return [s for s in samples if s["kind"] in kinds and all(s.get(key) == value for key, value in wanted.items())]


def get_rates(samples, launch, byte_seconds, kind, precision, ramp=None):
    """Return the rate and the ramp of the arithmetic of operators that do not wait for the memory; None without."""
    points = [
        (s["flops"], s["seconds"])
        for s in choose(samples, kind, precision=precision)
        if s["bytes"] * byte_seconds < MEMORY_BOUND * s["seconds"]
    ]
    if not points or (ramp is None and len(points) < 3):
        return None
    slope, start = fit_line(points, None if ramp is None else ramp + launch)
    return 1 / slope, max(start - launch, 0)


def fit(samples):
    """Return groups of figures, by confidence, that samples give; a missing kind is a ValueError."""
    launches = choose(samples, "launch")
    copies = choose(samples, "copy", "norm")
    if not launches or len(copies) < 3:
        raise ValueError("There are too few samples: the launch, and three copies at least, must have been measured")
    launch = get_median([s["seconds"] for s in launches])
    # Caches answer small copies
    largest = max(s["bytes"] for s in copies)
    lines = [(s["bytes"], s["seconds"]) for s in copies if s["bytes"] >= largest / CACHED]
    byte_seconds, start = fit_line(lines)
    memory_ramp = max(start - launch, 0)
    measured = {"memoryBytesPerSecond": max(1 / byte_seconds, *(x / t for x, t in lines))}
    fitted = {
        "memoryEfficiency": 1 / byte_seconds / measured["memoryBytesPerSecond"],
        "memoryRampSeconds": memory_ramp,
        "launchSeconds": launch,
    }
    half = get_rates(samples, launch, byte_seconds, "product", "half")
    if half is None:
        raise ValueError("There are too few samples: three products in half precision at least must be larger")
    fitted["productRampSeconds"] = half[1]
    for precision, key in PEAKS.items():
        rates = get_rates(samples, launch, byte_seconds, "product", precision, None if precision == "half" else half[1])
        if rates is None:
            continue
        products = choose(samples, "product", precision=precision)
        measured[key] = max(rates[0], *(s["flops"] / s["seconds"] for s in products))
        name = {"half": "half", "fp8": "fp8", "tf32": "single"}.get(precision)
        if precision == "fp32" and "tf32FlopsPerSecond" not in measured:
            name = "single"
        if name:
            fitted[f"{name}MatmulEfficiency"] = rates[0] / measured[key]
            attention = get_rates(samples, launch, byte_seconds, "attention", name, half[1])
            share = attention[0] / measured[key] if attention else fitted[f"{name}MatmulEfficiency"]
            fitted[f"{name}AttentionEfficiency"] = share
            convolution = get_rates(samples, launch, byte_seconds, "convolution", name)
            if name == "half":
                fitted["convolutionRampSeconds"] = convolution[1] if convolution else half[1]
            share = convolution[0] / measured[key] if convolution else fitted[f"{name}MatmulEfficiency"]
            fitted[f"{name}ConvolutionEfficiency"] = share
    measured["vectorFlopsPerSecond"] = measured.get("fp32FlopsPerSecond", measured["halfFlopsPerSecond"])
    fitted["vectorEfficiency"] = 0.6
    fitted.update(fit_experts({**measured, **fitted}, samples))
    return {"measured": measured, "fitted": fitted}


def fit_experts(figures, samples):
    """Return the figures of rows in another order and of products of experts, if they were measured."""
    peak, launch = figures["memoryBytesPerSecond"], figures["launchSeconds"]
    fitted = {}
    shares = [s["bytes"] / max(s["seconds"] - launch, 1e-9) / peak for s in choose(samples, "permute")]
    if shares:
        fitted["gatherEfficiency"] = min(get_median(shares), 1)
    rate = figures["halfFlopsPerSecond"] * figures["halfMatmulEfficiency"]
    ramps = []
    for sample in choose(samples, "grouped"):
        traffic = sample["bytes"] / (peak * figures["memoryEfficiency"])
        rest = sample["seconds"] - sample["flops"] / rate - traffic - launch
        ramps.append(rest / int(sample["shape"].split(" ")[0]))
    # Where noise hides it, the usual one stays
    if ramps and get_median(ramps) > 0:
        fitted["expertRampSeconds"] = get_median(ramps)
    return fitted


def describe_others(figures, samples):
    """Return words on kinds of operators that have no figure of their own."""
    peak = figures["memoryBytesPerSecond"]
    words = []
    for kind, text in (
        ("few rows", "products of few rows"),
        ("optimiser", "the optimiser"),
        ("norm", "a normalisation"),
        ("cast", "a cast"),
    ):
        shares = [s["bytes"] / s["seconds"] / peak for s in choose(samples, kind)]
        if shares:
            share = f"{100 * get_median(shares):.0f} % of the peak of the memory"
            words.append(f"{text}: {share}, with its launch (median of {len(shares)})")
    return words


def predict(figures, sample):
    """Return the seconds that the figures give for a sample."""
    if sample["kind"] == "launch":
        return figures["launchSeconds"]
    seconds = 0
    if sample["kind"] in ("product", "attention", "convolution"):
        peak = figures[PEAKS[{"single": "tf32"}.get(sample["precision"], sample["precision"])]]
        names = {"tf32": "single", "fp32": "single"}
        name = names.get(sample["precision"], sample["precision"])
        what = {"product": "Matmul", "attention": "Attention", "convolution": "Convolution"}[sample["kind"]]
        ramp = figures["convolutionRampSeconds" if what == "Convolution" else "productRampSeconds"]
        seconds = sample["flops"] / (peak * figures.get(f"{name}{what}Efficiency", 1)) + ramp
    rate = figures["memoryBytesPerSecond"] * figures["memoryEfficiency"]
    return max(seconds, sample["bytes"] / rate + figures["memoryRampSeconds"]) + figures["launchSeconds"]


def get_errors(figures, samples):
    """Return the median and the largest relative error of the figures, by kind and precision."""
    errors = {}
    for sample in samples:
        try:
            error = predict(figures, sample) / sample["seconds"] - 1
        except KeyError:
            continue
        errors.setdefault((sample["kind"], sample.get("precision", "")), []).append(error)
    return {
        key: (get_median(values), max(values, key=abs), len(values))
        for key, values in sorted(errors.items())
    }


def round_figure(value):
    """Return a figure with four digits."""
    return float(f"{value:.4g}") if value and math.isfinite(value) else 0


def write_file(path, name, groups, memory_gib, provenance):
    """Write an accelerator file with groups of figures."""
    figures = [
        {
            "confidence": confidence,
            "source": source,
            "values": {key: round_figure(value) for key, value in groups[confidence].items()},
        }
        for confidence, source in (
            ("measured", "Largest rate of an operator that utils/measure-operators.py has run"),
            ("fitted", "Fitted by utils/measure-operators.py to operators that it has run"),
        )
    ]
    vector = figures[1]["values"].pop("vectorEfficiency")
    figures.append({"confidence": "measured", "source": "Memory that the driver reports",
                    "values": {"memoryGib": memory_gib}})
    figures.append({"confidence": "assumed", "source": "Chosen by hand, as for H100",
                    "values": {"vectorEfficiency": vector}})
    figures.append({"confidence": "assumed", "source": "A single GPU: no link to others was measured. Latencies as for H100",
                    "values": {"serverGpus": 1, **NETWORK}})
    document = {
        "format": "lightpath-accelerator",
        "version": 1,
        "name": name,
        "description": f"{provenance['device']}, measured",
        "provenance": provenance,
        "figures": figures,
    }
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(document, indent=2) + "\n")
