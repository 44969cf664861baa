"""What is simulated for each figure: sweeps of lightpath-train.

A label is FIGURE/SERIES. The published settings are those of the released simulator of SiP-ML; ours
are what the fabrics need physically. The claims of ODDL and OptINC are in papers.py.
"""

from papers import optinc, oddl

# Global batch on 1024 GPUs, as in the released simulator
# Mixed precision of the paper's time sums gradients with 16 bits
BIG, GPT2 = "transformer-big:gradients=half", "gpt2-355m:gradients=half"
MODELS = {"resnet50": 8192, BIG: 1024, GPT2: 1024}
TITLES = {"resnet50": "ResNet-50", BIG: "Transformer (big)", GPT2: "GPT-2 355M"}

# GPUs of a group that splits the model
GROUP = 8

# Hops of the longest lightpath on a ring by the window in which the planner of SiP-ML places pieces
RING_HOPS = 16

COMMON = "--accelerator=V100 --iterations=1"

# The planner of SiP-ML with the rules of its released simulator, and with what operators need
PUBLISHED = "--planner=sip-ml --splitMode=overlap --splitting=linear"
OURS = "--planner=sip-ml --splitMode=attribute --splitting=roofline"
SEARCH = "--planner=search --splitting=roofline"
DATA_PARALLEL = "--planner=fixed --splitting=roofline"

PUBLISHED_RING = (
    "--fabric=sip-ring --placement=automatic --wavelengthMode=load-only --pauseMode=global --decisionTime=0s"
    " --decisionInterval=100us --reconfigurationDelay=20us --attribute=FillLeftover=false"
)
PUBLISHED_RING_ONCE = PUBLISHED_RING.replace(" --decisionInterval=100us", "")
PUBLISHED_SWITCHES = (
    "--fabric=sip-ocs --switches=20 --pauseMode=global --decisionTime=0s"
    " --reconfigurationDelay=10ms --initialSwitching=false --attribute=FillLeftover=false"
)
OUR_RING = (
    "--fabric=sip-ring --placement=automatic --wavelengthMode=continuity --pauseMode=partial --decisionTime=10us"
    " --initialSwitching=false"
)
OUR_SWITCHES = (
    "--fabric=sip-ocs --switches=20 --pauseMode=partial --decisionTime=10us"
    " --initialSwitching=false"
)
ELECTRICAL = "--fabric=electrical"

SERVER = "--fabric=electrical --serverGpus=8 --attach=gpu"
# Where the pieces of a replica exchange nothing, the cheapest places are none that a cluster has: a replica is a server
REPLICA_SERVER = f"{SERVER} --placement=linear"


def share(cards, gigabits):
    """Returns what the network cards of a server of 8 GPUs give a GPU."""
    return f"{cards * gigabits / 8:g}Gbps"


# Today's cluster: the network cards of a server and their Gb/s. The names are those of the paper
SERVERS = {"servers-400": share(1, 400), "servers-200": share(1, 200)}
# Of these, 8 x 200 is a DGX A100 and 8 x 400 a DGX H100
CARDS = [(1, 50), (1, 100), (1, 200), (1, 400), (2, 400), (4, 400), (8, 400)]

# The models of the released simulator: gradients and times of its configuration, and the samples of a
# GPU that these times are for
RELEASED = {"resnet50": 8, "transformer": 1, "gpt2-355m": 1}


def scaled(model, gpus):
    """Returns the options of a model with as many samples a GPU as published."""
    return f"--model={model} --batch={MODELS[model] * gpus // 1024} --gpus={gpus}"


def replicas(gpus):
    """Returns the option of the published strategy, groups of 8 GPUs."""
    return f"--dp={gpus // GROUP}"


def to_half(rate):
    """Returns half of a rate in Tb/s."""
    return f"{float(rate[:-4]) / 2:g}Tbps"


class Sizes:
    """How much is simulated."""

    def __init__(self, quick):
        self.models = ["resnet50"] if quick else list(MODELS)
        self.gpus = 64 if quick else 1024
        self.small = 64
        self.rates = ["0.5Tbps", "2Tbps", "8Tbps"]
        if not quick:
            self.rates = ["0.5Tbps", "1Tbps", "2Tbps", "4Tbps", "8Tbps"]
        self.few_rates = ["2Tbps"] if quick else ["0.5Tbps", "2Tbps", "8Tbps"]
        self.delays = ["1us", "100us", "10ms"]
        if not quick:
            self.delays = ["1us", "10us", "100us", "1ms", "10ms", "30ms"]
        self.switches = [9, 16, 20] if quick else [9, 10, 12, 14, 15, 16, 20]
        self.wavelengths = [20, 80, 320] if quick else [20, 40, 80, 160, 320]
        self.scales = [64, 256] if quick else [64, 256, 1024, 4096]
        self.strong = [8, 64] if quick else [8, 32, 128, 512, 1024]
        self.batches = [512, 2048] if quick else [1024, 4096, 16384, 65536]
        self.batch_gpus = 64 if quick else 256
        self.cards = CARDS[2:4] if quick else CARDS
        self.distances = [1, 8] if quick else [1, 2, 4, 8, 16]
        self.weak = [8, 32, 128] if quick else [8, 16, 32, 64, 128, 256, 512, 1024]


def scaling(sizes):
    """Data parallelism on servers of 8 GPUs with 100 Gb/s a GPU, the same samples on each GPU."""
    for model, samples in (("resnet50", 64), (BIG, 128)):
        if model in sizes.models:
            for gpus in sizes.weak:
                yield "scaling/data-parallel", (
                    f"--model={model} --batch={samples * gpus} --gpus={gpus} {DATA_PARALLEL}"
                    f" {SERVER} --serverRate=1040Gbps --bandwidth=100Gbps --serverDelay=2us --delay=5us"
                    + (" --fold" if gpus > GROUP else "")
                )


def bandwidth(sizes):
    """Rates of a GPU, with the published strategy and planned anew."""
    gpus = sizes.gpus
    for model in sizes.models:
        for rate in sizes.rates:
            job = f"{scaled(model, gpus)} --bandwidth={rate}"
            groups = f"{job} {replicas(gpus)}"
            yield "bandwidth/ring-published", f"{groups} {PUBLISHED} {PUBLISHED_RING}"
            yield "bandwidth/ring-once", f"{groups} {PUBLISHED} {PUBLISHED_RING_ONCE}"
            yield "bandwidth/switches-published", f"{groups} {PUBLISHED} {PUBLISHED_SWITCHES}"
            yield "bandwidth/electrical-published", f"{groups} {PUBLISHED} {ELECTRICAL}"
            for name, card in SERVERS.items():
                yield f"bandwidth/{name}-published", (
                    f"{scaled(model, gpus)} {replicas(gpus)} {PUBLISHED} {REPLICA_SERVER}"
                    f" --serverRate={rate} --bandwidth={card}"
                )
            yield "bandwidth/data-parallel", f"{job} {DATA_PARALLEL} {ELECTRICAL} --fold"
        half = f"{scaled(model, gpus)} {replicas(gpus)} --bandwidth=0.25Tbps"
        yield "bandwidth/electrical-published", f"{half} {PUBLISHED} {ELECTRICAL}"
        for rate in sizes.few_rates:
            job = f"{scaled(model, gpus)} --bandwidth={rate}"
            yield "bandwidth/ring-ours", f"{job} {replicas(gpus)} {OURS} {OUR_RING}"
            yield "bandwidth/switches-ours", f"{job} {replicas(gpus)} {OURS} {OUR_SWITCHES}"
            yield "bandwidth/electrical-ours", f"{job} {replicas(gpus)} {OURS} {ELECTRICAL}"
            yield "bandwidth/ring-search", f"{job} {SEARCH} {OUR_RING} --planOnly --rehearse=false"
            # A plan has no light before its lightpaths are there
            yield "bandwidth/ring-search-simulated", f"{job} {SEARCH} {OUR_RING}"
            yield "bandwidth/switches-search", f"{job} {SEARCH} {OUR_SWITCHES} --planOnly --rehearse=false"
            yield "bandwidth/electrical-search", f"{job} {SEARCH} {ELECTRICAL} --planOnly --rehearse=false"
            at_half = f"{scaled(model, gpus)} --bandwidth={to_half(rate)}"
            if to_half(rate) not in sizes.few_rates:
                yield "bandwidth/electrical-search", f"{at_half} {SEARCH} {ELECTRICAL} --planOnly --rehearse=false"
            for name, card in SERVERS.items():
                yield f"bandwidth/{name}-search", (
                    f"{scaled(model, gpus)} {SEARCH} {SERVER} --serverRate={rate}"
                    f" --bandwidth={card} --planOnly --rehearse=false"
                )


def delay(sizes):
    """Switching delays, a decision after 5 of them where circuits are decided on again."""
    unit = {"us": 1, "ms": 1000}
    for model in sizes.models[:2]:
        job = f"{scaled(model, sizes.small)} {replicas(sizes.small)} --bandwidth=2Tbps"
        yield "delay/electrical-ours", f"{job} {OURS} {ELECTRICAL}"
        yield "delay/once-ours", f"{job} {OURS} {OUR_SWITCHES}"
        yield "delay/once-published", f"{job} {PUBLISHED} {PUBLISHED_SWITCHES}"
        for time in sizes.delays:
            again = f"{5 * int(time[:-2]) * unit[time[-2:]]}us"
            switching = f"--reconfigurationDelay={time} --decisionInterval={again}"
            for name, rules, pause in (("published", PUBLISHED, "global"), ("ours", OURS, "partial")):
                switches = (
                    f"{job} {rules} --fabric=sip-ocs --switches=20 --initialSwitching=false"
                    f" --pauseMode={pause} {switching}"
                )
                yield f"delay/max-demand-{name}", f"{switches} --allocator=max-demand"
                yield f"delay/max-min-{name}", f"{switches} --allocator=max-min"
            yield "delay/phase-ours", (
                f"{job} {OURS} --fabric=sip-ocs --switches=20 --initialSwitching=false"
                f" --pauseMode=partial --reconfigurationDelay={time} --trigger=phase"
            )
            if time != "1us":
                yield "delay/ring-published", (
                    f"{job} {PUBLISHED} --fabric=sip-ring --placement=automatic --wavelengthMode=load-only"
                    f" --attribute=FillLeftover=false --initialSwitching=false"
                    f" {switching}"
                )


def degree(sizes):
    """Parallel circuit switches, which is the circuits of a GPU."""
    for model in sizes.models:
        for switches in sizes.switches:
            large = f"{scaled(model, sizes.gpus)} {replicas(sizes.gpus)}"
            small = f"{scaled(model, sizes.small)} {replicas(sizes.small)}"
            options = "--bandwidth=2Tbps"
            published = PUBLISHED_SWITCHES.replace("=20 ", f"={switches} ")
            yield "degree/published", f"{large} {PUBLISHED} {published} {options}"
            ours = OUR_SWITCHES.replace("=20 ", f"={switches} ")
            yield "degree/ours", f"{small} {OURS} {ours} {options}"


def wavelengths(sizes):
    """Wavelengths of a GPU on the ring, which have 2 Tb/s together."""
    for model in sizes.models:
        for number in sizes.wavelengths:
            options = f"--bandwidth=2Tbps --wavelengthRate={2000 / number:g}Gbps"
            large = f"{scaled(model, sizes.gpus)} {replicas(sizes.gpus)}"
            small = f"{scaled(model, sizes.small)} {replicas(sizes.small)}"
            yield "wavelengths/published", f"{large} {PUBLISHED} {PUBLISHED_RING} {options}"
            yield "wavelengths/ours", f"{small} {OURS} {OUR_RING} {options}"


def scale(sizes):
    """Numbers of GPUs in groups of 8, the same samples on each GPU."""
    for model in sizes.models[:2]:
        for gpus in sizes.scales:
            job = f"{scaled(model, gpus)} {replicas(gpus)} --bandwidth=2Tbps {PUBLISHED}"
            yield "scale/ring-published", f"{job} {PUBLISHED_RING}"
            yield "scale/ring-once", f"{job} {PUBLISHED_RING_ONCE}"
            yield "scale/switches-published", f"{job} {PUBLISHED_SWITCHES}"
            yield "scale/electrical-published", f"{job} {ELECTRICAL}"
            if gpus <= 1024 and model == "resnet50":
                ours = f"{scaled(model, gpus)} {replicas(gpus)} --bandwidth=2Tbps {OURS}"
                yield "scale/ring-ours", f"{ours} {OUR_RING}"
                yield "scale/switches-ours", f"{ours} {OUR_SWITCHES}"
                yield "scale/electrical-ours", f"{ours} {ELECTRICAL}"


def planners(sizes):
    """The planner of SiP-ML, which chooses its replicas, and the search."""
    for model in sizes.models:
        for rate in sizes.few_rates:
            job = f"{scaled(model, sizes.small)} --bandwidth={rate}"
            for name, fabric in (
                ("ring", OUR_RING),
                ("switches", OUR_SWITCHES),
                ("electrical", ELECTRICAL),
            ):
                yield f"planners/{name}-sip-ml", f"{job} {OURS} {fabric}"
                yield f"planners/{name}-search", f"{job} {SEARCH} {fabric}"
            servers = f"{scaled(model, sizes.small)} {SERVER} --serverRate={rate} --bandwidth=50Gbps"
            yield "planners/servers-sip-ml", f"{servers} {OURS}"
            yield "planners/servers-search", f"{servers} {SEARCH}"


def evidence(sizes):
    """Experiments that tell why ours differ."""
    job = f"{scaled('resnet50', sizes.small)} {replicas(sizes.small)} --bandwidth=2Tbps"
    plain = "--planner=sip-ml --splitMode={} --splitting={}"
    for mode in ("attribute", "overlap"):
        for splitting in ("roofline", "linear"):
            rules = plain.format(mode, splitting)
            for name, fabric in (("ring", OUR_RING), ("electrical", ELECTRICAL)):
                yield f"evidence/{name}-{mode}-{splitting}", f"{job} {rules} {fabric}"
    for name, options in (
        ("load-only", "--wavelengthMode=load-only --pauseMode=partial"),
        ("decisions-published", "--wavelengthMode=load-only --pauseMode=global"),
        ("decisions-continuity", "--wavelengthMode=continuity --pauseMode=global"),
        ("decisions-partial", "--wavelengthMode=continuity --pauseMode=partial"),
        ("decisions-charged", "--wavelengthMode=continuity --pauseMode=partial --decisionTime=10us"),
    ):
        again = " --decisionInterval=100us --reconfigurationDelay=20us"
        yield f"evidence/ring-{name}", (
            f"{job} {OURS} --fabric=sip-ring --placement=automatic {options}" + (again if "decisions" in name else "")
        )
    for gpus in (8, 16, 32, 64):
        yield "evidence/ring-size", (
            f"{scaled('resnet50', gpus)} {replicas(gpus)} --bandwidth=2Tbps {OURS} {OUR_RING}"
        )
    for model in sizes.models:
        groups = f"{scaled(model, sizes.gpus)} {replicas(sizes.gpus)} --bandwidth=2Tbps {PUBLISHED}"
        for source in ("planned", "backlog"):
            yield f"evidence/ring-{source}", f"{groups} {PUBLISHED_RING} --demandSource={source}"


def placement(sizes):
    """The ring with replicas 8 places apart, and with the placement that is found."""
    for model in sizes.models:
        for rate in sizes.rates:
            groups = f"{scaled(model, sizes.gpus)} {replicas(sizes.gpus)} --bandwidth={rate} {PUBLISHED}"
            linear = PUBLISHED_RING_ONCE.replace("automatic", "linear")
            yield "placement/ring-linear", f"{groups} {linear}"
        ours = f"{scaled(model, sizes.small)} {replicas(sizes.small)} --bandwidth=2Tbps {OURS}"
        yield "placement/ring-ours", f"{ours} {OUR_RING}"
        yield "placement/ring-ours-linear", f"{ours} {OUR_RING.replace('automatic', 'linear')}"


def distance(sizes):
    """Groups of more and more GPUs, whose replicas are that many places apart."""
    for model in sizes.models[:2]:
        for places in sizes.distances:
            for name, gpus, rules, ring, switches in (
                ("published", sizes.gpus, PUBLISHED, PUBLISHED_RING_ONCE, PUBLISHED_SWITCHES),
                ("ours", sizes.small, OURS, OUR_RING, OUR_SWITCHES),
            ):
                job = f"{scaled(model, gpus)} --dp={gpus // places} --bandwidth=2Tbps {rules}"
                yield f"distance/ring-{name}", f"{job} {ring.replace('automatic', 'linear')}"
                yield f"distance/switches-{name}", f"{job} {switches}"


def nanoseconds(sizes):
    """Circuits that turn in ns and in us: on a ring each 100 us, and for each phase."""
    for model in sizes.models[:2]:
        published = f"{scaled(model, sizes.gpus)} {replicas(sizes.gpus)} --bandwidth=2Tbps {PUBLISHED}"
        ours = f"{scaled(model, sizes.small)} {replicas(sizes.small)} --bandwidth=2Tbps {OURS}"
        for time in ("10ns", "1us", "20us"):
            yield "nanoseconds/ring-published", f"{published} {PUBLISHED_RING.replace('=20us', '=' + time)}"
            yield "nanoseconds/ring-ours", (
                f"{ours} {OUR_RING.replace('=10us', '=0s')} --decisionInterval=100us --reconfigurationDelay={time}"
            )
            yield "nanoseconds/phase-ours", (
                f"{ours} {OUR_SWITCHES.replace('=10us', '=0s')} --reconfigurationDelay={time} --trigger=phase"
            )


def released(sizes):
    """The two rules of the released simulator that published settings leave out, one after the other:
    each replica sends its gradients to the next one once, and only a group and the next one are there.
    """
    once = "--sumGradients=false"
    for model in sizes.models:
        for rate in sizes.few_rates:
            for name, fabric in (
                ("ring", PUBLISHED_RING_ONCE),
                ("ring-decisions", PUBLISHED_RING),
                ("switches", PUBLISHED_SWITCHES),
                ("electrical", ELECTRICAL),
            ):
                rules = f"--bandwidth={rate} {PUBLISHED} {fabric}"
                whole = f"{scaled(model, sizes.gpus)} {replicas(sizes.gpus)} {rules}"
                pair = f"{scaled(model, 2 * GROUP)} {replicas(2 * GROUP)} {rules}"
                if name != "ring-decisions":
                    yield f"released/{name}-once", f"{whole} {once}"
                yield f"released/{name}-pair", f"{pair} {once}"
                if name == "ring":
                    yield f"released/{name}-linear-pair", f"{pair} {once}".replace("automatic", "linear")


def get_released(model, times, gpus):
    """Returns the options of a model of the released simulator with times of one of its files."""
    path = f"examples/models/{model}-data-parallel"
    batch = RELEASED[model] * gpus
    return f"--model={path}.json --profile={path}-{times}.json --gpus={gpus} --batch={batch}"


def hybrid(sizes):
    """Gradients and compute times of the released simulator: data parallelism, and groups of 8 GPUs.

    The times of an operator are known for the samples of one GPU. For the samples of 8 GPUs they are
    taken to be 8 times as long, or (whole) as long.
    """
    for model in RELEASED:
        for rate in sizes.few_rates:
            job = f"{get_released(model, 'times', sizes.gpus)} --bandwidth={rate}"
            yield "hybrid/data-parallel", f"{job} {DATA_PARALLEL} {ELECTRICAL} --fold"
            for name, times in (("", "times-by-sample"), ("-whole", "times")):
                groups = f"{get_released(model, times, sizes.gpus)} {replicas(sizes.gpus)} {PUBLISHED}"
                yield f"hybrid/switches{name}", f"{groups} --bandwidth={rate} {PUBLISHED_SWITCHES}"
                if name:
                    continue
                yield "hybrid/ring", f"{groups} --bandwidth={rate} {PUBLISHED_RING_ONCE}"
                yield "hybrid/electrical", f"{groups} --bandwidth={rate} {ELECTRICAL}"
                for server, card in SERVERS.items():
                    yield f"hybrid/{server}", f"{groups} {REPLICA_SERVER} --serverRate={rate} --bandwidth={card}"


def cards(sizes):
    """Today's cluster with 25 to 400 Gb/s a GPU between its servers."""
    for model in sizes.models:
        for number, gigabits in sizes.cards:
            servers = f"{SERVER} --serverRate=2Tbps --bandwidth={share(number, gigabits)}"
            job = scaled(model, sizes.gpus)
            yield "cards/published", f"{job} {replicas(sizes.gpus)} {PUBLISHED} {servers} --placement=linear"
            yield "cards/search", f"{job} {SEARCH} {servers} --planOnly --rehearse=false"
    for model in RELEASED:
        for number, gigabits in sizes.cards:
            servers = f"{SERVER} --serverRate=2Tbps --bandwidth={share(number, gigabits)}"
            job = f"{get_released(model, 'times-by-sample', sizes.gpus)} {replicas(sizes.gpus)}"
            yield "cards/released", f"{job} {PUBLISHED} {servers} --placement=linear"


def mordia(sizes):
    """A ring that uses no wavelength twice beside SiP-Ring."""
    # Without reuse, a lightpath may as well go the long way round
    exclusive = f"{PUBLISHED_RING_ONCE} --attribute=MaxDistance=0".replace("load-only", "exclusive")
    for model in sizes.models[:2]:
        for gpus in (16, 32, 64, 128):
            job = f"{scaled(model, gpus)} {replicas(gpus)} --bandwidth=2Tbps {PUBLISHED}"
            yield "mordia/ring-once", f"{job} {PUBLISHED_RING_ONCE}"
            yield "mordia/exclusive", f"{job} {exclusive}"


def get_networks(rate):
    """Yields the networks that strong scaling and batches are compared on, with their names."""
    yield "ring", f"{OUR_RING} --bandwidth={rate}"
    yield "switches", f"{OUR_SWITCHES} --bandwidth={rate}"
    yield "electrical", f"{ELECTRICAL} --bandwidth={rate}"
    yield "servers", f"{SERVER} --serverRate={rate} --bandwidth={SERVERS['servers-400']}"


def strong(sizes):
    """The same batch on more and more GPUs: data parallelism, groups of 8 as published, search."""
    for model in sizes.models[:2]:
        for gpus in sizes.strong:
            job = f"--model={model} --batch=1024 --gpus={gpus} --planOnly --rehearse=false"
            for name, fabric in get_networks("2Tbps"):
                yield f"strong/{name}-data-parallel", f"{job} {DATA_PARALLEL} {fabric}"
                yield f"strong/{name}-published", f"{job} {replicas(gpus)} {PUBLISHED} {fabric}"
                yield f"strong/{name}-search", f"{job} {SEARCH} {fabric}"


def batch(sizes):
    """The time to accuracy for batches of all sizes. Data parallelism on an ideal switch is simulated,
    which tells how many iterations a batch needs."""
    for model in sizes.models[:2]:
        for number in sizes.batches:
            job = f"--model={model} --batch={number} --gpus={sizes.batch_gpus}"
            yield "batch/electrical-data-parallel", (
                f"{job} {DATA_PARALLEL} {ELECTRICAL} --bandwidth=2Tbps --fold"
            )
            for name, fabric in get_networks("2Tbps"):
                yield f"batch/{name}-search", f"{job} {SEARCH} {fabric} --planOnly --rehearse=false"


def published_times(sizes):
    """Data parallelism with the weights and compute times of the released simulator."""
    for model in ("resnet50", "transformer", "gpt2-355m"):
        for rate in ("128Gbps", "400Gbps", "8192Gbps"):
            files = f"examples/models/{model}-data-parallel"
            yield "check/data-parallel", (
                f"--model={files}.json --profile={files}-times.json --gpus=1024 --batch=8192"
                f" --bandwidth={rate} --planner=fixed --fabric=electrical --fold"
            )


FIGURES = [
    published_times,
    evidence,
    delay,
    degree,
    wavelengths,
    planners,
    scaling,
    scale,
    bandwidth,
    placement,
    distance,
    nanoseconds,
    released,
    hybrid,
    cards,
    mordia,
    strong,
    batch,
    oddl,
    optinc,
]


def get_lines(quick):
    """Returns the labels of all runs with their options."""
    sizes = Sizes(quick)
    return [line for figure in FIGURES for line in figure(sizes)]


def get_sweeps(quick, only=()):
    """Returns the text of a file of sweeps for utils/sweep, of all figures or of some."""
    lines = get_lines(quick)
    known = {label.split("/")[0] for label, _ in lines}
    unknown = set(only) - known
    if unknown:
        raise ValueError(f"there are no figures {', '.join(unknown)}: name some of {', '.join(sorted(known))}")
    chosen = [(label, options) for label, options in lines if not only or label.split("/")[0] in only]
    return "".join(f"{label}: {options}\n" for label, options in chosen)
