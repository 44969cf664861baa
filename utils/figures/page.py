"""Writes the page of the manual about the figures.

What depends on numbers is written from them, and sentences that hold for some numbers only are left out
for others (say).
"""

from cards import get_cards
from cases import BIG, TITLES
from claims import RULES, SipMl
from drawings import MLPERF
from formula import get_formula_cells
from page_texts import HEAD, SETTINGS, say
from paper_claims import Oddl, OptInc, get_bias_table
from ratios import by_model, get_at, get_points, get_title, span
from rows import GPT2_ITERATIONS, get_minutes, get_seconds
from writer import Writer


class Page(Writer):
    """The page, made of sections."""

    def __init__(self, rows):
        super().__init__(rows, HEAD)
        self._models = [m for m in TITLES if rows.find("bandwidth/data-parallel", model=m)]
        first = rows.find("bandwidth/data-parallel")[0]
        self._gpus = first["gpus"]

    def get(self):
        """Returns the text of the page."""
        self._add_claims()
        self._lines.append(SETTINGS)
        self._add_steps()
        self._add_strong()
        self._add_batch()
        self._add_scaling()
        self._add_bandwidth()
        self._add_hybrid()
        self._add_delay()
        self._add_degree()
        self._add_wavelengths()
        self._add_scale()
        self._add_planners()
        self._add_reasons()
        self._add_check()
        return "\n".join(self._lines) + "\n"

    def _add_check(self):
        self._lines += ["Data parallelism", "----------------", ""]
        self._lines += [
            "With the weights and compute times of the released simulator in place of ours, an iteration of"
            " data parallelism on 1024 GPUs is to take the compute time and then twice the weights over"
            " the rate. Simulated:",
            "",
        ]
        cells = get_formula_cells(self._rows)
        self._table("", ("model", "rate of a GPU", "formula", "simulated", "difference"), cells)
        self._lines += [
            "The difference is the factor of (n - 1) / n of a ring, which the formula leaves out.",
            "",
        ]

    def _add_claims(self):
        for name, paper in (("SiP-ML", SipMl), ("ODDL", Oddl), ("OptINC", OptInc)):
            self._table(
                f"Claims of {name}",
                ("the paper says", "verdict", "with its settings", "with all that operators need", "feasible",
                 "what decides"),
                [claim.get_cells() for claim in paper(self._rows).get()],
                "   :widths: 18 8 27 22 10 18",
            )
        self._lines += [RULES, ""]
        self._table(
            "Today's cluster: times on servers of 8 GPUs over those on SiP-OCS at 2 Tb/s, by the cards of a server",
            ("cards", "a GPU", "released compute times", "published settings", "best plan of each, all transfers",
             "feasible"),
            get_cards(self._rows),
        )
        self._table(
            "OptINC: what rounding adds to an average, in units of the last bit, if all sums are equally likely",
            ("servers", "half up, the default", "half to even"),
            get_bias_table(),
        )
        self._lines += [
            "``HalfUp`` is the default of ``ExactAverager``, and what the trained networks learn; ``HalfEven`` has no"
            " bias. :doc:`optinc-learning` trains with either.",
            "",
        ]

    def _add_steps(self):
        """Adds what each rule of the released simulator changes, one after the other."""
        self._lines += ["From our settings to the released simulator", "-" * 43, ""]
        rate = 2e12
        steps = (
            ("replicas 8 places apart, sums by ring all-reduce", "placement/ring-linear", "bandwidth/switches-published"),
            ("placement that is found", "bandwidth/ring-once", "bandwidth/switches-published"),
            ("and gradients sent to the next replica once", "released/ring-once", "released/switches-once"),
            ("and a ring of 16 GPUs, a group and the next", "released/ring-pair", "released/switches-pair"),
            ("the same, replicas 8 places apart", "released/ring-linear-pair", "released/switches-pair"),
            ("ring of 16 GPUs, decisions each 100 us", "released/ring-decisions-pair", "released/switches-pair"),
        )
        cells = []
        for what, ring, switches in steps:
            ours = get_at(get_points(self._rows, ring), rate)
            theirs = get_at(get_points(self._rows, switches), rate)
            for model in self._models:
                if (model, rate) in ours and (model, rate) in theirs:
                    times = ours[model, rate], theirs[model, rate]
                    texts = (f"{1e3 * each:.2f} ms" for each in times)
                    light = self._light(ring, switches, model=model, bandwidth="2Tbps")
                    cells.append((what, get_title(model), *texts, f"{times[0] / times[1]:.3f}", light))
        self._table(
            f"Published settings, {self._gpus} GPUs at 2 Tb/s unless stated otherwise, circuits set once",
            ("setting", "model", "SiP-Ring", "SiP-OCS", "ratio", "feasible"),
            cells,
        )
        self._lines += [
            "The released simulator sends the gradients of a piece to the next replica once (``--sumGradients=false``)"
            " where a sum over n replicas takes 2 (n - 1) / n times as much, and simulates one group and its"
            " transfers to the next. On a ring of 16 GPUs a GPU 8 places away is as near either way, so that a pair gets"
            " twice the lanes. The module's own settings keep the sums and the whole ring.",
            "",
        ]

    def _add_strong(self):
        texts = []
        for model in dict.fromkeys(row["model"] for row in self._rows.find("strong/switches-search")):
            parts = []
            for name, series in (
                ("data parallelism on SiP-OCS", "switches-data-parallel"),
                ("groups of 8 by the published rules", "switches-published"),
                ("search on SiP-OCS", "switches-search"),
                ("on SiP-Ring", "ring-search"),
                ("on the ideal switch", "electrical-search"),
                ("on servers of 8 GPUs", "servers-search"),
            ):
                points = self._rows.curve(f"strong/{series}", "gpus", model=model)
                if len(points) > 1:
                    parts.append(f"{name} {1e3 * points[0][1]:.1f} ms on {points[0][0]:g} GPUs and"
                                 f" {1e3 * points[-1][1]:.2f} ms on {points[-1][0]:g}")
            texts.append(f"{get_title(model)}: {', '.join(parts)}")
        parallel = get_points(self._rows, "strong/switches-data-parallel", "gpus")
        least, most = (end((gpus for _, gpus in parallel), default=0) for end in (min, max))
        gains = [
            parallel[key] / seconds
            for key, seconds in get_points(self._rows, "strong/switches-search", "gpus").items()
            if key[1] == most and key in parallel
        ]
        errors = [
            abs(float(row["predicted_s"]) / float(row["iteration_s"]) - 1)
            for row in self._rows.find_figure("planners")
            if row["predicted_s"] and row["iteration_s"]
        ]
        self._section(
            "Strong scaling",
            "strong",
            "SiP-ML is for strong scaling: the same batch on more GPUs.",
            f"A batch of 1024 on {least:g} to {most:g} GPUs at 2 Tb/s, servers of 8 GPUs with one card of 400 Gb/s. "
            + "; ".join(texts)
            + ". Times are those of the cost model"
            + (f", which is within {100 * max(errors):.1f} % of the simulations of 64 GPUs below." if errors else "."),
            say(most == 1024, "On 1024 GPUs data parallelism has one sample for each, and sends all gradients.").lstrip()
            + " The published rules let 8 GPUs share an operator at no loss, and send an eighth of the gradients each."
            + say(
                gains and max(gains) < 1.5,
                "With all transfers, and small operators as slow as they are,"
                f" the best plan on {most:g} GPUs is at most {max(gains, default=0):.2f} times as fast as data parallelism.",
            ),
        )

    def _add_batch(self):
        texts = []
        for name, series in (
            ("data parallelism on the ideal switch", "electrical-data-parallel"),
            ("search on the ideal switch", "electrical-search"),
            ("on SiP-OCS", "switches-search"),
            ("on SiP-Ring", "ring-search"),
            ("on servers of 8 GPUs", "servers-search"),
        ):
            for model in dict.fromkeys(row["model"] for row in self._rows.find(f"batch/{series}")):
                points = self._rows.curve(f"batch/{series}", "batch", get_minutes, model=model)
                if points:
                    size, minutes = min(points, key=lambda point: point[1])
                    texts.append(f"{get_title(model)}, {name}: {minutes:.1f} min with {size:g}")
        rows = self._rows.find("batch/electrical-data-parallel")
        gpus = rows[0]["gpus"] if rows else "-"
        self._section(
            "Batch with the least time to accuracy",
            "batch",
            "SiP-ML chooses the batch with the least time to accuracy.",
            f"{gpus} GPUs at 2 Tb/s. The best batch of those in the figure: " + "; ".join(texts) + ".",
            "Iterations of small batches are dominated by what does not shrink with them, gradients and the launch of"
            " operators; large batches need more samples (:doc:`training`).",
        )

    def _add_scaling(self):
        texts = []
        for model in MLPERF:
            points = dict(
                self._rows.curve("scaling/data-parallel", "gpus", get_minutes, model=model)
            )
            shared = [(gpus, minutes) for gpus, minutes in MLPERF[model] if gpus in points]
            if shared:
                texts.append(
                    TITLES[model]
                    + " "
                    + ", ".join(f"{points[g]:.1f} ({m} in MLPerf) on {g} GPUs" for g, m in shared)
                )
        self._section(
            "Weak scaling",
            "scaling",
            "Figure 1 of the paper shows that throughput grows with the GPUs, while time to accuracy falls"
            " ever slower, as larger batches need more samples.",
            "Data parallelism on servers of 8 V100 GPUs with 100 Gb/s a GPU. Minutes: "
            + "; ".join(texts)
            + ".",
            "MLPerf's submissions tune the batch to the system (26 to 208 images a GPU), run evaluation and"
            " start-up within their time, and have their own accuracy of each round; ours keeps the same"
            " samples on each GPU (64 images, 128 sentence pairs) and takes what MLPerf's reference runs"
            " converge in. Published and our settings do not differ here: nothing is split.",
        )

    def _add_bandwidth(self):
        rings = self._ratios("ring-ours", "electrical-ours")
        switches = self._ratios("switches-ours", "electrical-ours")
        published = self._ratios("switches-published", "electrical-published")
        again = self._ratios("ring-published", "ring-once")

        def milliseconds(series):
            seconds = self._rows.seconds(series, model="resnet50", bandwidth="2Tbps")
            return "-" if seconds is None else f"{1e3 * seconds:.2f} ms"

        def get_big(series, rate):
            seconds = self._rows.seconds(f"bandwidth/{series}", model=BIG, bandwidth=rate)
            return "-" if seconds is None else f"{1e3 * seconds:.2f} ms at {rate[:-4]} Tb/s"

        self._section(
            "Rate of a GPU",
            "bandwidth",
            "Time to accuracy falls with the rate of a GPU, and SiP-ML stays near the ideal electrical switch.",
            f"{self._gpus} GPUs, published settings (first figure): SiP-OCS takes {by_model(published, '{:.3f}')} times as long"
            f" as the ideal electrical switch. With all transfers that operators need (second"
            f" figure) the strategy of 8 GPUs takes, over the ideal electrical switch,"
            f" {by_model(switches)} times on SiP-OCS and {by_model(rings)} times on SiP-Ring. GPT-2, for which there is no"
            f" measured convergence, is given the {GPT2_ITERATIONS} iterations of the released simulator. Times of the"
            " search are those of its cost model.",
            "By the published rules pieces read only what overlaps theirs, so that groups send hardly anything"
            " among themselves, and the fabric carries little but gradients. Decisions of the ring each 100 us take"
            f" {by_model(again)} times as long as one. ResNet-50 at 2 Tb/s takes"
            f" {milliseconds('bandwidth/ring-once')} if the ring is set once, {milliseconds('bandwidth/ring-published')}"
            f" with decisions, {milliseconds('evidence/ring-planned')} with decisions from the planned demand and"
            f" {milliseconds('evidence/ring-backlog')} with decisions from the bytes that wait at the moment: a step of a"
            " collective, so that other pairs have no lightpath until the next decision. The released simulator hands"
            " over all bytes of a pair at once. Rates at which the ring has fewer lightpaths"
            " than a plan has pairs are refused and missing. The Transformer, whose gradients its computation hides"
            f" from 2 Tb/s on, takes {get_big('ring-once', '0.5Tbps')} and {get_big('ring-once', '1Tbps')} on the ring,"
            f" {get_big('switches-published', '0.5Tbps')} on SiP-OCS, and {get_big('electrical-published', '0.25Tbps')} on the"
            " ideal switch: the ring is as fast as networks of half the rate. How lanes are shared out does not matter,"
            " since a GPU has one peer, and circuits for each phase take as long. A ring of replicas that are neighbours"
            " goes there and back: in hops of two segments it fills each segment both ways, with half of the lanes"
            " of a GPU for each lightpath (:doc:`collectives`).",
            "bandwidth-ours",
        )

    def _add_hybrid(self):
        ratios = {
            series: {k: 1 / v for k, v in self._ratios(series, "data-parallel").items()}
            for series in ("switches-published", "electrical-published", "ring-search", "switches-search")
        }
        self._section(
            "Hybrid and data parallelism",
            "hybrid",
            "Up to 2 times as fast as data parallelism alone at Tb/s.",
            f"By the published settings with our compute times {by_model(ratios['switches-published'])} times on SiP-OCS and"
            f" {by_model(ratios['electrical-published'])} on the ideal electrical switch; planned by the search, with our"
            f" settings, {by_model(ratios['ring-search'])} times on SiP-Ring and"
            f" {by_model(ratios['switches-search'])} on SiP-OCS. The table of claims has the released compute times.",
            "By the published settings an operator on the samples of a whole group is split over its 8 GPUs in"
            " proportion, and larger operators are more efficient: with few samples a GPU (8 images, 1 sentence"
            " pair, 1 sequence) our model of an accelerator makes this most of the gain, and the ideal electrical switch"
            " has it, too. On an accelerator whose small operators are less efficient, in turn, splitting gains little at"
            " these batches: see the table of transfers and shares below.",
        )

    def _add_delay(self):
        once = self._rows.seconds("delay/once-ours", model="resnet50")
        times = self._rows.curve(
            "delay/max-min-ours", "reconfigurationDelay", model="resnet50"
        )
        demand = self._rows.curve(
            "delay/max-demand-ours", "reconfigurationDelay", model="resnet50"
        )
        phase = self._rows.curve("delay/phase-ours", "reconfigurationDelay", model="resnet50")

        def write(points):
            return ", ".join(f"{1e3 * y:.1f} ms at {1e6 * x:g} us" for x, y in points)

        self._section(
            "Reconfiguration delay",
            "delay",
            "Microseconds of delay are near the optimum; from milliseconds on, one configuration for the job is"
            " better.",
            f"64 GPUs in groups of 8, 20 switches, 2 Tb/s a GPU, all transfers. ResNet-50: {1e3 * once:.1f} ms"
            f" with circuits that are set once; decided on after each 5 delays from the bytes under way, by max-min"
            f" {write(times)}, and by max-demand, as in the released simulator, {write(demand)}; once for each"
            f" phase {write(phase)}. By the published rules circuits stay as they are, as"
            " what is sent is too little to be decided on again.",
            "Max-demand gives all switches to one set of pairs until these are served; GPUs that must hear from 7"
            " others wait for some decisions. Where 5 delays are longer than an iteration, there is no"
            " second decision.",
        )

    def _add_degree(self):
        published = self._rows.curve("degree/published", "switches", model="resnet50")
        ours = self._rows.curve("degree/ours", "switches", model="resnet50")
        low = min(ours, key=lambda point: point[1])
        high = max(ours, key=lambda point: point[1])
        self._section(
            "Circuits of a GPU",
            "degree",
            "9 to 20 switches were simulated; their results are not at hand.",
            f"2 Tb/s a GPU in equal circuits. ResNet-50: {span((1e3 * y for _, y in published))} ms by the"
            f" published rules; with all transfers on 64 GPUs from {1e3 * low[1]:.1f} ms ({low[0]:g} circuits) to"
            f" {1e3 * high[1]:.1f} ms ({high[0]:g}).",
            "More circuits are not always better: a GPU has 8 peers, 7 in its group and 1 among the replicas, and"
            " the circuits of a GPU are whole. What counts is how evenly they are shared by 8.",
        )

    def _add_wavelengths(self):
        ours = self._rows.curve(
            "wavelengths/ours", "wavelengthRate", model="resnet50"
        )
        cells = ", ".join(f"{1e3 * y:.1f} ms with {2e12 / x:g}" for x, y in reversed(ours))
        published = self._rows.curve(
            "wavelengths/published", "wavelengthRate", model="resnet50"
        )
        others = ", ".join(f"{1e3 * y:.1f} ms with {2e12 / x:g}" for x, y in reversed(published))
        self._section(
            "Wavelengths of a GPU",
            "wavelengths",
            "20 to 320 wavelengths of 25 Gb/s were simulated, which is 0.5 to 8 Tb/s: the figure of rates above.",
            f"Here 2 Tb/s are split into 20 to 320. ResNet-50 on 64 GPUs with all transfers: {cells}."
            f" By the published rules on {self._gpus} GPUs:"
            f" {others}.",
            "By the published rules a GPU sends to one neighbour, which gets the same rate from few wavelengths or many."
            " With all transfers a GPU has several peers, and wavelengths are whole: few are shared unevenly.",
        )

    def _add_scale(self):
        texts = []
        for name, series in (
            ("SiP-Ring set once", "ring-once"),
            ("SiP-Ring with decisions each 100 us", "ring-published"),
            ("SiP-OCS", "switches-published"),
        ):
            points = self._rows.curve(f"scale/{series}", "gpus", model="resnet50")
            texts.append(name + " " + ", ".join(f"{1e3 * y:.2f} ms on {x:g}" for x, y in points))
        ours = get_points(self._rows, "scale/switches-ours", "gpus")
        self._section(
            "Number of GPUs",
            "scale",
            "Scales to thousands of GPUs.",
            "Groups of 8 GPUs at 2 Tb/s, the same samples on each GPU. ResNet-50, published: "
            + "; ".join(texts)
            + f" GPUs. The figure has our settings up to {max((n for _, n in ours), default=0):g} GPUs, too.",
            "The whole ring is simulated; the released simulator has one group on a ring of its own.",
        )

    def _add_planners(self):
        ratios = {}
        for fabric in ("ring", "switches", "electrical", "servers"):
            for model in self._models:
                option = "serverRate" if fabric == "servers" else "bandwidth"
                found = self._curve(f"planners/{fabric}-search", option, model=model)
                for rate, seconds in self._curve(
                    f"planners/{fabric}-sip-ml", option, model=model
                ).items():
                    if rate in found:
                        ratios.setdefault(fabric, []).append(seconds / found[rate])
        names = {
            "ring": "SiP-Ring",
            "switches": "SiP-OCS",
            "electrical": "the ideal electrical switch",
            "servers": "servers of 8 GPUs",
        }
        text = ", ".join(f"{span(ratios[f])} times on {names[f]}" for f in names if f in ratios)
        self._section(
            "Planners",
            "planners",
            "There is one planner in the paper.",
            f"64 GPUs, our settings; SiP-ML's planner chooses its replicas by its own estimate. Its plans take {text} as"
            " long as those of the search.",
            "The search prices plans as the simulation runs them, and may use pipelines, shared state, other"
            " collectives and any divisors.",
        )

    def _add_reasons(self):
        def milliseconds(series, **options):
            seconds = self._rows.seconds(f"evidence/{series}", **options)
            return "-" if seconds is None else f"{1e3 * seconds:.2f} ms"

        self._lines += ["Experiments", "-----------", ""]
        self._lines += [
            "What the differences come from, each by one change. ResNet-50 on 64 GPUs in groups of 8, 2 Tb/s, circuits"
            " set once:",
            "",
        ]
        cells = []
        for mode, what in (("attribute", "all that operators need"), ("overlap", "overlapping pieces")):
            for splitting, shares in (("roofline", "as the accelerator"), ("linear", "in proportion")):
                cells.append(
                    (
                        what,
                        shares,
                        milliseconds(f"ring-{mode}-{splitting}"),
                        milliseconds(f"electrical-{mode}-{splitting}"),
                        self._light(f"evidence/ring-{mode}-{splitting}"),
                    )
                )
        self._table(
            "Transfers and shares", ("pieces read", "shares take", "SiP-Ring", "ideal electrical", "feasible"), cells
        )
        settings = (
            ("continuity of wavelengths, set once", "attribute-roofline"),
            ("the same without continuity", "load-only"),
            ("each 100 us, no continuity, all dark", "decisions-published"),
            ("the same with continuity", "decisions-continuity"),
            ("and dark where circuits change only", "decisions-partial"),
            ("and 10 us for a decision", "decisions-charged"),
        )
        self._table(
            "Decisions of the ring, all transfers",
            ("setting", "iteration", "feasible"),
            [(what, milliseconds(f"ring-{name}"), self._light(f"evidence/ring-{name}")) for what, name in settings],
        )
        cells = []
        for model, rate in get_points(self._rows, "hybrid/switches"):
            times = [
                get_points(self._rows, f"hybrid/{name}").get((model, rate))
                for name in ("data-parallel", "ring", "switches", "electrical", "servers-400", "servers-200")
            ]
            times = [f"{1e3 * seconds:.2f}" if seconds else "-" for seconds in times]
            light = self._light("hybrid/ring", "hybrid/switches", model=model, bandwidth=f"{rate / 1e12:g}Tbps")
            cells.append([get_title(model), f"{rate / 1e12:g} Tb/s", *times, light])
        self._table(
            f"Gradients and compute times of the released simulator, {self._gpus} GPUs, ms: data parallelism on the"
            " ideal switch, and groups of 8",
            ("model", "rate", "data parallel", "SiP-Ring", "SiP-OCS", "ideal", "servers 400 Gb/s", "servers 200 Gb/s",
             "feasible"),
            cells,
        )
        sizes = self._rows.curve("evidence/ring-size", "gpus", model="resnet50")
        pairs = [
            (self._rows.seconds(f"placement/ring-ours{kind}", model=model), model)
            for model in self._models
            for kind in ("-linear", "")
        ]
        both = "; ".join(
            f"{get_title(model)} {1e3 * linear:.1f} and {1e3 * found:.1f} ms"
            for (linear, model), (found, _) in zip(pairs[::2], pairs[1::2])
            if linear and found
        )
        self._lines += [
            "A ring longer than a group of 8 GPUs is a line to the group: what crosses its middle has one way."
            " ResNet-50 on SiP-Ring, all transfers: "
            + ", ".join(f"{1e3 * y:.1f} ms on {x:g} GPUs" for x, y in sizes)
            + ". The released simulator has its group alone on the ring.",
            "",
            f"All transfers on 64 GPUs, with replicas 8 places apart and with the placement that is found: {both}.",
            "",
        ]
        cells = []
        for row in self._rows.find("mordia/exclusive"):
            reuse = self._rows.seconds("mordia/ring-once", model=row["model"], gpus=row["gpus"])
            alone = get_seconds(row)
            cells.append(
                (
                    get_title(row["model"]),
                    row["gpus"],
                    "-" if reuse is None else f"{1e3 * reuse:.2f} ms",
                    "refused" if alone is None else f"{1e3 * alone:.2f} ms",
                    self._light("mordia/ring-once", "mordia/exclusive", model=row["model"], gpus=row["gpus"]),
                )
            )
        self._table(
            "A ring that uses no wavelength twice, as Mordia, by the published rules at 2 Tb/s (80 wavelengths)",
            ("model", "GPUs", "SiP-Ring", "without reuse", "feasible"),
            cells,
        )


def get_page(rows):
    """Returns the page as reStructuredText."""
    return Page(rows).get()
