"""The claims of SiP-ML and what comes out; verdicts.py has the rules by which verdicts follow from the numbers."""

from cards import CARD_SERIES, CLUSTER, describe_ends, get_card_ratios
from cases import GROUP, share
from ratios import by_model, get_points, get_ratios, span
from rows import get_minutes, get_seconds, to_number
from verdicts import (
    ABOUT,
    EQUAL,
    NOTHING,
    REACH,
    Claim,
    Numbers,
    judge,
    judge_least,
    judge_most,
    judge_range,
    judge_reach,
)

# Fewer GPUs say nothing about hundreds and thousands
HUNDREDS = 100
THOUSANDS = 1000

RULES = f"""A claim is a condition on numbers, and its verdict follows from them by a rule in
``utils/figures/verdicts.py``. "As fast as" allows {100 * EQUAL:g} % more time, "about as fast as" {100 * ABOUT:g} %, and any
other number of a paper {100 * REACH:g} %. "Up to" is judged by the largest of our numbers alone; if that is beyond the
paper's number, either way, but faster by more than {100 * ABOUT:g} %, the claim holds in part. By each of two kinds of
settings, those of the paper and those with everything that operators need, a claim holds for all models and rates, for
some, or for none. It is *reproduced* if it holds for all by both kinds (or the only one), *not* if it holds for none by
both, and else *partly*. What our own setting was chosen to give proves nothing and counts as none.
*Feasible* says whether the light of all simulated runs behind a claim arrives with the default components
(:doc:`optical-layer`), or what fails first; of rings, the longest lightpath and its amplifiers. Plans that are only
predicted have no light yet. No run of these tables counts losses."""


class SipMl:
    """The claims of SiP-ML."""

    def __init__(self, rows):
        self._rows = rows

    def get(self):
        """Returns the claims."""
        return [
            self._get_cluster("400"),
            self._get_cluster("200"),
            self._get_ends(),
            self._get_strong(),
            self._get_hybrid(),
            self._get_ring(),
            self._get_half(),
            self._get_near(),
            self._get_delay(),
            self._get_nanoseconds(),
            self._get_slow(),
            self._get_scale(),
            self._get_weak(),
            self._get_mordia(),
        ]

    def _ratios(self, series, other, shift=1.0, option=None):
        return get_ratios(self._rows, series, other, shift, option)

    def _find(self, *series):
        """Returns the rows of several series."""
        return [row for name in series for row in self._rows.find(name)]

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
                judge_range(values["released"], *CLUSTER),
            ),
            (
                f"**best plan on the cluster over best plan on optics:** SiP-OCS {by_model(parts['best', 'switches'])}"
                f" times, SiP-Ring {by_model(parts['best', 'ring'])}",
                judge_range(values["best"], *CLUSTER),
            ),
            f"the card: {share(1, int(card)).replace('Gbps', ' Gb/s')} a GPU between servers; and the plan: what the"
            " search finds for a cluster sends little between servers. See the table of cards below",
            Numbers(
                f"faster than servers with a card of {card} Gb/s", "1.3 to 9.1 times", *CLUSTER, values["released"],
                values["best"],
            ),
            self._find("hybrid/ring", "hybrid/switches", "bandwidth/ring-search-simulated"),
        )

    def _get_ends(self):
        judgements = []
        texts = []
        numbers = []
        both = False
        for series, optical in (CARD_SERIES[0], CARD_SERIES[2]):
            ratios = get_card_ratios(self._rows, series, optical)
            spans = {card: (min(found.values()), max(found.values())) for card, found in ratios.items()}
            numbers.append([value for ends in spans.values() for value in ends])
            low, high = min(numbers[-1], default=0), max(numbers[-1], default=0)
            judgements.append(
                judge(CLUSTER if spans else (), lambda end: low * (1 - REACH) <= end <= high * (1 + REACH))
            )
            texts.append("; ".join(f"{card} Gb/s {span(ends)}" for card, ends in sorted(spans.items(), reverse=True)))
            least, most = CLUSTER[0] * (1 + REACH), CLUSTER[1] * (1 - REACH)
            both |= any(low <= least and high >= most for low, high in spans.values())
        return Claim(
            "1.3 to 9.1 times as fast as today's electrical clusters: each end with some card of 400 to 50 Gb/s",
            (f"by the card of a server, with the released compute times: {texts[0]} times", judgements[0]),
            (f"**best plan on each:** {texts[1]} times", judgements[1]),
            f"{'one card gives both ends' if both else 'no one card gives both ends'}: {describe_ends(self._rows)}",
            Numbers("the same, a card of 400 to 50 Gb/s", "1.3 and 9.1 times", *CLUSTER, *numbers),
            self._find("hybrid/switches"),
        )

    def _get_strong(self):
        speedups = {}
        reach = {}
        for plan in ("data-parallel", "published", "search"):
            points = get_points(self._rows, f"strong/switches-{plan}", "gpus")
            reach[plan] = points
        sizes = sorted({gpus for _, gpus in reach["data-parallel"] if gpus >= HUNDREDS})
        for plan in ("published", "search"):
            speedups[plan] = {
                key: reach["data-parallel"][key] / seconds
                for key, seconds in reach[plan].items()
                if key[1] in sizes and key in reach["data-parallel"]
            }
        return Claim(
            "model parallelism trains a given batch faster on hundreds of GPUs than data parallelism alone (strong scaling)",
            (
                f"batch of 1024 on {', '.join(f'{gpus:g}' for gpus in sizes)} GPUs, SiP-OCS at 2 Tb/s: groups of 8 take"
                f" 1 / {by_model(speedups['published'])} of the time of data parallelism",
                judge(speedups["published"].values(), lambda v: v > 1 + ABOUT),
            ),
            (
                f"search: 1 / {by_model(speedups['search'])}",
                judge(speedups["search"].values(), lambda v: v > 1 + ABOUT),
            ),
            "few samples a GPU: small operators are inefficient, and gradients are as many as ever. By the published"
            " rules a share of an operator takes the same share of its time, and pieces need little of each other",
            Numbers(
                "strong scaling beats data parallelism", "above 1 times", 1, None,
                speedups["published"].values(), speedups["search"].values(),
            ),
            # Plans of the search are predicted; those in groups have the circuits of these runs
            self._rows.find("bandwidth/switches-published", bandwidth="2Tbps"),
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
            Numbers(
                "hybrid beats data parallelism at Tb/s", "up to 2 times", None, 2, released.values(),
                [*best.values(), *ring.values()],
            ),
            self._find("hybrid/switches", "bandwidth/ring-search-simulated"),
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
            Numbers("time of SiP-Ring over SiP-OCS", "about 1", None, 1, again.values(), best.values()),
            self._find("bandwidth/ring-published", "bandwidth/switches-published", "bandwidth/ring-search-simulated"),
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
            Numbers("time at B over an ideal switch at B/2", "at most 1", None, 1, values, all_best),
            self._find("bandwidth/ring-once", "bandwidth/switches-published", "bandwidth/ring-search-simulated"),
        )

    def _get_near(self):
        parts = {}
        sizes = {}
        for kind in ("published", "ours"):
            ring = get_points(self._rows, f"distance/ring-{kind}", "dp")
            switches = get_points(self._rows, f"distance/switches-{kind}", "dp")
            gpus = sizes[kind] = next((int(row["gpus"]) for row in self._rows.find(f"distance/ring-{kind}")), 0)
            parts[kind] = {
                (model, gpus / replicas): ring[model, replicas] / switches[model, replicas]
                for model, replicas in sorted(ring, reverse=True)
                if (model, replicas) in switches
            }

        def write(part):
            places = sorted({distance for _, distance in part})
            return "; ".join(
                f"{span(v for (_, d), v in part.items() if d == place)} at {place:g}" for place in places
            )

        def holds(item):
            (_, places), ratio = item
            return ratio <= 1 + ABOUT if places == 1 else ratio > 1 + ABOUT

        ends = {kind: {k: v for k, v in part.items() if k[1] in (1, 8, 16)} for kind, part in parts.items()}
        return Claim(
            "the ring can only support communication between nearby GPUs",
            (
                f"time over that of SiP-OCS with the same plan, {sizes['published']} GPUs, replicas that many places apart:"
                f" {write(parts['published'])}",
                judge(ends["published"].items(), holds),
            ),
            (f"{sizes['ours']} GPUs, groups that long: {write(parts['ours'])}", judge(ends["ours"].items(), holds)),
            "a lightpath of n segments takes n times the capacity of one to a neighbour. Judged at 1 place, where the"
            f" ring has to be as fast within {100 * ABOUT:g} %, and at 8 and 16, where it has to be slower; no lightpath"
            " has more than 16 segments (``MaxDistance``)",
            Numbers(
                "ring over SiP-OCS, 8 and 16 places apart", "above 1", 1, None,
                *([v for (_, d), v in parts[kind].items() if d >= 8] for kind in ("published", "ours")),
            ),
            self._find("distance/ring-published", "distance/ring-ours", "distance/switches-published"),
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
            Numbers(
                "us of switching over an ideal switch", "about 1", None, 1, published.values(), ours.values()
            ),
            self._find("scale/ring-published", "delay/max-min-ours"),
        )

    def _get_nanoseconds(self):
        parts = {}
        for kind in ("ring-published", "ring-ours", "phase-ours"):
            points = get_points(self._rows, f"nanoseconds/{kind}", "reconfigurationDelay")
            parts[kind] = {
                (model, delay): seconds / points[model, 10e-9]
                for (model, delay), seconds in points.items()
                if delay > 10e-9 and (model, 10e-9) in points
            }
        ours = [v for kind in ("ring-ours", "phase-ours") for v in parts[kind].values()]
        return Claim(
            "nanoseconds of reconfiguration are excessive for training",
            (
                "time with 1 and 20 us of darkness over that with 10 ns, SiP-Ring with decisions each 100 us:"
                f" {by_model(parts['ring-published'], '{:.4f}')}",
                judge_most(parts["ring-published"].values(), 1, ABOUT),
            ),
            (
                f"groups of 8 on 64 GPUs, SiP-Ring: {by_model(parts['ring-ours'], '{:.4f}')}; SiP-OCS, circuits of their own for each"
                f" phase: {by_model(parts['phase-ours'], '{:.4f}')}",
                judge_most(ours, 1, ABOUT),
            ),
            "an iteration has some ms, and circuits change a few times in it. With all transfers, a ring that decides on"
            " what waits sees other bytes at other times, either way",
            Numbers(
                "us of switching over 10 ns", "about 1", None, 1, parts["ring-published"].values(), ours
            ),
            self._find("nanoseconds/ring-published", "nanoseconds/ring-ours", "nanoseconds/phase-ours"),
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
            Numbers(
                "10 ms of switching over 1 us", "above 1", 1, None,
                *(values[kind].values() for kind in ("published", "ours")),
            ),
            self._find("delay/max-demand-published", "delay/phase-ours"),
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
            Numbers(
                "iteration on thousands of GPUs over 64", "about 1", None, 1,
                *([v for (_, n), v in part.items() if n >= THOUSANDS] for part in (published, ours)),
            ),
            self._find("scale/ring-published", "scale/switches-published", "scale/ring-ours", "scale/switches-ours"),
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
            Numbers(
                "gain of throughput over that of time", "above 1", 1, None,
                [throughput / accuracy for throughput, accuracy in values],
            ),
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
            Numbers(
                "GPUs over wavelengths of a ring", "above 1", 1, None,
                [gpus / lanes for _, gpus in ring if gpus > most],
                text=f"{max((gpus for _, gpus in ring), default=0):g} on {lanes}; {most} without",
            ),
            self._find("mordia/ring-once"),
        )
