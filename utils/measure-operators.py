#!/usr/bin/python3
"""Measures the operators of a GPU, and writes an accelerator file that --accelerator=FILE reads.

usage: utils/measure-operators.py [--out=FILE] [--name=NAME] [--samples=FILE] [--seconds=240] [--cpu]

Needs PyTorch and a GPU of NVIDIA or AMD. With --cpu it measures the processor, to try the script out.
"""

import datetime
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import study
from measuring import fit

try:
    import torch
    from torch.nn import functional
except ImportError:
    torch = None

GIB = 2**30

# Rows, depth and columns of products: squares, and those of transformers of 8, 70 and 405 billion parameters
PRODUCTS = [(size, size, size) for size in (256, 512, 1024, 2048, 4096, 8192, 12288, 16384)] + [
    (4096, 4096, 6144), (4096, 4096, 28672), (4096, 14336, 4096), (2048, 8192, 10240), (4096, 8192, 57344),
    (4096, 28672, 8192), (8192, 8192, 8192), (4096, 16384, 13312), (1024, 4096, 4096), (512, 8192, 8192),
]
SMALL_PRODUCTS = [(size, size, size) for size in (64, 128, 256, 384, 512)]

# Rows of products that the memory limits, of 8192 x 8192 and 8192 x 28672
FEW_ROWS = (1, 4, 16, 64)

# Experts, rows of each, depth and columns of grouped products
GROUPS = [(8, 1024, 4096, 14336), (8, 4096, 4096, 2048), (32, 256, 7168, 2048), (64, 64, 2048, 768)]

# Sequences, heads, tokens and elements of a head of attentions
ATTENTIONS = [(8, 32, 1024, 128), (4, 32, 2048, 128), (2, 32, 4096, 128), (1, 32, 8192, 128), (1, 64, 8192, 128)]

# Images, channels, height, filters and their width of convolutions
CONVOLUTIONS = [(128, 64, 56, 64, 1), (128, 128, 28, 128, 3), (128, 256, 14, 256, 3), (128, 512, 7, 512, 3),
                (128, 64, 56, 64, 3), (128, 256, 56, 64, 1)]


class Clock:
    """Times functions on a device until the time that all of them have is used up."""

    def __init__(self, device, seconds):
        self.device = device
        self.end = time.monotonic() + seconds
        self.samples = []
        self.skipped = {}

    def synchronise(self):
        """Wait for the device."""
        if self.device == "cuda":
            torch.cuda.synchronize()

    def run(self, work, times):
        """Return the seconds of each of some calls in a row."""
        if self.device == "cuda":
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            for _ in range(times):
                work()
            end.record()
            torch.cuda.synchronize()
            return begin.elapsed_time(end) / 1000 / times
        begin = time.perf_counter()
        for _ in range(times):
            work()
        return (time.perf_counter() - begin) / times

    def add(self, kind, make, flops=0, moved=0, **values):
        """Measure what make() returns, a function without arguments; note why, if the device cannot do it."""
        label = " ".join([kind, *map(str, values.values())])
        if time.monotonic() > self.end:
            self.skipped[label] = "no time is left"
            return
        try:
            work = make()
            work()
            self.synchronise()
            once = self.run(work, 1)
            times = max(1, min(50, int(0.02 / max(once, 1e-6))))
            # The median of five rounds: clocks of a GPU change
            seconds = fit.get_median([self.run(work, times) for _ in range(5)])
        except (RuntimeError, TypeError, AttributeError, NotImplementedError) as error:
            self.skipped[label] = str(error).strip().split("\n", 1)[0][:120]
            return
        finally:
            work = None
            if self.device == "cuda":
                torch.cuda.empty_cache()
        self.samples.append({"kind": kind, **values, "flops": flops, "bytes": moved, "seconds": seconds})


def get_types(device):
    """Return the numbers of products by the name of their precision."""
    types = {"half": torch.bfloat16, "fp16": torch.float16, "tf32": torch.float32, "fp32": torch.float32}
    if device == "cpu":
        return {"half": torch.bfloat16, "fp32": torch.float32}
    if hasattr(torch, "float8_e4m3fn") and hasattr(torch, "_scaled_mm"):
        types["fp8"] = torch.float8_e4m3fn
    isOld = not torch.version.hip and torch.cuda.get_device_capability()[0] < 8
    if torch.version.hip or isOld:
        del types["tf32"]
    if isOld:
        types["half"] = torch.float16
    return types


def make_product(rows, depth, columns, kind, device):
    """Return a function that multiplies two matrices."""
    if kind == getattr(torch, "float8_e4m3fn", None):
        one = torch.ones((), device=device)
        left = torch.randn(rows, depth, device=device).to(kind)
        right = torch.randn(columns, depth, device=device).to(kind).t()
        return lambda: torch._scaled_mm(left, right, scale_a=one, scale_b=one, out_dtype=torch.bfloat16)
    left, right = torch.randn(rows, depth, device=device).to(kind), torch.randn(depth, columns, device=device).to(kind)
    return lambda: left @ right


def measure_products(clock, sizes, types):
    """Measure products of many rows, of few rows, and of experts."""
    for precision, kind in types.items():
        torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
        word = torch.empty((), dtype=kind).element_size()
        few = [(rows, 8192, columns) for rows in FEW_ROWS for columns in (8192, 28672)] if len(sizes) > 5 else []
        for rows, depth, columns in sizes + few:
            clock.add(
                "product" if (rows, depth, columns) in sizes else "few rows",
                lambda s=(rows, depth, columns): make_product(*s, kind, clock.device),
                2 * rows * depth * columns,
                word * (rows * depth + depth * columns) + max(word, 2) * rows * columns,
                precision=precision,
                shape=f"{rows} x {depth} x {columns}",
            )
    kind = types["half"]
    for experts, rows, depth, columns in GROUPS if len(sizes) > 5 else [(4, 32, 64, 64)]:

        def make(shape=(experts, rows, depth, columns)):
            count, height, inner, width = shape
            right = torch.randn(count, inner, width, device=clock.device).to(kind)
            if hasattr(torch, "_grouped_mm") and clock.device == "cuda":
                left = torch.randn(count * height, inner, device=clock.device).to(kind)
                ends = torch.arange(1, count + 1, device=clock.device, dtype=torch.int32) * height
                return lambda: torch._grouped_mm(left, right, offs=ends)
            left = torch.randn(count, height, inner, device=clock.device).to(kind)
            return lambda: torch.bmm(left, right)

        clock.add(
            "grouped", make, 2 * experts * rows * depth * columns,
            2 * experts * (rows * depth + depth * columns + rows * columns),
            precision="half", shape=f"{experts} x {rows} x {depth} x {columns}",
        )


def measure_attention(clock, shapes, types):
    """Measure causal attention, forward alone, and forward and backward together."""
    if not hasattr(functional, "scaled_dot_product_attention"):
        clock.skipped["attention"] = f"PyTorch {torch.__version__} has no fused attention"
        return
    for precision, kind in (("half", types["half"]), ("single", torch.float32)):
        for batch, heads, tokens, width in shapes:
            pairs = batch * heads * tokens * (tokens + 1) // 2

            def make(isTraining, shape=(batch, heads, tokens, width), kind=kind):
                factors = [
                    torch.randn(shape, device=clock.device).to(kind).requires_grad_(isTraining) for _ in range(3)
                ]
                if not isTraining:
                    return lambda: functional.scaled_dot_product_attention(*factors, is_causal=True)
                gradient = torch.randn(shape, device=clock.device).to(kind)
                return lambda: torch.autograd.grad(
                    functional.scaled_dot_product_attention(*factors, is_causal=True), factors, gradient
                )

            word = torch.empty((), dtype=kind).element_size()
            elements = batch * heads * tokens * width
            shape = f"{batch} x {heads} x {tokens} x {width}"
            clock.add("attention", lambda m=make: m(False), 4 * width * pairs, 4 * word * elements,
                      precision=precision, shape=shape)
            # Seven products for two: five of them backward
            clock.add("attention backward", lambda m=make: m(True), 14 * width * pairs, 12 * word * elements,
                      precision=precision, shape=shape)


def measure_convolutions(clock, shapes, types):
    """Measure convolutions without stride."""
    for precision, kind in (("half", types["half"]), ("single", torch.float32)):
        torch.backends.cudnn.allow_tf32 = True
        for images, channels, height, filters, width in shapes:

            def make(shape=(images, channels, height, filters, width), kind=kind):
                count, depth, side, outputs, size = shape
                layout = torch.channels_last
                data = torch.randn(count, depth, side, side, device=clock.device).to(kind, memory_format=layout)
                weights = torch.randn(outputs, depth, size, size, device=clock.device).to(kind, memory_format=layout)
                return lambda: functional.conv2d(data, weights, padding=size // 2)

            word = torch.empty((), dtype=kind).element_size()
            pixels = images * height * height
            clock.add("convolution", make, 2 * pixels * channels * filters * width * width,
                      word * (pixels * (channels + filters) + channels * filters * width * width),
                      precision=precision, shape=f"{images} x {channels} x {height} x {filters} x {width}")


def measure_memory(clock, most, types):
    """Measure launches, and operators that move data."""
    device = clock.device
    tiny = torch.zeros(1, device=device)

    def launch():
        for _ in range(100):
            tiny.add_(1)

    clock.add("launches", lambda: launch)
    if clock.samples and clock.samples[-1]["kind"] == "launches":
        clock.samples[-1].update(kind="launch", seconds=clock.samples[-1]["seconds"] / 100)
    size = 2**16
    while size <= most:
        source = torch.empty(size // 2, dtype=torch.int16, device=device)
        target = torch.empty_like(source)
        clock.add("copy", lambda s=source, t=target: lambda: t.copy_(s), 0, 2 * size)
        size *= 4
    del source, target
    for rows, width in ((4096, 4096), (8192, 8192), (16384, 8192)) if most > GIB // 2 else ((64, 256), (256, 256)):
        moved = 2 * 2 * rows * width

        def make(kind, rows=rows, width=width):
            data = torch.randn(rows, width, device=device).to(types["half"])
            if kind == "norm":
                weights = torch.ones(width, device=device, dtype=types["half"])
                return lambda: functional.layer_norm(data, (width,), weights, weights)
            if kind == "permute":
                order = torch.randperm(rows, device=device)
                return lambda: data.index_select(0, order)
            number = getattr(torch, "float8_e4m3fn", torch.float32)
            return lambda: data.to(number)

        for kind in ("norm", "permute", "cast"):
            clock.add(kind, lambda m=make, k=kind: m(k), 0, moved if kind != "cast" else moved * 3 // 4, shape=f"{rows} x {width}")
    count = min(most // 16, 2**27)

    def make_optimiser():
        parameters = [torch.zeros(count // 8, device=device, requires_grad=True) for _ in range(8)]
        for parameter in parameters:
            parameter.grad = torch.ones_like(parameter)
        options = {"fused": True} if device == "cuda" else {}
        return torch.optim.AdamW(parameters, **options).step

    # Reads parameters, gradients and two moments, and writes all but the gradients
    clock.add("optimiser", make_optimiser, 0, 7 * 4 * count)


def get_provenance(device, seconds):
    """Return what was measured, when, and with what."""
    values = {"date": datetime.date.today().isoformat(), "program": "utils/measure-operators.py",
              "torch": torch.__version__, "seconds": str(round(seconds))}
    if device == "cpu":
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            found = re.search(r"model name\s*:\s*(.+)", file.read())
        return {"device": found.group(1).strip() if found else "a processor", **values, "runtime": "CPU"}
    runtime = f"ROCm {torch.version.hip}" if torch.version.hip else f"CUDA {torch.version.cuda}"
    query = ["nvidia-smi", "--query-gpu=driver_version,clocks.max.sm,power.limit", "--format=csv,noheader", "--id=0"]
    try:
        driver = subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        driver = "not known"
    return {"device": torch.cuda.get_device_name(), **values, "runtime": runtime, "driver": driver}


def measure(device, seconds):
    """Return a clock with samples of all kinds, the small ones first."""
    clock = Clock(device, seconds)
    types = get_types(device)
    isFast = device == "cuda"
    memory = torch.cuda.get_device_properties(0).total_memory if isFast else 2**30
    measure_memory(clock, min(2**30, memory // 16) if isFast else 2**24, types)
    measure_attention(clock, ATTENTIONS if isFast else [(1, 2, 64, 32), (1, 2, 128, 32), (1, 4, 256, 32)], types)
    measure_products(clock, PRODUCTS if isFast else SMALL_PRODUCTS, types)
    measure_convolutions(clock, CONVOLUTIONS if isFast else [(2, 16, 14, 16, 3), (4, 32, 14, 32, 3)], types)
    return clock, int(memory // GIB)


def main():
    """Measure, fit, and write the file."""
    parser = study.Parser(description=__doc__.split("\n", 1)[0], allow_abbrev=False)
    parser.add_argument("--out", help="accelerator file to write; default: NAME.json")
    parser.add_argument("--name", help="name of the accelerator; default: that of the device")
    parser.add_argument("--samples", help="file for the measured times, as JSON")
    parser.add_argument("--seconds", type=float, default=240, help="most seconds to measure for; default 240")
    parser.add_argument("--cpu", action="store_true", help="measure the processor, to try the script out")
    options = parser.parse_args()
    if torch is None:
        raise ValueError("PyTorch is missing: install it with 'pip install torch' or 'apt-get install python3-torch'")
    if not options.cpu and not torch.cuda.is_available():
        raise ValueError("There is no GPU that PyTorch can use: run this where there is one, or try it out with --cpu")
    if not 1 <= options.seconds <= 3600:
        raise ValueError(f"--seconds={options.seconds:g} must be a number from 1 to 3600")
    device = "cpu" if options.cpu else "cuda"
    begin = time.monotonic()
    clock, gib = measure(device, options.seconds)
    provenance = get_provenance(device, time.monotonic() - begin)
    name = options.name or re.sub("[^A-Za-z0-9.]+", "-", provenance["device"]).strip("-")
    if options.samples:
        study.write_json({**provenance, "samples": clock.samples, "skipped": clock.skipped}, options.samples)
    groups = fit.fit(clock.samples)
    path = options.out or f"{name}.json"
    fit.write_file(path, name, groups, gib, provenance)
    for (kind, precision), (median, largest, count) in fit.get_errors(
        {**groups["measured"], **groups["fitted"]}, clock.samples
    ).items():
        words = f"{kind}{', ' + precision if precision else ''}"
        print(f"{words}: {count} times, the fit is off by {100 * median:+.0f} % (median), {100 * largest:+.0f} % at most")
    for words in fit.describe_others({**groups["measured"], **groups["fitted"]}, clock.samples):
        print(words)
    for label, reason in clock.skipped.items():
        print(f"not measured: {label}: {reason}")
    print(f"{path}: {len(clock.samples)} operators of {provenance['device']} in {provenance['seconds']} s")


if __name__ == "__main__":
    study.end(main, "measure-operators.py")
