"""Which nodes are faulty when: by a trace, or drawn."""

import bisect
import math

from random_streams import RandomStream
from json_list import read_list

# Streams of random numbers: times of faults and repairs, and places of nodes
TIMES, PLACES = range(2)

# The most days of a history
MAX_DAYS = 1e6

# How often nodes become faulty, and for how long, in the public trace of InfiniteHBD: 400 nodes of 8 GPUs, 348 days
FAULTS_PER_THOUSAND_NODE_DAYS = 4.18
REPAIR_MEDIAN_DAYS = 0.8506
REPAIR_MEAN_DAYS = 5.535

EXAMPLE = '[{"node_id": "a", "event_time": 3.5, "event_type": "fault_start"}'


class FaultDraw:
    """Draws times of faults and repairs: a healthy node becomes faulty after an exponential time, and its repair
    takes a log-normal one."""

    def __init__(self, rate, median, mean, seed):
        """Take the faults of 1000 nodes a day, the median and mean time of a repair in days, and a seed."""
        self._draw = RandomStream(seed, TIMES, 0).draw
        self._healthy_days = 1000 / rate
        self._mean = mean
        self._mu = math.log(median)
        # The mean of a log-normal variable is exp(mu + sigma^2 / 2)
        self._sigma = math.sqrt(2 * (math.log(mean) - self._mu))

    def is_faulty(self):
        """Return whether a node is faulty at the beginning."""
        return self._draw() * (self._healthy_days + self._mean) < self._mean

    def get_healthy_days(self):
        """Return for how long a node stays healthy."""
        return -self._healthy_days * math.log(self._draw())

    def get_repair_days(self):
        """Return how long a repair takes."""
        return self._get_exp(self._mu + self._sigma * self._get_normal())

    def get_rest_of_repair_days(self):
        """Return how long a repair still takes that is under way at a random time."""
        # A random time meets a repair in proportion to its length, at any point of it
        part = self._draw()
        return part * self._get_exp(self._mu + self._sigma * self._sigma + self._sigma * self._get_normal())

    def _get_normal(self):
        """Return a normal random variable, by the method of Box and Muller."""
        radius = math.sqrt(-2 * math.log(self._draw()))
        return radius * math.cos(6.283185307179586 * self._draw())

    @staticmethod
    def _get_exp(exponent):
        """Return e to the exponent, which may be beyond all numbers."""
        return math.exp(exponent) if exponent < 709 else math.inf


class FaultHistory:
    """The faults of some nodes over some days: events in the order of time, each the day, the node, and 1 if a fault
    begins or -1 if one ends. Faults of a node may overlap."""

    def __init__(self, nodes, days, events):
        """Take the number of nodes, the length in days, and the events."""
        self.nodes = nodes
        self.days = days
        self._events = events

    @staticmethod
    def read(file, name, nodes):
        """Read a trace: a JSON list of objects in the order of time, each with "node_id", "event_time" in days and
        "event_type", which is "fault_start" or "fault_end"; other keys are ignored. The trace begins at day 0 and ends
        with its last event. Nodes that it does not name have no faults. ValueError refuses any other text."""
        numbers = {}
        faults = [0] * nodes
        events = []
        now = 0.0
        for value in read_list(file, name, EXAMPLE):
            identity = value.get("node_id")
            node = numbers.setdefault(identity.get_text(), len(numbers))
            if node >= nodes:
                identity.fail(
                    f"is the id of one node too many: the fabric has {nodes} nodes, and the trace has more"
                )
            day = value.get("event_time").get_number(MAX_DAYS)
            if day < now:
                value.get("event_time").fail("must not be before the time of the previous event")
            kind = value.get("event_type")
            change = 1 if kind.get_word(("fault_start", "fault_end")) == 0 else -1
            if faults[node] + change < 0:
                kind.fail("must not be fault_end, as the node has no fault")
            faults[node] += change
            now = day
            events.append((day, node, change))
        if not now > 0:
            raise ValueError(f"{name} covers no time: it must have events after day 0")
        return FaultHistory(nodes, now, events)

    @staticmethod
    def draw(nodes, days, rate, median, mean, seed):
        """Draw faults. The first day is like any other: nodes may be faulty already.

        The rate is in faults of 1000 nodes a day; median and mean are those of the days that a repair takes. ValueError
        refuses what is out of range."""
        if not 0 < rate <= 1e6:
            raise ValueError(f"Faults of 1000 nodes a day must be above 0 and up to 1e6, not {rate:f}")
        if not (0 < median <= mean <= 1e6):
            raise ValueError(
                f"The mean time of a repair, {mean:f} days, must be at least its median, {median:f} days, which must"
                " be above 0"
            )
        if not 0 < days <= MAX_DAYS:
            raise ValueError(f"Faults must be drawn for more than 0 and up to 1e6 days, not {days:f}")
        draw = FaultDraw(rate, median, mean, seed)
        events = []
        for node in range(nodes):
            day = 0.0
            if draw.is_faulty():
                events.append((0.0, node, 1))
                day = draw.get_rest_of_repair_days()
                events.append((day, node, -1))
            day += draw.get_healthy_days()
            while day < days:
                events.append((day, node, 1))
                day += draw.get_repair_days()
                events.append((day, node, -1))
                day += draw.get_healthy_days()
        events.sort(key=lambda event: event[0])
        return FaultHistory(nodes, days, events)

    def get_intervals(self, places):
        """Yield at all times, in order, the faulty places and the days for which they are so. The list of places, in
        ascending order, changes later."""
        down = []
        faults = [0] * self.nodes
        now = 0.0
        for day, node, change in self._events:
            day = min(day, self.days)
            if day > now:
                yield down, day - now
                now = day
            faults[node] += change
            if change > 0 and faults[node] == 1:
                bisect.insort(down, places[node])
            elif change < 0 and faults[node] == 0:
                del down[bisect.bisect_left(down, places[node])]
        if self.days > now:
            yield down, self.days - now

    def draw_places(self, seed, draw):
        """Return the place of each node by a seed and the number of the draw; all arrangements are equally likely."""
        get_number = RandomStream(seed, PLACES, draw).draw
        places = list(range(self.nodes))
        for left in range(self.nodes, 1, -1):
            chosen = int(get_number() * left)
            places[left - 1], places[chosen] = places[chosen], places[left - 1]
        return places

    def get_faulty_share(self):
        """Return the share of nodes that are faulty, on average over time."""
        total = 0.0
        for down, days in self.get_intervals(range(self.nodes)):
            total += days * len(down)
        return total / self.days / self.nodes

    def count_faults(self):
        """Return the number of faults."""
        return sum(change > 0 for _, _, change in self._events)
