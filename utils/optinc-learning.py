#!/usr/bin/python3
"""Trains networks on four servers that average their gradients by OptINC, for the manual.

usage: utils/optinc-learning.py [--program=PATH] [--seeds=5] [--jobs=N] [--format=table|rst] [--check]

A residual network learns images of clothes, a transformer the next character of a text. Servers
average gradients as floats, or lightpath-optinc-average does as the network between them would: in
words of 8 bits, exactly or by trained meshes with noise of their phases. utils/setup.sh learning
installs PyTorch and the data.
"""

import concurrent.futures
import gzip
import math
import os
import re
import statistics
import subprocess
import sys
import time

# A training has one thread; seeds go side by side
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")

import study

try:
    import numpy as np
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError as error:
    sys.exit(f"optinc-learning.py: {error}: run utils/setup.sh learning")

SERVERS = 4
MANUAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "doc", "optinc-learning-table.rst")
# Kinds of gradients, and the options with which lightpath-optinc-average makes their averages
WAYS = {
    "float": None,
    "8 bits, exact": [],
    "8 bits, half to even": ["--ns3::lightpath::ExactAverager::Rounding=HalfEven"],
    "16 bits, exact": ["--bits=16"],
    "8 bits, meshes": ["--averager=mesh"],
    "meshes, 0.01 rad": ["--averager=mesh", "--phaseNoise=0.01"],
    "meshes, 0.02 rad": ["--averager=mesh", "--phaseNoise=0.02"],
}
HEADS = ["network", "gradients", "loss", "to floats", "accuracy %", "to floats", "wrong words", "verdict"]
# The networks with their data, by their names
TASKS = {}


class Averager:
    """Averages the gradients of all servers, as floats or by the program."""

    def __init__(self, program, options, seed):
        self.words = self.wrong = 0
        self._process = None
        if options is not None:
            self._process = subprocess.Popen(
                [program, f"--servers={SERVERS}", f"--RngRun={seed}", *options],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )

    def average(self, gradients):
        """Return the average of some tensors of one dimension."""
        if not self._process:
            return torch.stack(gradients).mean(0)
        count = len(gradients[0])
        self._process.stdin.write(np.uint32(count).tobytes())
        for gradient in gradients:
            self._process.stdin.write(gradient.numpy().tobytes())
        self._process.stdin.flush()
        answer = self._process.stdout.read(4 * count + 4)
        if len(answer) != 4 * count + 4:
            raise ValueError("lightpath-optinc-average has ended: its sentence is above")
        self.words += count
        self.wrong += int.from_bytes(answer[-4:], sys.byteorder)
        return torch.from_numpy(np.frombuffer(answer, np.float32, count).copy())

    def close(self):
        """End the program."""
        if self._process:
            self._process.communicate()


class Residual(nn.Module):
    """Two convolutions beside a path that goes past them."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False),
            nn.BatchNorm2d(outputs),
        )
        self.past = nn.Identity()
        if inputs != outputs:
            self.past = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return functional.relu(self.body(x) + self.past(x))


class Images:
    """Classes of clothes by a residual network, trained by momentum."""

    name = "residual network"
    steps = 500

    def __init__(self):
        folder = "/usr/share/datasets/fashion-mnist"
        self.data = []
        for part in ("train", "t10k"):
            arrays = []
            for kind, start in (("images-idx3", 16), ("labels-idx1", 8)):
                with gzip.open(f"{folder}/{part}-{kind}-ubyte.gz") as file:
                    arrays.append(torch.from_numpy(np.frombuffer(file.read(), np.uint8, offset=start).copy()))
            self.data.append((arrays[0].view(-1, 1, 28, 28).float() / 128 - 1, arrays[1].long()))

    @staticmethod
    def make():
        """Return a network and its optimiser."""
        network = nn.Sequential(
            nn.Conv2d(1, 12, 3, 2, 1, bias=False),
            nn.BatchNorm2d(12),
            nn.ReLU(),
            Residual(12, 12, 1),
            Residual(12, 24, 2),
            Residual(24, 48, 2),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
            nn.Linear(48, 10),
        )
        return network, torch.optim.SGD(network.parameters(), 0.1, momentum=0.9, nesterov=True, weight_decay=5e-4)

    def draw(self, generator):
        """Return a batch of a server: inputs and outputs."""
        images, classes = self.data[0]
        chosen = torch.randint(len(images), (32,), generator=generator)
        return images[chosen], classes[chosen]

    def get_tests(self):
        """Return batches that nothing is learnt from."""
        return zip(*(part.split(1000) for part in self.data[1]))


class Norm(nn.Module):
    """Divides by the root of the mean square (RMSNorm)."""

    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return self.gain * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5)


class Layer(nn.Module):
    """A layer of LLaMA: attention with rotary positions, and a gated feed-forward network."""

    def __init__(self, width, heads, hidden, length):
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList((Norm(width), Norm(width)))
        self.query_key_value = nn.Linear(width, 3 * width, bias=False)
        self.attended = nn.Linear(width, width, bias=False)
        self.gate_up = nn.Linear(width, 2 * hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)
        size = width // heads
        angles = torch.outer(torch.arange(length), 10000 ** (-torch.arange(0, size, 2) / size)).repeat(1, 2)
        self.cosine, self.sine = angles.cos(), angles.sin()
        self.future = torch.full((length, length), -math.inf).triu(1)

    def _turn(self, x):
        first, second = x.chunk(2, -1)
        return x * self.cosine + torch.cat((-second, first), -1) * self.sine

    def forward(self, x):
        parts = self.query_key_value(self.norms[0](x)).chunk(3, -1)
        query, key, value = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in parts)
        scores = self._turn(query) @ self._turn(key).transpose(-1, -2) / math.sqrt(query.shape[-1])
        mixed = (scores + self.future).softmax(-1) @ value
        x = x + self.attended(mixed.transpose(1, 2).flatten(-2))
        gate, up = self.gate_up(self.norms[1](x)).chunk(2, -1)
        return x + self.down(functional.silu(gate) * up)


class Text:
    """The next character of the King James Bible by a transformer, trained by Adam."""

    name = "transformer"
    steps = 500
    length = 64

    def __init__(self):
        command = ["bible", "-l1000", "ge1:1-re22:21"]
        text = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
        codes = {letter: code for code, letter in enumerate(sorted(set(text)))}
        self.kinds = len(codes)
        self.letters = torch.tensor([codes[letter] for letter in text])
        self.end = len(text) * 9 // 10

    def make(self):
        """Return a network and its optimiser."""
        width = 64
        network = nn.Sequential(
            nn.Embedding(self.kinds, width),
            *(Layer(width, 4, 176, self.length) for _ in range(2)),
            Norm(width),
            nn.Linear(width, self.kinds, bias=False),
        )
        nn.init.normal_(network[0].weight, 0, 0.02)
        return network, torch.optim.AdamW(network.parameters(), 4e-3, (0.9, 0.95), weight_decay=0.1)

    def _cut(self, starts):
        places = starts[:, None] + torch.arange(self.length)
        return self.letters[places], self.letters[places + 1]

    def draw(self, generator):
        """Return a batch of a server: inputs and outputs."""
        return self._cut(torch.randint(self.end - self.length, (8,), generator=generator))

    def get_tests(self):
        """Return batches that nothing is learnt from."""
        starts = torch.arange(self.end, len(self.letters) - self.length, 400)
        return map(self._cut, starts.split(100))


def train(task, way, seed, program):
    """Train once; return the loss and the accuracy on the test data, and the share of wrong words."""
    torch.manual_seed(seed)
    network, optimiser = task.make()
    parameters = list(network.parameters())
    generators = [torch.Generator().manual_seed(SERVERS * seed + server) for server in range(SERVERS)]
    averager = Averager(program, WAYS[way], seed)

    def get_gradient(generator):
        inputs, outputs = task.draw(generator)
        loss = functional.cross_entropy(network(inputs).flatten(0, -2), outputs.flatten())
        return torch.cat([part.flatten() for part in torch.autograd.grad(loss, parameters)])

    for step in range(task.steps):
        average = averager.average([get_gradient(generator) for generator in generators])
        for parameter, part in zip(parameters, average.split([each.numel() for each in parameters])):
            parameter.grad = part.view_as(parameter)
        nn.utils.clip_grad_norm_(parameters, 1)
        # Up in 30 steps, and down as a cosine
        share = min((step + 1) / 30, (1 + math.cos(math.pi * step / task.steps)) / 2)
        for group in optimiser.param_groups:
            group["lr"] = optimiser.defaults["lr"] * share
        optimiser.step()
    averager.close()
    network.eval()
    loss = right = count = 0
    with torch.no_grad():
        for inputs, outputs in task.get_tests():
            scores = network(inputs).flatten(0, -2)
            loss += functional.cross_entropy(scores, outputs.flatten(), reduction="sum").item()
            right += (scores.argmax(-1) == outputs.flatten()).sum().item()
            count += outputs.numel()
    return {"loss": loss / count, "accuracy": 100 * right / count, "wrong": averager.wrong / max(averager.words, 1)}


def run(item):
    """Train once, in a process of its own; the data are there since before it began."""
    task, way, seed, program = item
    return train(TASKS[task], way, seed, program)


def get_error(values):
    """Return the standard error of a mean."""
    return statistics.stdev(values) / math.sqrt(len(values))


def format_mean(values, digits, sign=""):
    """Return a mean and its standard error."""
    return f"{statistics.mean(values):{sign}.{digits}f} +- {get_error(values):.{digits}f}"


def compare(values, floats):
    """Return how far a mean is above that of floats, in standard errors of the difference."""
    error = math.hypot(get_error(values), get_error(floats))
    return (statistics.mean(values) - statistics.mean(floats)) / error if error else 0


def judge(results, floats):
    """Return whether a kind of gradients learns as well as floats, within one standard error."""
    if results is floats:
        return "-"
    behind = [compare(results["loss"], floats["loss"]), -compare(results["accuracy"], floats["accuracy"])]
    return "worse" if max(behind) > 1 else "better" if min(behind) < -1 else "parity"


def make_rows(outcomes):
    """Return the rows of the table: words, each in its column."""
    rows = [HEADS]
    for task, ways in outcomes.items():
        for way, results in ways.items():
            floats = ways["float"]
            row = [task, way]
            for key, digits in (("loss", 4), ("accuracy", 2)):
                # A seed draws the same network and the same batches for all kinds
                change = [value - each for value, each in zip(results[key], floats[key])]
                row.append(format_mean(results[key], digits))
                row.append("-" if way == "float" else format_mean(change, digits, "+"))
            row.append("-" if way == "float" else f"{100 * statistics.mean(results['wrong']):.2g} %")
            rows.append([*row, judge(results, floats)])
    return rows


def print_table(rows, is_rst):
    """Print the table."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    rule = ["=" * width for width in widths]
    for row in [rule, rows[0], rule, *rows[1:], rule] if is_rst else rows:
        print("  ".join(word.ljust(width) for word, width in zip(row, widths)).rstrip())


def check(outcomes, rows):
    """Refuse meshes that are not exact, and means beyond three standard errors of the manual's."""
    for task, ways in outcomes.items():
        if ways["8 bits, meshes"] != ways["8 bits, exact"]:
            raise ValueError(f"Meshes without noise are not exact: {task}")
    with open(MANUAL, encoding="utf-8") as file:
        recorded = {tuple(row[:2]): row for row in (re.split("  +", line.strip()) for line in file)}
    for row in rows[1:]:
        for column in (2, 4):
            mean, error = map(float, row[column].split(" +- "))
            manual, spread = map(float, recorded[tuple(row[:2])][column].split(" +- "))
            if abs(mean - manual) > 3 * math.hypot(error, spread):
                raise ValueError(f"{', '.join(row[:2])}: {row[column]}, in the manual {manual} +- {spread}")


def main():
    """Train and report."""
    parser = study.make_parser("Train networks whose gradients OptINC averages.", "lightpath-optinc-average")
    parser.add_argument("--seeds", type=int, default=5, help="trainings of each kind; default: 5")
    parser.add_argument("--format", default="table", help="table, or rst for the manual")
    options = parser.parse_args()
    if not 2 <= options.seeds <= 1000:
        raise ValueError(f"--seeds={options.seeds} must be a number from 2 to 1000: one has no standard error")
    study.check_options(options, ["table", "rst"])
    start = time.monotonic()
    TASKS.update((kind.name, kind()) for kind in (Images, Text))
    items = [
        (task, way, seed, options.program)
        for seed in range(1, options.seeds + 1)
        for task in TASKS
        for way in WAYS
    ]
    torch.set_num_threads(1)
    pool = concurrent.futures.ProcessPoolExecutor
    results = study.run_all(run, items, options.jobs, lambda item: ", ".join(map(str, item[:3])), pool)
    outcomes = {task: {way: {"loss": [], "accuracy": [], "wrong": []} for way in WAYS} for task in TASKS}
    for (task, way, _, _), result in zip(items, results):
        for key, value in result.items():
            outcomes[task][way][key].append(value)
    rows = make_rows(outcomes)
    if options.json != "-":
        print_table(rows, options.format == "rst")
    if options.json:
        study.write_json({"outcomes": outcomes, "wallSeconds": time.monotonic() - start}, options.json)
    if options.check:
        check(outcomes, rows)


if __name__ == "__main__":
    study.end(main, "optinc-learning.py")
