"""The search of lightpath-design: networks, plans, their prices by lightpath-train, and the front of the best."""

import itertools
import json
import math
import os
import re
import sys
import threading

import lightpath

MODULE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
# What is searched unless it is given
DEFAULTS = {
    "fabric": ["electrical", "rail-only", "leaf-spine-flows", "sip-ring", "sip-ocs", "oddl", "photonic-rails"],
    "bandwidth": ["200Gbps", "400Gbps", "800Gbps", "1600Gbps"],
    "serverGpus": ["8", "16", "32", "64"],
    "switches": ["1", "4"],
    "oversubscription": ["1", "4"],
    "optics": ["pluggable", "co-packaged"],
    "gpus": ["64"],
}
# Options that matter to all fabrics, and those with optics of electrical switches
COMMON = ("fabric", "bandwidth", "gpus", "server", "serverGpus", "serverRate", "attach", "accelerator")
ELECTRICAL = re.compile("electrical|rail-o|leaf-spine|fat-tree|dragonfly|cluster")
# No fabric beats this one with the same plan, at the highest rate and with the largest servers
IDEAL = "electrical"
UNITS = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
COUNTS = ("priced", "excluded by a bound", "refused", "without light", "over budget")
# Options that belong to some fabrics, also with one value
OWNED = ("decisionInterval", "reconfigurationDelay", "reconfigure", "routing", "slotTime", "trigger")
# Options of a fixed plan by the members of a plan in JSON, and what they are without the option
PLAN = {
    "tp": ("tensorParallel", 1),
    "pp": ("pipelineParallel", 1),
    "cp": ("contextParallel", 1),
    "ep": ("expertParallel", 1),
    "virtualStages": ("virtualStages", 1),
    "schedule": ("schedule", "1f1b"),
    "recompute": ("recomputation", "none"),
    "zero": ("zeroStage", 0),
    "shardGpus": ("shardGpus", 0),
    **{name: (name, False) for name in ("sequenceParallel", "contextGather", "wholeExperts", "oncePerServer", "wholeGradients")},
}


def read_words(words):
    """Return the options that are searched with their values, and the other words of a command line."""
    given, others = {}, []
    for word in words:
        name, equals, text = word[2:].partition("=")
        if name in ("compare", "planOnly", "cost", "iterations", "explain", "report", "timeline"):
            raise ValueError(f"--{name} is not for a search: give it to the command of a design")
        is_list = re.fullmatch(r"\{(.*,.*)\}", text)
        if not equals or "::" in name or name in ("attribute", "fail"):
            others.append(word)
        else:
            given.setdefault(name, []).extend(is_list[1].split(",") if is_list else [text])
    if not {"accelerator", "server"} & set(given):
        # The price of the default of lightpath-train is not known
        given["accelerator"] = ["H100"]
    if "serverGpus" not in given:
        # A server with the whole job needs no fabric
        most = min(map(int, filter(str.isdecimal, given.get("gpus", DEFAULTS["gpus"]))), default=2)
        sizes = [size for size in DEFAULTS["serverGpus"] if int(size) < most and "server" in given]
        given["serverGpus"] = sizes or [str(most) if "server" in given else "1"]
    axes = {name: given.pop(name, values) for name, values in DEFAULTS.items()}
    axes.update({name: given.pop(name) for name in list(given) if len(given[name]) > 1 or name in OWNED})
    return {name: list(dict.fromkeys(axes[name])) for name in axes}, others + lightpath.get_words(
        {name: values[0] for name, values in given.items()}
    )


def get_rate(text):
    """Return a rate like 400Gbps in bit/s."""
    match = re.fullmatch(r"([0-9.]+)([kMGT]?)bps", text)
    if not match:
        raise ValueError(f"--bandwidth={text} must be a rate, like 400Gbps")
    return float(match[1]) * UNITS[match[2]]


class GpuPrices:
    """Price and power of GPUs, from the files of components."""

    def __init__(self, words):
        self._known = {}
        files = [word.partition("=")[2] for word in words if word.startswith("--components=")]
        for name in [os.path.join(MODULE, "data/components.json"), *files]:
            try:
                with open(name, encoding="utf-8") as file:
                    components = json.load(file)["components"]
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise ValueError(f"{name} is no file with components that can be read") from error
            for component in components:
                self._known.setdefault(component["name"], {}).update(component)

    def add(self, cost, accelerator, gpus):
        """Return dollars and watts of a network and its GPUs."""
        gpu = self._known.get(f"gpu-{accelerator}", {})
        if "price" not in gpu or "watts" not in gpu:
            raise ValueError(f"Price or power of {accelerator} is not known: give gpu-{accelerator} in a file to --components")
        return (
            cost["networkDollars"] + gpus * gpu["price"]["value"],
            cost["networkWatts"] + gpus * gpu["watts"]["value"],
        )


class Design:
    """A network of some GPUs, by the options that make it, with the best plan that is known for it."""

    def __init__(self, network):
        self.network = network
        self.plan = self.result = self.simulated = self.fault = None
        self.refusal = ""
        self.seconds = math.inf
        self.dollars = self.watts = math.nan
        self.is_searched = False

    def get_values(self):
        """Return what is to be small: time, price and power."""
        return self.seconds, self.dollars, self.watts


def find_front(designs, tolerance):
    """Return the designs than which no other one is as good in all of time, price and power, and better in one, where
    values of the same step of the tolerance are equal."""
    step = math.log1p(tolerance)
    best = {}
    for design in sorted(designs, key=Design.get_values):
        best.setdefault(tuple(round(math.log(value) / step) for value in design.get_values()), design)
    return [
        design
        for key, design in best.items()
        if not any(other != key and all(map(int.__le__, other, key)) for other in best)
    ]


def choose_rows(front, most):
    """Return the ends of a front and its best compromises, with the goal that each serves best; then those that differ
    most from all chosen ones."""
    goals = {
        "fastest": lambda d: d.get_values(),
        "cheapest": lambda d: (d.dollars, d.seconds, d.watts),
        "least power": lambda d: (d.watts, d.seconds, d.dollars),
        "most for the money": lambda d: d.seconds * d.dollars,
        "most for the power": lambda d: d.seconds * d.watts,
    }
    rows = {}
    for goal, key in goals.items() if front else ():
        rows.setdefault(min(front, key=key), []).append(goal)

    def get_distance(design):
        return min(sum(math.log(a / b) ** 2 for a, b in zip(design.get_values(), row.get_values())) for row in rows)

    while len(rows) < min(most, len(front)):
        rows[max((design for design in front if design not in rows), key=get_distance)] = ["between"]
    return sorted(rows.items(), key=lambda row: row[0].get_values())


class Search:
    """The search for designs of a job, which lightpath-train prices."""

    def __init__(self, words, values):
        self.axes, self.others = read_words(words)
        # Values of a plan are proposals, and none of a network
        self._plan_axes = {name: self.axes.pop(name) for name in list(self.axes) if name in (*PLAN, "microbatch")}
        self._values = values
        self._jobs = values["jobs"] or None
        # What a planner of its own has
        self._proposing = [word for word in self.others if word.startswith(("--planningTime=", "--seed="))]
        self.others = [word for word in self.others if word not in self._proposing]
        self._gpu_prices = GpuPrices(self.others)
        self._has_servers = any(word.startswith(("--server=", "--serverGpus=")) for word in words)
        # Those that one of the fabrics brings with it
        self.servers = None
        self._bounds = {}
        self._lock = threading.Lock()
        self.counts = dict.fromkeys(COUNTS, 0)
        self.refusal = ""
        self.designs = []

    def run(self):
        """Search, and return the designs that can be built."""
        self._share_servers()
        networks = self._make_networks()
        references = self._make_references(networks)
        plans = self._run(self._propose, [(network,) for network in references])
        pairs = {(network["gpus"], each) for network, plan in zip(references, plans) for each in self._vary(plan)}
        pairs = sorted(pairs, key=str)
        # Times on the best network are bounds for all
        for pair, seconds in zip(pairs, self._run(self._find_bound, pairs)):
            self._bounds.setdefault(pair[0], []).append((seconds, pair[1]))
        self.designs = designs = [Design(network) for network in networks]
        self._run(self._price_plans, designs)
        for _ in range(2):
            rows = [design for design, _ in choose_rows(self.find_front(designs), 5)]
            self._run(self._search_anew, [row for row in rows if not row.is_searched][: self._values["searches"]])
        found = list(filter(is_built, designs))
        if not found:
            counted = ", ".join(f"{number} {name}" for name, number in self.counts.items() if number)
            raise ValueError(f"No design can be built ({counted}){': ' if self.refusal else ''}{self.refusal}")
        return found

    def find_front(self, designs):
        """Return the best designs."""
        return find_front(filter(is_built, designs), self._values["tolerance"])

    def get_command(self, design):
        """Return the words of lightpath-train that price a design."""
        return [*self.others, *lightpath.get_words(design.network), *(design.plan or ())]

    def simulate(self, design):
        """Simulate a design."""
        words = [*self.get_command(design), f"--timeout={self._values['simulationTime']}"]
        try:
            design.simulated = lightpath.train(*words, cost=True, iterations=2)["runs"][0]["iterationSeconds"][-1]
        except lightpath.Refused as error:
            design.fault = str(error)

    def simulate_all(self, designs):
        """Simulate designs."""
        self._run(self.simulate, designs)

    def _run(self, function, cases):
        """Return function(case) of each case; a refusal goes on."""

        def call(case):
            return function(*case) if isinstance(case, tuple) else function(case)

        def show(number, _):
            if sys.stderr.isatty():
                end = "" if number < len(cases) else "\r\033[K"
                print(f"\r\033[K{number} of {len(cases)}{end}", end="", file=sys.stderr, flush=True)

        results = lightpath.run_all(call, cases, self._jobs, show)
        for result in results:
            if isinstance(result, lightpath.Refused):
                raise result
        return results

    def _count(self, name, number=1):
        """Count designs."""
        with self._lock:
            self.counts[name] += number

    def _try(self, *words, refusals=None, **options):
        """Run lightpath-train for a plan; None if it refuses, with the sentence in the list of refusals."""
        try:
            return lightpath.train(*words, planOnly=True, rehearse=False, **options)
        except lightpath.Refused as error:
            if " belongs to " in str(error) or "There is no" in str(error):
                raise
            self.refusal = str(error)
        except lightpath.Failed as error:
            # The system ends what takes more memory than there is
            if "exit code -9" not in str(error):
                raise
            self.refusal = "A price takes more memory than this machine has"
        if refusals is not None:
            refusals.append(self.refusal)
        return None

    def _share_servers(self):
        """Give all fabrics the servers that one of them brings with it, as it would beat others by these."""
        if self._has_servers:
            return
        words = [word for word in self.others if word.startswith(("--accelerator=", "--rails=", "--serverRate="))]
        try:
            result = lightpath.train(*words, compare=self.axes["fabric"], gpus=64, planner="fixed", planOnly=True, rehearse=False)
        except lightpath.Refused:
            # So are all designs, each with its reason
            return
        servers = result.get("servers")
        if servers and all(int(gpus) > servers["gpus"] and int(gpus) % servers["gpus"] == 0 for gpus in self.axes["gpus"]):
            self.servers = servers
            self.axes["serverGpus"] = [str(servers["gpus"])]
            if not {"accelerator", "serverRate"} & set(self.axes):
                self.others.append(f"--serverRate={servers['rateBps'] / 1e9:g}Gbps")

    def _make_networks(self):
        """Return all networks: no two differ in an option that their fabric does not have."""
        probes = [(fabric, name) for fabric in self.axes["fabric"] for name in self.axes if name not in (*COMMON, "optics")]

        def has(fabric, name):
            try:
                lightpath.train(gpus=16, batch=64, planner="fixed", fabric=fabric, planOnly=True, rehearse=False, **{name: self.axes[name][-1]})
            except lightpath.Refused as error:
                return " belongs to " not in str(error)
            return True

        owns = dict(zip(probes, self._run(has, probes)))
        networks = [{}]
        for name, values in self.axes.items():
            networks = [
                {**network, name: value} if matters else network
                for network in networks
                for matters in [
                    name == "fabric"
                    or (ELECTRICAL.search(network["fabric"]) if name == "optics" else owns.get((network["fabric"], name), True))
                ]
                for value in (values if matters else [None])
            ]
        return [network for network in networks if int(network["gpus"]) % int(network["serverGpus"]) == 0]

    def _make_references(self, networks):
        """Return the networks for which plans are proposed: for all GPUs and sizes of servers, the ideal fabric at the
        lowest and the highest rate."""
        rates = {min(self.axes["bandwidth"], key=get_rate), max(self.axes["bandwidth"], key=get_rate)}
        names = [name for name in self.axes if name in COMMON]
        references = [{name: network[name] for name in names} for network in networks if network["bandwidth"] in rates]
        plans = [dict(zip(self._plan_axes, values)) for values in itertools.product(*self._plan_axes.values())]
        distinct = dict.fromkeys(tuple({**each, "fabric": IDEAL}.items()) for each in references)
        return [{**dict(pairs), **plan} for pairs in distinct for plan in plans]

    def _propose(self, network):
        """Return the options of a plan that the planner proposes for a network; None if it has none."""
        is_search = self._values["planner"] == "search"
        words = [*self.others, *lightpath.get_words(network), f"--planner={self._values['planner']}", *self._proposing]
        result = self._try(*words, planningLog=is_search or None)
        if not result:
            self._count("refused")
            return None
        plan = result["plan"]
        if is_search:
            self._count("priced", plan["planningLog"]["points"][-1]["evaluations"])
        texts = {option: plan[name] for option, (name, usual) in PLAN.items() if plan[name] != usual}
        texts["microbatch"] = result["globalBatch"] // plan["dataParallel"] // plan["microbatches"]
        words = ["--planner=fixed", *lightpath.get_words(texts)]
        attributes = {"Cuts": ",".join(map(str, plan["cuts"])), "BucketBytes": plan["bucketBytes"]}
        for name, value in attributes.items():
            words += [f"--ns3::lightpath::FixedPlanner::{name}={value}"] if value not in ("", 26214400) else []
        words += ["--trigger=phase"] if plan["phaseCircuits"] else []
        return tuple(words)

    def _vary(self, plan):
        """Return a plan that was proposed, if there is one; of megatron, which recomputes all activations whatever the
        memory, also with less of that, and with microbatches that leave memory for it."""
        full = "--recompute=full"
        if not plan or full not in plan or self._values["planner"] != "megatron":
            return [plan] if plan else []
        others = tuple(word for word in plan if word != full)
        small = tuple("--microbatch=1" if word.startswith("--microbatch=") else word for word in others)
        more = [(*words, *less) for words in (others, small) for less in ((), ("--recompute=selective",))]
        return list(dict.fromkeys([plan, *more]))

    def _find_bound(self, gpus, plan):
        """Return the time of a plan on a network that is at least as fast as all others; infinity if it is refused."""
        ideal = {
            "fabric": IDEAL,
            "bandwidth": max(self.axes["bandwidth"], key=get_rate),
            "serverGpus": max((size for size in self.axes["serverGpus"] if int(gpus) % int(size) == 0), key=int),
        }
        result = self._try(*self.others, *lightpath.get_words({"gpus": gpus, **ideal}), *plan)
        return result["plan"]["predictedIterationSeconds"] if result else math.inf

    def _price_plans(self, design):
        """Find the best of all plans on the network of a design: those that are fast on an ideal one come first."""
        plans = sorted(self._bounds.get(design.network["gpus"], []))
        for number, (bound, plan) in enumerate(plans):
            if bound >= design.seconds and not self._values["all"]:
                self._count("excluded by a bound", len(plans) - number)
                return
            outcome = self._price(design, plan)
            if outcome in ("without light", "over budget") and design.network["fabric"] != "sip-ring":
                # So is any other plan on the same network
                self._count(outcome, len(plans) - number - 1)
                return

    def _price(self, design, plan):
        """Price a plan on the network of a design, and keep the better one; return what became of it."""
        own = ()
        if int(design.network["serverGpus"]) > self._values["copperGpus"]:
            own = (f"--components={os.path.relpath(os.path.join(MODULE, 'data/domain-optics.json'))}",)
        refusals = []
        result = self._try(*self.others, *lightpath.get_words(design.network), *own, *plan, refusals=refusals, cost=True)
        outcome = "refused"
        design.refusal = "".join(refusals)
        if result:
            run = result["runs"][0]
            dollars, watts = self._gpu_prices.add(run["cost"], result["accelerator"], result["gpus"])
            seconds = result["plan"]["predictedIterationSeconds"]
            outcome = "priced"
            if not run["feasible"]:
                outcome = "without light"
                design.refusal = f"without light: {run['light']['fault']}"
            elif any(0 < most < value for most, value in ((self._values["dollars"], dollars), (self._values["watts"], watts))):
                outcome = "over budget"
                design.refusal = "over budget"
            elif seconds < design.seconds:
                design.seconds, design.dollars, design.watts = seconds, dollars, watts
                design.plan, design.result = (*own, *plan), result
        self._count(outcome)
        return outcome

    def _search_anew(self, design):
        """Let the planner propose a plan for the network of a design itself."""
        design.is_searched = True
        if self._values["planner"] == "fixed":
            return
        for plan in self._vary(self._propose(design.network)):
            if all(plan != known for _, known in self._bounds[design.network["gpus"]]):
                self._price(design, plan)


def is_built(design):
    """Return whether there is a plan for the network of a design, whose light arrives, in the budget."""
    return design.seconds < math.inf
