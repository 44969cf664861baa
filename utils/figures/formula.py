"""Data parallelism of the released simulator of SiP-ML beside its formula."""

from ratios import percent

# Compute times of an iteration in seconds, and bytes of weights, as in its configuration
COMPUTE = {"resnet50": 39.321e-3, "transformer": 11.264e-3, "gpt2-355m": 228.4e-3}
WEIGHTS = {"resnet50": 250e6, "transformer": 700e6, "gpt2-355m": 68e8}


def get_formula_cells(rows):
    """Returns the rows of a table: the compute time and twice the weights over the rate, and what is simulated."""
    cells = []
    for model, compute in COMPUTE.items():
        path = f"examples/models/{model}-data-parallel.json"
        for rate, seconds in rows.curve("check/data-parallel", "bandwidth", model=path):
            wanted = compute + 2 * WEIGHTS[model] * 8 / rate
            times = (f"{1e3 * each:.2f} ms" for each in (wanted, seconds))
            cells.append((model, f"{rate / 1e9:g} Gb/s", *times, percent(seconds / wanted)))
    return cells
