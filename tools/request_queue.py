"""Requests that arrive at GPUs for prefill, and go on to others that decode them in batches which change at each step."""

import bisect
import collections
import csv
import heapq
import random

Request = collections.namedtuple("Request", "arrival prompt output")
# Times in seconds: of the first token, and of the last one
Served = collections.namedtuple("Served", "request first last")


def draw_requests(count, rate, prompt, output, seed):
    """Return requests that arrive at random times, as many a second on average, all of one size."""
    draw = random.Random(seed)
    clock, requests = 0.0, []
    for _ in range(count):
        clock += draw.expovariate(rate)
        requests.append(Request(clock, prompt, output))
    return requests


def read_requests(name):
    """Return the requests of a CSV file with the columns arrival (seconds), prompt and output (tokens)."""
    requests = []
    try:
        with open(name, encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            missing = [column for column in ("arrival", "prompt", "output") if column not in (rows.fieldnames or [])]
            if missing:
                raise ValueError(f"{name} has no column {missing[0]} in line 1, which names the columns")
            for line, row in enumerate(rows, 2):
                try:
                    request = Request(float(row["arrival"]), int(row["prompt"]), int(row["output"]))
                except (KeyError, TypeError, ValueError) as error:
                    raise ValueError(f"{name} has no arrival, prompt and output in line {line}") from error
                if not 0 <= request.arrival < 1e12 or request.prompt < 1 or request.output < 1:
                    raise ValueError(f"{name} has a request in line {line} that begins before 0 or has no tokens")
                requests.append(request)
    except OSError as error:
        raise ValueError(f"The file '{name}' cannot be read") from error
    if not requests:
        raise ValueError(f"{name} has no requests")
    return sorted(requests)


class Curve:
    """A function of one number by points, straight between them and on beyond the last ones."""

    def __init__(self, points):
        self._x, self._y = map(list, zip(*sorted(points)))

    def __call__(self, x):
        """Return the value."""
        if len(self._x) == 1:
            return self._y[0]
        place = min(max(bisect.bisect_left(self._x, x), 1), len(self._x) - 1)
        x0, x1, y0, y1 = *self._x[place - 1 : place + 1], *self._y[place - 1 : place + 1]
        return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


class Surface:
    """A function of two numbers by curves over the second one at some values of the first."""

    def __init__(self, curves):
        self._curves = curves

    def __call__(self, x, y):
        """Return the value."""
        return Curve([(each, curve(y)) for each, curve in self._curves.items()])(x)


def serve(requests, get_prefill, get_transfer, get_step, most):
    """Return the requests as they are served, in the order of their last tokens, and the time that each phase was busy.

    Prompts are processed one after the other, in get_prefill(tokens); keys and values arrive get_transfer(tokens) behind
    the first token. Before each step of get_step(sequences, mean tokens of context), sequences that have arrived join the
    batch, in their order, as long as it has at most some.
    """
    ready, free, prefill_busy = [], 0.0, 0.0
    for request in sorted(requests):
        begin = max(free, request.arrival)
        free = begin + get_prefill(request.prompt)
        prefill_busy += free - begin
        ready.append((free + get_transfer(request.prompt), free, request))
    ready.sort()
    waiting = collections.deque(ready)
    served, batch = [], []
    clock, step, tokens, decode_busy = 0.0, 0, 0, 0.0
    while waiting or batch:
        if not batch:
            clock = max(clock, waiting[0][0])
        while waiting and waiting[0][0] <= clock and len(batch) < most:
            _, first, request = waiting.popleft()
            if request.output == 1:
                served.append(Served(request, first, first))
                continue
            heapq.heappush(batch, (step + request.output - 1, first, request))
            tokens += request.prompt + 1
        if not batch:
            continue
        seconds = get_step(len(batch), tokens / len(batch))
        clock += seconds
        decode_busy += seconds
        tokens += len(batch)
        step += 1
        while batch and batch[0][0] == step:
            _, first, request = heapq.heappop(batch)
            served.append(Served(request, first, clock))
            tokens -= request.prompt + request.output
    return served, prefill_busy, decode_busy
