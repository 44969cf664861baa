"""Judges claims: what a paper says beside our numbers, whether the light of our runs arrives, and the verdict."""

import re

from ratios import span

# How far a number may be from what a claim says: "as fast as", "about as fast as", and any other number
EQUAL = 0.005
ABOUT = 0.05
REACH = 0.1

ALL, SOME, NONE = "all", "some", "none"


def judge(values, holds):
    """Returns for how many of the values a claim holds; None if there are no values."""
    held = [bool(holds(value)) for value in values]
    if not held:
        return None
    return ALL if all(held) else SOME if any(held) else NONE


def judge_most(values, limit, slack):
    """Judges the claim that values are at most a limit."""
    return judge(values, lambda value: value <= limit * (1 + slack))


def judge_least(values, limit, slack):
    """Judges the claim that values are at least a limit."""
    return judge(values, lambda value: value >= limit * (1 - slack))


def judge_range(values, low, high):
    """Judges the claim that values are in a range."""
    return judge(values, lambda value: low * (1 - REACH) <= value <= high * (1 + REACH))


def judge_reach(values, limit):
    """Judges the claim that speedups are up to a limit."""
    values = list(values)
    if not values:
        return None
    if abs(max(values) / limit - 1) <= REACH:
        return ALL
    return SOME if max(values) > 1 + ABOUT else NONE


class Numbers:
    """The numbers of a claim for the chart: what the paper says, from low to high, and ours.

    None is no bound: "at most", or "at least". Without numbers there is a text in place of bars.
    """

    def __init__(self, label, published, low=None, high=None, ours=(), complete=(), text=""):
        self.label = label
        self.published = published
        self.low = low
        self.high = high
        self.ours = [value for value in ours if value > 0]
        self.complete = [value for value in complete if value > 0]
        self.text = text

    def get_base(self):
        """Returns the number of the paper that ours are divided by."""
        return self.high if self.low is None else self.low

    def get_texts(self):
        """Returns our numbers by both kinds of settings as text."""
        if self.text:
            return self.text.split(" | ")
        return [span(values, "{:.3g}") if values else "" for values in (self.ours, self.complete)]


class Claim:
    """A claim of a paper beside our numbers."""

    def __init__(self, paper, ours, complete, reason, numbers, runs=()):
        """Each of ours and complete is a text and a judgement; runs are rows on fabrics of light."""
        self.paper = paper
        self.ours, first = ours
        self.complete, second = complete
        self.reason = reason
        self.numbers = numbers
        self.light = describe_light(runs)
        self.judgements = [each for each in (first, second) if each is not None]

    def get_verdict(self):
        """Returns the verdict in a word."""
        if not self.judgements:
            return "-"
        if all(each == ALL for each in self.judgements):
            return "reproduced"
        return "not" if all(each == NONE for each in self.judgements) else "partly"

    def is_feasible(self):
        """Returns whether the light of no run is known to be missing."""
        return not self.get_fault()

    def get_fault(self):
        """Returns what fails first in runs whose light does not arrive, an empty text if all arrives."""
        return re.sub(r"( \(|;).*", "", self.light) if self.light.startswith("no:") else ""

    def get_cells(self):
        """Returns the row of a table."""
        return (self.paper, self.get_verdict(), self.ours, self.complete, self.light, self.reason)


NOTHING = ("-", None)


def describe_light(runs):
    """Returns whether the light of runs arrives, or what fails first, as the runs themselves say.

    On a ring it adds the segments and the amplifiers of the longest lightpath among those with the least margin.
    """
    known = [row for row in runs if row.get("feasible")]
    if not known:
        return "-"
    faults = sorted({row["light_fault"] for row in known if row["feasible"] == "false"})
    failed = sum(row["feasible"] == "false" for row in known)
    text = "yes"
    if failed:
        share = "" if failed == len(known) else f" ({failed} of {len(known)} runs)"
        text = f"no: {', '.join(faults)}{share}"
    rings = [row for row in known if row["fabric"] == "sip-ring" and row["light_hops"]]
    longest = max(((int(row["light_hops"]), int(row["light_amplifiers"])) for row in rings), default=None)
    if longest is None:
        return text
    hops, amplifiers = longest
    plural = "" if hops == 1 else "s"
    return f"{text}; ring: {hops} segment{plural}, {amplifiers or 'no'} amplifier{'' if amplifiers == 1 else 's'}"
