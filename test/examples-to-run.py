#! /usr/bin/env python3

# The examples that ns-3's test.py runs: (command, whether to run it, whether also under valgrind)
cpp_examples = [
    ("lightpath-allocate --pattern=training:8 --ports=32 --svg=ring.svg", "True", "True"),
    ("lightpath-allocate --pattern=all-to-all --ports=8 --wavelengthMode=load-only", "True", "True"),
    ("lightpath-allocate --pattern=neighbours --ports=8 --fail=segment:3:cw", "True", "False"),
    (
        "lightpath-allocate --pattern=all-to-all --ports=8 --fabric=sip-ocs --switches=8"
        " --svg=switches.svg --json=-",
        "True",
        "True",
    ),
    (
        "lightpath-allocate --pattern=random:1 --ports=16 --fabric=sip-ocs --switches=2"
        " --allocator=solstice --switchingDelay=10us",
        "True",
        "True",
    ),
    ("lightpath-train --gpus=16 --batch=256 --compare=sip-ring,sip-ocs,electrical", "True", "True"),
    ("lightpath-train --gpus=8 --batch=32 --fabric=sip-ocs --frameSize=9000", "True", "False"),
    (
        "lightpath-train --gpus=24 --batch=96 --fabric=electrical --planner=fixed --tp=4 --fold",
        "True",
        "True",
    ),
    (
        "lightpath-train --gpus=48 --batch=96 --fabric=electrical --planner=fixed --tp=4 --pp=2"
        " --microbatch=2 --serverGpus=8 --serverDelay=1us --delay=5us --collectiveLatency=8us"
        " --fold",
        "True",
        "True",
    ),
    (
        "lightpath-train --planner=fixed --gpus=8 --tp=2 --pp=2 --batch=32 --microbatch=4"
        " --recompute=full --sequenceParallel --zero=1 --fabric=electrical",
        "True",
        "False",
    ),
    (
        "lightpath-train --planner=fixed --gpus=16 --tp=4 --model=dlrm --batch=1024 --planOnly",
        "True",
        "True",
    ),
    (
        "lightpath-train --gpus=8 --batch=32 --model=resnet50 --trigger=phase --demandSource=phase"
        " --pauseMode=partial --decisionTime=1us --fail=segment:3:cw@2ms,+segment:3:cw@4ms",
        "True",
        "True",
    ),
    (
        "lightpath-train --gpus=8 --batch=32 --fabric=electrical --slow=3:0.5"
        " --computeNoise=ns3::WeibullRandomVariable",
        "True",
        "False",
    ),
    (
        "lightpath-train --planner=fixed --gpus=8 --tp=2 --pp=2 --batch=32 --microbatch=4"
        " --fabric=sip-ocs --planOnly --explain --json=plan.json",
        "True",
        "True",
    ),
    ("lightpath-compare-planners --list", "True", "True"),
    (
        "lightpath-compare-planners --cases=resnet50/16 --planners=fixed,sip-ml --jobs=2"
        " --json=planners.json",
        "True",
        "False",
    ),
    (
        "lightpath-sweep --out=sweep.csv --model=resnet50 --batch=32 --gpus=4 --gpus=8"
        " --bandwidth={0.5Tbps..1Tbps*2} --fabric=electrical --iterations=2 --jobs=2",
        "True",
        "False",
    ),
    ("lightpath-model --list --options=resnet50", "True", "True"),
    ("lightpath-model --show=bert-large:sequence=128,predictions=20 --operators", "True", "True"),
    ("lightpath-model --show=dlrm", "True", "False"),
    ("lightpath-calibrate --source=Megatron-2020 --check", "True", "True"),
    ("lightpath-model --show=gpt2-xl:layers=2 --json=model.json", "True", "True"),
    ("lightpath-collective --ranks=16 --maxBytes=4MB", "True", "True"),
    (
        "lightpath-collective --collective=all-to-all --ranks=8 --fabric=electrical"
        " --maxBytes=1MB --frameSize=9000",
        "True",
        "True",
    ),
    (
        "lightpath-collective --ranks=16 --fabric=electrical --serverGpus=8 --serverRate=2400Gbps"
        " --serverDelay=1us --delay=5us --collectiveLatency=8us --maxBytes=4MB",
        "True",
        "True",
    ),
]

python_examples = []
