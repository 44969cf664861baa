"""The figures: which series are drawn how."""

from cases import BIG, RING_HOPS, TITLES
from manual import read_table
from plots import Panel, Plot
from rows import get_minutes, get_seconds

# Minutes to train on clusters of V100 GPUs by GPUs: MLPerf Training 0.6, as submitted by NVIDIA
MLPERF = {
    "resnet50": [(8, 115.22), (16, 57.87), (512, 2.59), (1536, 1.33)],
    BIG: [(8, 20.34), (16, 11.04), (160, 2.41), (480, 1.59)],
}

PUBLISHED = [
    ("SiP-Ring", "ring-once"),
    ("SiP-Ring, decisions each 100 µs", "ring-published"),
    ("SiP-OCS", "switches-published"),
    ("ideal electrical", "electrical-published"),
    ("8-GPU servers, 400 Gb/s", "servers-400-published"),
    ("8-GPU servers, 200 Gb/s", "servers-200-published"),
    ("data parallel only", "data-parallel"),
]
SEARCHED = [
    ("SiP-Ring, search", "ring-search"),
    ("SiP-OCS, search", "switches-search"),
    ("electrical, search", "electrical-search"),
]
OURS = [
    ("SiP-Ring, all transfers", "ring-ours"),
    ("SiP-OCS, all transfers", "switches-ours"),
    ("electrical, all transfers", "electrical-ours"),
]


def in_terabits(points):
    """Returns points with bit/s made Tb/s."""
    return [(x / 1e12, y) for x, y in points]


def get_models(rows, series):
    """Returns the models of a series in the order of the titles."""
    return [model for model in TITLES if rows.find(series, model=model)]


def to_milliseconds(row):
    """Returns the iteration time in milliseconds."""
    seconds = get_seconds(row)
    return None if seconds is None else 1e3 * seconds


def draw_scaling(rows):
    """Throughput and time to accuracy against GPUs under weak scaling."""
    models = get_models(rows, "scaling/data-parallel")
    speed = []
    time = []
    for model in models:
        points = rows.curve(
            "scaling/data-parallel",
            "gpus",
            lambda row: float(row["batch"]) / get_seconds(row),
            model=model,
        )
        speed.append((f"{TITLES[model]}, simulated", [(x, y / points[0][1]) for x, y in points]))
        minutes = rows.curve("scaling/data-parallel", "gpus", get_minutes, model=model)
        time.append((f"{TITLES[model]}, simulated", minutes))
        time.append((f"{TITLES[model]}, MLPerf 0.6", MLPERF[model]))
    return Plot(
        "scaling",
        "GPUs",
        "",
        [
            Panel("throughput relative to 8 GPUs", speed),
            Panel("time to accuracy (minutes)", time),
        ],
    )


def draw_bandwidth(rows):
    """Time to accuracy against the rate of a GPU, by the published rules."""
    panels = []
    for model in get_models(rows, "bandwidth/data-parallel"):
        curves = []
        for name, series in PUBLISHED:
            option = "serverRate" if series.startswith("servers") else "bandwidth"
            points = rows.curve(f"bandwidth/{series}", option, get_minutes, model=model)
            curves.append((name, [(x, y) for x, y in in_terabits(points) if x >= 0.4]))
        panels.append(Panel(TITLES[model], curves))
    return Plot("bandwidth", "rate of a GPU (Tb/s)", "time to accuracy (minutes)", panels)


def draw_bandwidth_ours(rows):
    """The same with all transfers that operators need, and planned anew."""
    panels = []
    for model in get_models(rows, "bandwidth/data-parallel"):
        curves = []
        for name, series in OURS + SEARCHED + PUBLISHED[-1:]:
            points = rows.curve(f"bandwidth/{series}", "bandwidth", get_minutes, model=model)
            curves.append((name, in_terabits(points)))
        panels.append(Panel(TITLES[model], curves))
    return Plot("bandwidth-ours", "rate of a GPU (Tb/s)", "time to accuracy (minutes)", panels)


def draw_hybrid(rows):
    """How many times as long data parallelism alone takes."""
    panels = []
    for model in get_models(rows, "bandwidth/data-parallel"):
        alone = dict(rows.curve("bandwidth/data-parallel", "bandwidth", model=model))
        curves = []
        for name, series in PUBLISHED[:4] + SEARCHED:
            points = rows.curve(f"bandwidth/{series}", "bandwidth", model=model)
            curves.append((name, [(x / 1e12, alone[x] / y) for x, y in points if x in alone]))
        panels.append(Panel(TITLES[model], curves))
    return Plot("hybrid", "rate of a GPU (Tb/s)", "data parallel only / hybrid", panels, "x")


def draw_delay(rows):
    """Iteration time against the switching delay."""
    panels = []
    for model in get_models(rows, "delay/phase-ours"):
        curves = []
        for name, series in (
            ("max-demand, each 5 delays", "max-demand-ours"),
            ("max-min, each 5 delays", "max-min-ours"),
            ("once for each phase", "phase-ours"),
        ):
            points = rows.curve(f"delay/{series}", "reconfigurationDelay", to_milliseconds, model=model)
            curves.append((name, [(1e6 * x, y) for x, y in points]))
        ends = [curves[0][1][0][0], curves[0][1][-1][0]]
        for name, series in (("once", "once-ours"), ("ideal electrical", "electrical-ours")):
            seconds = rows.seconds(f"delay/{series}", model=model)
            curves.append((name, [(x, 1e3 * seconds) for x in ends]))
        panels.append(Panel(TITLES[model], curves))
    return Plot("delay", "switching delay (µs)", "iteration (ms)", panels)


def draw_degree(rows):
    """Iteration time against the circuits of a GPU."""
    return _draw_counts(rows, "degree", "switches", "circuits of a GPU")


def draw_wavelengths(rows):
    """Iteration time against the wavelengths of a GPU on the ring."""
    return _draw_counts(rows, "wavelengths", "wavelengthRate", "wavelengths of a GPU", 2e12)


def _draw_counts(rows, figure, option, label, over=None):
    panels = []
    for model in get_models(rows, f"{figure}/published"):
        curves = []
        for name, series in (("published rules", "published"), ("all transfers", "ours")):
            points = rows.curve(f"{figure}/{series}", option, to_milliseconds, model=model)
            curves.append((name, sorted((over / x if over else x, y) for x, y in points)))
        panels.append(Panel(TITLES[model], curves))
    return Plot(figure, label, "iteration (ms)", panels, "y" if over is None else "xy")


def draw_scale(rows):
    """Iteration time against the number of GPUs."""
    panels = []
    for model in get_models(rows, "scale/ring-published"):
        curves = []
        for name, series in PUBLISHED[:4] + OURS:
            points = rows.curve(f"scale/{series}", "gpus", to_milliseconds, model=model)
            curves.append((name, points))
        panels.append(Panel(TITLES[model], curves))
    return Plot("scale", "GPUs", "iteration (ms)", panels)


def draw_strong(rows):
    """Iteration time of one batch against the number of GPUs."""
    panels = []
    for model in get_models(rows, "strong/switches-search"):
        curves = []
        for name, series in (
            ("data parallel, SiP-OCS", "switches-data-parallel"),
            ("data parallel, servers", "servers-data-parallel"),
            ("published rules, SiP-OCS", "switches-published"),
            ("search, SiP-Ring", "ring-search"),
            ("search, SiP-OCS", "switches-search"),
            ("search, electrical", "electrical-search"),
            ("search, servers", "servers-search"),
        ):
            curves.append((name, rows.curve(f"strong/{series}", "gpus", to_milliseconds, model=model)))
        panels.append(Panel(f"{TITLES[model]}, batch of 1024", curves))
    return Plot("strong", "GPUs", "iteration (ms)", panels)


def draw_batch(rows):
    """Time to accuracy against the batch."""
    panels = []
    for model in get_models(rows, "batch/electrical-data-parallel"):
        curves = []
        for name, series in (
            ("data parallel, electrical", "electrical-data-parallel"),
            ("search, SiP-Ring", "ring-search"),
            ("search, SiP-OCS", "switches-search"),
            ("search, electrical", "electrical-search"),
            ("search, servers", "servers-search"),
        ):
            curves.append((name, rows.curve(f"batch/{series}", "batch", get_minutes, model=model)))
        panels.append(Panel(TITLES[model], curves))
    return Plot("batch", "samples of a batch", "time to accuracy (minutes)", panels)


def draw_planners(rows):
    """How many times as long the plan of SiP-ML takes as that of the search."""
    panels = []
    for model in get_models(rows, "planners/ring-search"):
        curves = []
        for name, fabric in (
            ("SiP-Ring", "ring"),
            ("SiP-OCS", "switches"),
            ("ideal electrical", "electrical"),
            ("8-GPU servers, 400 Gb/s", "servers"),
        ):
            option = "serverRate" if fabric == "servers" else "bandwidth"
            found = dict(rows.curve(f"planners/{fabric}-search", option, model=model))
            points = rows.curve(f"planners/{fabric}-sip-ml", option, model=model)
            curves.append((name, [(x / 1e12, y / found[x]) for x, y in points if x in found]))
        panels.append(Panel(TITLES[model], curves))
    return Plot("planners", "rate of a GPU (Tb/s)", "SiP-ML / search", panels, "x")


def draw_reach(_):
    """How far light goes on a ring, from the table of the manual."""
    rows = read_table("optical-layer.rst", "wavelengths of a fibre")
    curves = []
    for name, head in (("without amplifiers", "hops"), ("with amplifiers", "hops with amplifiers")):
        points = [(int(row["wavelengths of a fibre"]), int(row[head])) for row in rows]
        curves.append((name, [(x, y) for x, y in points if y > 0]))
    ends = [int(rows[i]["wavelengths of a fibre"]) for i in (0, -1)]
    curves.append(("window of the SiP-ML planner", [(x, RING_HOPS) for x in ends]))
    return Plot("reach", "wavelengths of a fibre", "hops", [Panel("reach of SiP-Ring", curves)])


def draw_averages(_):
    """How many averages of OptINC are wrong, from the table of the manual."""
    rows = read_table("optical-layer.rst", "servers")
    curves = []
    for name in ("averages", "digits", "means"):
        points = [(int(row["servers"]), float(row[name])) for row in rows]
        curves.append((name, [(x, y) for x, y in points if y > 1e-12]))
    curves.append(("limit", [(int(rows[i]["servers"]), 1e-3) for i in (0, -1)]))
    return Plot("averages", "servers", "share that is wrong", [Panel("errors of OptINC", curves)])


DRAWINGS = [
    draw_reach,
    draw_averages,
    draw_scaling,
    draw_bandwidth,
    draw_bandwidth_ours,
    draw_hybrid,
    draw_delay,
    draw_degree,
    draw_wavelengths,
    draw_scale,
    draw_planners,
    draw_strong,
    draw_batch,
]
