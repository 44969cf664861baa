"""The claims of SiP-ML, what comes out, and the verdicts that follow from the numbers.

A claim is a condition on numbers. By each of two kinds of settings, those of the paper and those with
everything that operators need, it holds for all numbers, for some, or for none. The verdict is
*reproduced* if it holds for all by both, *not* if it holds for none by both, else *partly*.
"""

from cases import CARDS, GROUP, RING_HOPS, RING_WAVELENGTHS, share
from manual import read_table
from ratios import by_model, get_points, get_ratios, span
from rows import get_minutes, get_seconds, to_number

# How far a number may be from what a claim says: "as fast as", "about as fast as", and any other number
EQUAL = 0.005
ABOUT = 0.05
REACH = 0.1

# Fewer GPUs say nothing about thousands
THOUSANDS = 1000

RULES = f"""A claim is a condition on numbers, and its verdict follows from them by a rule in
``utils/figures/claims.py``. "As fast as" allows {100 * EQUAL:g} % more time, "about as fast as" {100 * ABOUT:g} %, and any
other number of a paper {100 * REACH:g} %. "Up to" is judged by the largest of our numbers alone; if that is beyond the
paper's number, either way, but faster by more than {100 * ABOUT:g} %, the claim holds in part. By each of two kinds of
settings, those of the paper and those with everything that operators need, a claim holds for all models and rates, for
some, or for none. It is *reproduced* if it holds for all by both kinds (or the only one), *not* if it holds for none by
both, and else *partly*. What our own setting was chosen to give proves nothing and counts as none.
*Light of SiP-Ring* is the longest lightpath of the runs with the paper's settings, at {RING_WAVELENGTHS} wavelengths a fibre
(:doc:`optical-layer`): each ring of replicas is folded, so that a replica is two places at most from the next one. Where
only the search uses the ring, it is the {RING_HOPS} hops that no lightpath of the ring exceeds. No run of these tables
counts losses."""

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


class Claim:
    """A claim of a paper beside our numbers."""

    def __init__(self, paper, ours, complete, reason, ring=None):
        """Each of ours and complete is a text and a judgement; ring has the runs of SiP-Ring."""
        self.paper = paper
        self.ours, first = ours
        self.complete, second = complete
        self.reason = reason
        self.light = "-" if ring is None else describe_light(ring)
        self.judgements = [each for each in (first, second) if each is not None]

    def get_verdict(self):
        """Returns the verdict in a word."""
        if not self.judgements:
            return "-"
        if all(each == ALL for each in self.judgements):
            return "reproduced"
        return "not" if all(each == NONE for each in self.judgements) else "partly"

    def get_cells(self):
        """Returns the row of a table."""
        return (self.paper, self.ours, self.complete, self.reason, self.light, self.get_verdict())


NOTHING = ("-", None)


def describe_light(rows):
    """Returns the longest lightpath of runs of SiP-Ring, and whether it can exist.

    Placement puts the replicas of a part of the model side by side in a folded order, in which each is two
    places at most from the next; replicas of one GPU go round the whole ring. Without rows it is as long as the
    window of the planner.
    """
    replicas = [(int(row["plan_replicas"]), int(row["gpus"])) for row in rows]
    hops = max((min(n - 1, 2) if n < gpus else 1 for n, gpus in replicas), default=RING_HOPS)
    reach = next(
        row
        for row in read_table("optical-layer.rst", "wavelengths of a fibre")
        if row["wavelengths of a fibre"] == str(RING_WAVELENGTHS)
    )
    text = f"{hops} hop{'s' if hops > 1 else ''}"
    if hops > int(reach["hops with amplifiers"]):
        return f"{text}: cannot exist"
    return f"{text}: cannot exist without amplifiers" if hops > int(reach["hops"]) else f"{text}: can exist"


class SipMl:
    """The claims of SiP-ML."""

    def __init__(self, rows):
        self._rows = rows

    def get(self):
        """Returns the claims."""
        return [
            self._get_cluster("400"),
            self._get_cluster("200"),
            self._get_strong(),
            self._get_hybrid(),
            self._get_ring(),
            self._get_half(),
            self._get_delay(),
            self._get_slow(),
            self._get_scale(),
            self._get_weak(),
            self._get_mordia(),
        ]

    def _ratios(self, series, other, shift=1.0, option=None):
        return get_ratios(self._rows, series, other, shift, option)

    def _get_cluster(self, card):
        name = f"servers-{card}"
        parts = {}
        for kind, series in (
            ("released", "hybrid/{}"),
            ("ours", "bandwidth/{}-published"),
            ("best", "bandwidth/{}-search"),
        ):
            for fabric in ("switches", "ring"):
                optical = series.format(fabric)
                if kind == "ours" and fabric == "ring":
                    optical = "bandwidth/ring-once"
                parts[kind, fabric] = self._ratios(series.format(name), optical)
        values = {
            kind: [v for (k, _), part in parts.items() if k == kind for v in part.values()]
            for kind in ("released", "ours", "best")
        }
        return Claim(
            f"1.3 to 9.1 times as fast as today's electrical clusters: servers of {GROUP} GPUs behind one card of"
            f" {card} Gb/s",
            (
                f"SiP-OCS {by_model(parts['released', 'switches'])} times, SiP-Ring"
                f" {by_model(parts['released', 'ring'])}, with the released gradients and compute times (with ours"
                f" {span(values['ours'])})",
                judge_range(values["released"], 1.3, 9.1),
            ),
            (
                f"**best plan on the cluster over best plan on optics:** SiP-OCS {by_model(parts['best', 'switches'])}"
                f" times, SiP-Ring {by_model(parts['best', 'ring'])}",
                judge_range(values["best"], 1.3, 9.1),
            ),
            f"the card: {share(1, int(card)).replace('Gbps', ' Gb/s')} a GPU between servers; and the plan: what the"
            " search finds for a cluster sends little between servers. See the table of cards below",
            ring=self._rows.find("hybrid/ring"),
        )

    def _get_strong(self):
        speedups = {}
        reach = {}
        for plan in ("data-parallel", "published", "search"):
            points = get_points(self._rows, f"strong/switches-{plan}", "gpus")
            reach[plan] = points
        most = max((gpus for _, gpus in reach["data-parallel"]), default=0)
        for plan in ("published", "search"):
            speedups[plan] = {
                key: reach["data-parallel"][key] / seconds
                for key, seconds in reach[plan].items()
                if key[1] == most and key in reach["data-parallel"]
            }
        return Claim(
            "model parallelism trains a given batch faster on more GPUs than data parallelism alone (strong scaling)",
            (
                f"batch of 1024 on {most:g} GPUs, SiP-OCS at 2 Tb/s: groups of 8 take 1 /"
                f" {by_model(speedups['published'])} of the time of data parallelism",
                judge(speedups["published"].values(), lambda v: v > 1 + ABOUT),
            ),
            (
                f"search: 1 / {by_model(speedups['search'])}",
                judge(speedups["search"].values(), lambda v: v > 1 + ABOUT),
            ),
            "few samples a GPU: small operators are inefficient, and gradients are as many as ever. By the published"
            " rules a share of an operator takes the same share of its time, and pieces need little of each other",
        )

    def _get_hybrid(self):
        released = self._ratios("hybrid/data-parallel", "hybrid/switches")
        whole = self._ratios("hybrid/data-parallel", "hybrid/switches-whole")
        ours = self._ratios("bandwidth/data-parallel", "bandwidth/switches-published")
        best = self._ratios("bandwidth/data-parallel", "bandwidth/switches-search")
        ring = self._ratios("bandwidth/data-parallel", "bandwidth/ring-search")
        return Claim(
            "hybrid parallelism is up to 2 times as fast as data parallelism alone at Tb/s",
            (
                f"SiP-OCS: {by_model(released)} times with the released compute time of data parallelism, and 8 times"
                f" that for the samples of 8 GPUs ({span(whole.values())} if 8 times the samples took no longer;"
                f" {span(ours.values())} with our compute times)",
                judge_reach(released.values(), 2),
            ),
            (
                f"planned by the search: SiP-OCS {by_model(best)} times, SiP-Ring {by_model(ring)}",
                judge_reach([*best.values(), *ring.values()], 2),
            ),
            "how much faster an operator is with 8 times the samples, which was not released; the gain that is left"
            " without it comes from sending an eighth of the gradients, and shrinks as rates grow",
            ring=(),
        )

    def _get_ring(self):
        once = self._ratios("bandwidth/ring-once", "bandwidth/switches-published")
        again = self._ratios("bandwidth/ring-published", "bandwidth/switches-published")
        linear = self._ratios("placement/ring-linear", "bandwidth/switches-published")
        best = self._ratios("bandwidth/ring-search", "bandwidth/switches-search")
        return Claim(
            "SiP-Ring is about as fast as SiP-OCS",
            (
                f"time over that of SiP-OCS: {by_model(again)} with decisions each 100 us, {by_model(once)} set once",
                judge_most(again.values(), 1, ABOUT),
            ),
            (f"best plan of each: {by_model(best)}", judge_most(best.values(), 1, ABOUT)),
            f"placement: with replicas {GROUP} places apart instead of the placement that is found,"
            f" {by_model(linear)} set once. Neighbours in one direction have half of the rate of a GPU, which counts"
            " where computation does not hide the gradients; and what decisions know of the bytes to send",
            ring=self._rows.find("bandwidth/ring-published"),
        )

    def _get_half(self):
        parts = {
            fabric: self._ratios(f"bandwidth/{series}", "bandwidth/electrical-published", 0.5)
            for fabric, series in (("OCS", "switches-published"), ("Ring", "ring-once"))
        }
        best = {
            fabric: self._ratios(f"bandwidth/{series}-search", "bandwidth/electrical-search", 0.5)
            for fabric, series in (("OCS", "switches"), ("Ring", "ring"))
        }
        values = [v for part in parts.values() for v in part.values()]
        all_best = [v for part in best.values() for v in part.values()]
        return Claim(
            "optics at a rate B are at least as fast as an ideal electrical switch at B/2",
            (
                "time over that of the switch: "
                + ", ".join(f"SiP-{f} {by_model(part, '{:.4f}')}" for f, part in parts.items()),
                judge_most(values, 1, EQUAL),
            ),
            (
                "best plan of each: " + ", ".join(f"SiP-{f} {by_model(part)}" for f, part in best.items() if part),
                judge_most(all_best, 1, EQUAL),
            ),
            "a ring of neighbours in one direction uses half of what a GPU of SiP-Ring has; all transfers go farther"
            " than to neighbours",
            ring=self._rows.find("bandwidth/ring-once"),
        )

    def _get_delay(self):
        published = self._ratios("scale/ring-published", "scale/electrical-published", option="gpus")
        ours = {}
        for row in self._rows.find("delay/max-min-ours"):
            ideal = self._rows.seconds("delay/electrical-ours", model=row["model"])
            delay = to_number(row["reconfigurationDelay"])
            if delay <= 10e-6 and get_seconds(row) is not None and ideal:
                ours[row["model"], delay] = get_seconds(row) / ideal
        return Claim(
            "microseconds of reconfiguration are near the optimum",
            (
                "SiP-Ring with decisions each 100 us and 20 us of darkness, over an ideal electrical switch, on 64 and"
                f" more GPUs: {by_model(published)}",
                judge_most(published.values(), 1, ABOUT),
            ),
            (
                "SiP-OCS of 64 GPUs with 1 and 10 us of darkness after each 5 delays, over an ideal electrical switch:"
                f" {by_model(ours)}",
                judge_most(ours.values(), 1, ABOUT),
            ),
            "by the published rules there is little to send; with all transfers a GPU has 8 peers, and how often"
            " circuits follow them decides (see the figure of delays)",
            ring=self._rows.find("scale/ring-published"),
        )

    def _get_slow(self):
        values = {}
        for name, series in (("published", "max-demand-published"), ("ours", "phase-ours")):
            points = get_points(self._rows, f"delay/{series}", "reconfigurationDelay")
            values[name] = {
                (model, delay): seconds / points[model, 1e-6]
                for (model, delay), seconds in points.items()
                if delay == 10e-3 and (model, 1e-6) in points
            }
        return Claim(
            "10 ms are too slow to reconfigure within iterations of a few ms",
            (
                f"decisions from the bytes under way, 10 ms of darkness over 1 us: {by_model(values['published'])}",
                judge(values["published"].values(), lambda v: v > 1 + ABOUT),
            ),
            (
                f"circuits of their own for each phase: {by_model(values['ours'])}",
                judge(values["ours"].values(), lambda v: v > 1 + ABOUT),
            ),
            "by the published rules circuits that are set once carry all there is, so that nothing is decided again",
        )

    def _get_scale(self):
        published, ours = {}, {}
        largest = []
        for values, series in (
            (published, ("ring-published", "switches-published")),
            (ours, ("ring-ours", "switches-ours")),
        ):
            for name in series:
                points = get_points(self._rows, f"scale/{name}", "gpus")
                most = max((gpus for _, gpus in points), default=0)
                largest.append(f"{most:g}")
                for (model, gpus), seconds in points.items():
                    if gpus == most and (model, 64.0) in points:
                        values[f"{model}/{name}", gpus] = seconds / points[model, 64.0]
        return Claim(
            "scales to thousands of GPUs",
            (
                f"iteration on {largest[0]} GPUs over that on 64, the same samples on each: SiP-Ring with decisions"
                f" {span(v for (n, _), v in published.items() if 'ring' in n)}, SiP-OCS"
                f" {span(v for (n, _), v in published.items() if 'switches' in n)}",
                judge_most([v for (_, n), v in published.items() if n >= THOUSANDS], 1, ABOUT),
            ),
            (
                f"on {largest[-1]} GPUs over 64: SiP-Ring {span(v for (n, _), v in ours.items() if 'ring' in n)}, SiP-OCS"
                f" {span(v for (n, _), v in ours.items() if 'switches' in n)}",
                judge_most([v for (_, n), v in ours.items() if n >= THOUSANDS], 1, ABOUT),
            ),
            "each group of 8 sends as much on any number of GPUs; a ring all-reduce over more replicas has more steps",
            ring=self._rows.find("scale/ring-published"),
        )

    def _get_weak(self):
        values = []
        texts = []
        gpus = 0
        for model in dict.fromkeys(row["model"] for row in self._rows.find("scaling/data-parallel")):
            speed = self._rows.curve("scaling/data-parallel", "gpus", model=model)
            minutes = self._rows.curve("scaling/data-parallel", "gpus", get_minutes, model=model)
            gpus = speed[-1][0] / speed[0][0]
            throughput = gpus * speed[0][1] / speed[-1][1]
            accuracy = minutes[0][1] / minutes[-1][1]
            values.append((throughput, accuracy))
            texts.append(f"throughput {throughput:.0f} times, time to accuracy 1 / {accuracy:.0f}")
        return Claim(
            "throughput grows with the GPUs, time to accuracy falls ever slower (its figure 1)",
            (
                f"data parallelism on {gpus:.0f} times as many GPUs: " + "; ".join(texts),
                judge(values, lambda v: v[0] > 1 and v[1] < v[0] * (1 - ABOUT)),
            ),
            NOTHING,
            "larger batches need more samples",
        )

    def _get_mordia(self):
        lanes = 80
        served = {}
        for row in self._rows.find("mordia/exclusive"):
            served[row["model"], int(row["gpus"])] = get_seconds(row)
        slower = self._ratios("mordia/exclusive", "mordia/ring-once", option="gpus")
        ring = get_points(self._rows, "mordia/ring-once", "gpus")
        most = max((gpus for (_, gpus), seconds in served.items() if seconds), default=0)
        return Claim(
            "a ring that reuses wavelengths, unlike Mordia, has more ports than wavelengths",
            (
                f"without reuse, {lanes} wavelengths serve {most} GPUs and refuse more; SiP-Ring serves all. Up to there"
                f" the ring without reuse takes {by_model(slower)} times as long",
                judge(
                    served.items(),
                    lambda item: (item[1] is None) == (item[0][1] > lanes)
                    and (item[0][0], float(item[0][1])) in ring,
                ),
            ),
            NOTHING,
            "each pair of GPUs that communicates needs a wavelength at least",
            ring=self._rows.find("mordia/ring-once"),
        )


def get_cards(rows):
    """Returns the rows of a table of clusters: what their time is over that on SiP-OCS."""
    cells = []
    for number, gigabits in CARDS:
        card = share(number, gigabits)
        row = [f"{number} x {gigabits} Gb/s", card.replace("Gbps", " Gb/s")]
        for series, optical in (
            ("cards/released", "hybrid/switches"),
            ("cards/published", "bandwidth/switches-published"),
            ("cards/search", "bandwidth/switches-search"),
        ):
            ours = get_points(rows, series, bandwidth=card)
            theirs = get_points(rows, optical)
            values = {key: ours[key] / theirs[key] for key in ours if key in theirs}
            row.append(by_model(values) or "-")
        if any(cell != "-" for cell in row[2:]):
            cells.append(row)
    return cells

