"""What is simulated for the claims of ODDL and OptINC: sweeps of lightpath-train."""

SERVERS = "--fabric=electrical --serverGpus=8 --attach=gpu --serverRate=100Gbps"
HALVING = "--allReduce=halving-doubling"

# 100 Gb/s at each of the two switches of a node, as in the papers
ODDL = "--fabric=oddl --bandwidth=200Gbps --initialSwitching=false"
SWITCH = "--fabric=electrical --bandwidth=100Gbps"

# Jobs of OptINC by name: model, and samples of a GPU. The second-hand summaries name no batches
LLAMA = "llama-7b:layers=8,hidden=384,heads=8,feedForward=1024,sequence=256,gradients=half"
OPTINC_JOBS = {"resnet50:image=32": 16, LLAMA: 1}


def oddl(sizes):
    """The prototype of 4 nodes, control against the number of nodes, tuning times, 1024 nodes."""
    fixed = f"--accelerator=A100 --planner=fixed {HALVING}"
    prototype = f"--model=resnet50 --gpus=4 --batch=1024 --iterations=3 {fixed}"
    yield "oddl/prototype", f"{prototype} {ODDL}"
    yield "oddl/prototype-electrical", f"{prototype} {SWITCH}"
    yield "oddl/application", f"{prototype} {ODDL}".replace(" --initialSwitching=false", "")
    for tuning in ("0s", "10.5ns", "1us", "100us"):
        yield "oddl/tuning", f"{prototype} {ODDL} --tuningTime={tuning}"
    for side in (2, 4, 8) if sizes.gpus < 1024 else (2, 4, 8, 16, 32, 64):
        job = f"--model=resnet50 --gpus={side * side} --batch={64 * side * side} {fixed}"
        yield "oddl/nodes", f"{job} {ODDL} --rows={side} --columns={side}"
        if side <= 32:
            yield "oddl/nodes-electrical", f"{job} {SWITCH}"
    if sizes.gpus < 1024:
        return
    vgg = "--model=vgg19 --accelerator=A100 --gpus=1024 --batch=32768 --planner=fixed"
    yield "oddl/vgg", f"{vgg} {ODDL} {HALVING}"
    for uplinks, rate in ((2, "50Gbps"), (4, "25Gbps")):
        servers = f"{vgg} {SERVERS} --bandwidth={rate}"
        yield f"oddl/vgg-servers-{uplinks}", f"{servers} {HALVING}"
        yield f"oddl/vgg-servers-{uplinks}-best", f"{servers} --allReduce=two-level --fold"
    ring = "--fabric=sip-ring --bandwidth=100Gbps --wavelengthRate=2.5Gbps --initialSwitching=false"
    yield "oddl/vgg-ring", f"{vgg} {ring} --allReduce=ring"
    yield "oddl/vgg-ring-best", f"{vgg} {ring} --allReduce=multi-ring"


def optinc(_):
    """Data parallelism whose gradients a network averages, and with a ring on an ideal switch."""
    for model, samples in OPTINC_JOBS.items():
        for gpus in (4, 8, 16):
            job = (
                f"--model={model} --accelerator=H100 --gpus={gpus} --batch={samples * gpus}"
                " --planner=fixed --bandwidth=800Gbps"
            )
            yield "optinc/ring", f"{job} --fabric=electrical --allReduce=ring"
            yield "optinc/average", f"{job} --fabric=optinc --averageBits=16"
