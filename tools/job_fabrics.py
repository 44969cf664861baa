"""Fabrics that join nodes to groups of high bandwidth, seen by which nodes they can join while others are faulty.

A node works as a whole or not at all. Jobs, which all need the same number of nodes, are given nodes anew for each set
of faults, as well as possible. Each fabric has

* count_jobs(down, nodes, job): the largest number of jobs of so many nodes that have room at a time, where down has the
  faulty places in ascending order, and
* get_jobs(nodes, job, faulty): the probabilities of its results if each node is faulty with a probability,
  independently of others.
"""

import math
import re
from operator import add

# The most nodes of a fabric, and the farthest node that a node of a line reaches
MAX_NODES = 1 << 14
MAX_REACH = 16

# Probabilities that are left out at the ends of a distribution: none is guaranteed with so little
NEGLIGIBLE = 1e-60


class JobDistribution:
    """How likely it is that a number of jobs finds room, or for which share of the time: weights of the numbers from
    the first one on."""

    def __init__(self, first=0, weights=()):
        self.first = first
        self.weights = list(weights)

    def add(self, jobs, weight):
        """Add a possible number of jobs."""
        while len(self.weights) <= jobs - self.first:
            self.weights.append(0.0)
        self.weights[jobs - self.first] += weight

    def join(self, other):
        """Return the jobs of this and another part of the same fabric, whose faults are independent."""
        size = len(self.weights)
        sums = [0.0] * (size + len(other.weights) - 1)
        for shift in reversed(range(len(other.weights))):
            weight = other.weights[shift]
            sums[shift : shift + size] = [
                known + weight * more for known, more in zip(sums[shift : shift + size], self.weights)
            ]
        first, last = find_ends([sums])
        return JobDistribution(self.first + other.first + first, sums[first:last])

    def get_mean(self):
        """Return the mean number of jobs; 0 if nothing was added."""
        total = sum_up(self.weights)
        return sum_up(jobs * weight for jobs, weight in enumerate(self.weights, self.first)) / total if total > 0 else 0

    def get_guaranteed(self, probability):
        """Return the largest number of jobs that has room with at least a probability, or share of the time."""
        # A certainty is summed up to a little less than 1
        wanted = probability * sum_up(self.weights) * (1 - 1e-9)
        total = 0.0
        for index in reversed(range(len(self.weights))):
            total += self.weights[index]
            if total >= wanted:
                return self.first + index
        return 0


def sum_up(numbers):
    """Return the sum of numbers, one after the other: that of Python corrects its rounding from 3.12 on."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def find_ends(rows):
    """Return the first and the last place, exclusive, of all rows of equal length where one is not negligible."""
    first, last = 0, len(rows[0])
    while first < last and all(row[first] < NEGLIGIBLE for row in rows):
        first += 1
    while last > first + 1 and all(row[last - 1] < NEGLIGIBLE for row in rows):
        last -= 1
    return min(first, last - 1), last


def get_binomial(n, k, p):
    """Return the probability that exactly k of n nodes have a property that each has with probability p."""
    if p <= 0 or p >= 1:
        return 1.0 if k == (0 if p <= 0 else n) else 0.0
    if n <= 1000:
        # Numbers of this size are exact, and no larger ones fit
        return math.comb(n, k) * p**k * (1 - p) ** (n - k)
    choose = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(choose + k * math.log(p) + (n - k) * math.log1p(-p))


class SwitchedGroups:
    """Groups of consecutive nodes, each around a switch that joins any of its nodes. A job is within a group, of which
    the last one may be smaller."""

    def __init__(self, get_group):
        """Take a function that returns the nodes of a group, by those of the fabric and of a job."""
        self._get_group = get_group

    def count_jobs(self, down, nodes, job):
        """Return the number of jobs."""
        group = self._get_group(nodes, job)
        if group >= nodes:
            return (nodes - len(down)) // job
        full, rest = divmod(nodes, group)
        jobs = full * (group // job) + rest // job
        lost = {}
        for place in down:
            number = place // group
            lost[number] = lost.get(number, 0) + 1
        for number, faults in lost.items():
            size = group if number < full else rest
            jobs += (size - faults) // job - size // job
        return jobs

    def get_jobs(self, nodes, job, faulty):
        """Return the probabilities of its results."""
        group = self._get_group(nodes, job)
        jobs = JobDistribution(0, [1.0])
        for size, number in ((min(group, nodes), nodes // group), (nodes % group, 1)):
            one = JobDistribution()
            for down in range(size + 1):
                one.add((size - down) // job, get_binomial(size, down, faulty))
            for _ in range(number):
                jobs = jobs.join(one)
        return jobs


class SwitchedCubes:
    """Cubes of consecutive nodes, of which circuit switches join any to a larger torus, as those of TPU v4 (Jouppi et
    al., ISCA 2023).

    A cube with a faulty node is lost. A job takes whole cubes, or shares one with other jobs if it needs less than a
    cube. Nodes that do not make up a cube are lost."""

    def __init__(self, cube):
        """Take the nodes of a cube."""
        self._cube = cube

    def count_jobs(self, down, nodes, job):
        """Return the number of jobs."""
        cubes = nodes // self._cube
        lost = {place // self._cube for place in down}
        return self._fit_jobs(cubes - sum(cube < cubes for cube in lost), job)

    def get_jobs(self, nodes, job, faulty):
        """Return the probabilities of its results."""
        cubes = nodes // self._cube
        healthy = (1 - faulty) ** self._cube
        jobs = JobDistribution()
        for left in range(cubes + 1):
            jobs.add(self._fit_jobs(left, job), get_binomial(cubes, left, healthy))
        return jobs

    def _fit_jobs(self, cubes, job):
        """Return the jobs that some healthy cubes have room for."""
        return cubes * (self._cube // job) if job < self._cube else cubes // -(-job // self._cube)


class NodeLine:
    """A line of nodes whose transceivers switch light to any of the K next nodes in each direction, as those of
    InfiniteHBD (Shou et al., SIGCOMM 2025).

    Up to K - 1 faulty nodes in sequence are skipped; more divide the line. The ends of the line are not joined."""

    def __init__(self, reach):
        """Take the distance of the farthest node that a node reaches, K."""
        self._reach = reach

    def count_jobs(self, down, nodes, job):
        """Return the number of jobs."""
        jobs = healthy = skipped = 0
        begin = 0
        for place in down:
            if place > begin:
                healthy += place - begin
                skipped = 0
            skipped += 1
            if skipped == self._reach:
                jobs += healthy // job
                healthy = 0
            begin = place + 1
        return jobs + (healthy + nodes - begin) // job

    def get_jobs(self, nodes, job, faulty):
        """Return the probabilities of its results."""
        # Probabilities by healthy nodes of an incomplete job, faulty ones behind them, and jobs from the first on.
        # Faulty nodes in front of a job do not count
        states = [(0, 0)] + [(healthy, down) for healthy in range(1, job) for down in range(self._reach)]
        first = 0
        rows = {state: [0.0] for state in states}
        rows[0, 0] = [1.0]
        for _ in range(nodes):
            rows = self._add_node(rows, job, faulty)
            begin, end = find_ends(list(rows.values()))
            if begin > 0 or end < len(rows[0, 0]):
                rows = {state: row[begin:end] for state, row in rows.items()}
            first += begin
        sums = [0.0] * len(rows[0, 0])
        for row in rows.values():
            sums = list(map(add, sums, row))
        return JobDistribution(first, sums)

    def _add_node(self, rows, job, faulty):
        """Return the probabilities with one more node, which is faulty with a probability."""
        works = 1 - faulty
        # One more job may be complete
        size = len(rows[0, 0]) + 1
        begun = [0.0] * size
        new = {(0, 0): begun}
        for (healthy, down), row in rows.items():
            up = [share * works for share in row]
            if healthy + 1 == job:
                begun[1:] = map(add, begun[1:], up)
            elif down == 0:
                new[healthy + 1, 0] = up + [0.0]
            else:
                new[healthy + 1, 0][:-1] = map(add, new[healthy + 1, 0], up)
            lost = [share * faulty for share in row]
            if healthy == 0 or down + 1 == self._reach:
                begun[:-1] = map(add, begun, lost)
            else:
                new[healthy, down + 1] = lost + [0.0]
        return {state: new[state] for state in rows}


def get_part_nodes(name, node, gpus):
    """Return the nodes of a part of a fabric, by the GPUs of a node and of the part."""
    if gpus % node != 0:
        raise ValueError(
            f"'{name}' has parts of {gpus} GPUs, which nodes of {node} GPUs do not make up: give a divisor of {gpus} as"
            " GPUs of a node"
        )
    return gpus // node


def create_fabric(name, node):
    """Create a fabric by its name and the GPUs of a node: "switch" (one switch for all nodes), "blocks" (groups of as
    many nodes as a job needs), "nvl72" (switches for 72 GPUs), "group:GPUS" (switches for as many), "cubes" (64 GPUs,
    joined by circuit switches), "cubes:GPUS" or "line:K" (nodes that reach the K next ones). ValueError refuses any
    other."""
    kind, colon, text = name.partition(":")
    number = int(text) if re.fullmatch(r"\+?[0-9]{1,4000}", text) else 0
    is_number = 0 < number < 1 << 32
    if name == "switch":
        return SwitchedGroups(lambda nodes, job: nodes)
    if name == "blocks":
        return SwitchedGroups(lambda nodes, job: job)
    if name == "nvl72" or is_number and kind == "group":
        group = get_part_nodes(name, node, number or 72)
        return SwitchedGroups(lambda nodes, job: group)
    if kind == "cubes" and (is_number or not colon):
        return SwitchedCubes(get_part_nodes(name, node, number or 64))
    if is_number and kind == "line" and number <= MAX_REACH:
        return NodeLine(number)
    raise ValueError(
        f"There is no fabric '{name}': the known ones are switch, blocks, nvl72, group:GPUS, cubes, cubes:GPUS and"
        f" line:K, with K up to {MAX_REACH} and numbers above 0"
    )


def find_nodes(fabric, jobs, job, faulty, probability):
    """Return the least number of nodes that have room for some jobs with at least a probability, if each node is faulty
    with another one, independently of others. ValueError if MAX_NODES are too few."""

    def suffice(nodes):
        return fabric.get_jobs(nodes, job, faulty).get_guaranteed(probability) >= jobs

    # More nodes never have room for fewer jobs
    few, enough = 0, 1
    while not suffice(enough):
        if enough >= MAX_NODES:
            raise ValueError(
                f"{MAX_NODES} nodes are too few for {jobs} jobs: ask for fewer jobs, or with a lower probability"
            )
        few, enough = enough, 2 * enough
    while enough - few > 1:
        middle = (few + enough) // 2
        if suffice(middle):
            enough = middle
        else:
            few = middle
    return enough
