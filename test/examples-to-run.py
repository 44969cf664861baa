#! /usr/bin/env python3

# The examples that ns-3's test.py runs: (command, whether to run it, whether also under valgrind)
cpp_examples = [
    ("lightpath-allocate --pattern=training:8 --ports=32 --json=ring.json", "True", "True"),
    ("lightpath-allocate --pattern=all-to-all --ports=8 --wavelengthMode=load-only", "True", "True"),
    ("lightpath-allocate --pattern=neighbours --ports=8 --fail=segment:3:cw", "True", "False"),
    (
        "lightpath-allocate --pattern=all-to-all --ports=8 --fabric=sip-ocs --switches=8 --json=-",
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
    ("lightpath-train --gpus=8 --batch=32 --compare=oddl,fat-tree-flows --cost", "True", "False"),
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
        "lightpath-train --planner=fixed --gpus=8 --tp=2 --pp=2 --batch=32 --microbatch=4"
        " --fabric=sip-ocs --criticalPath --json=path.json",
        "True",
        "False",
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
    (
        "lightpath-train --planner=fixed --gpus=16 --batch=64 --model=resnet50 --fabric=optinc"
        " --averageBits=16 --cascade=naive --frameSize=1000000",
        "True",
        "True",
    ),
    (
        "lightpath-train --planner=fixed --model=resnet50 --gpus=8 --batch=64 --iterations=1"
        " --bandwidth=250Gbps --leafGpus=8 --serverGpus=4"
        " --compare=sip-ring:tcp,fat-tree:dctcp,leaf-spine:tcp,cluster",
        "True",
        "False",
    ),
    (
        "lightpath-train --planner=fixed --model=resnet50 --gpus=8 --batch=64 --iterations=1"
        " --fabric=sip-ring+leaf-spine:tcp --smallMessage=100000000 --waitLimit=10us"
        " --decisionInterval=100us",
        "True",
        "True",
    ),
    (
        "lightpath-train --planner=fixed --model=bert-large --gpus=16 --batch=64 --dp=4 --pp=4"
        " --microbatch=4 --bandwidth=500Gbps --iterations=1 --fabric=sip-ocs:relay --switches=2",
        "True",
        "True",
    ),
    ("lightpath-dctcp-jobs", "True", "False"),
    ("lightpath-fat-tree --background", "True", "False"),
    ("lightpath-packets --gpus=4", "True", "False"),
    ("lightpath-hybrid", "True", "True"),
    ("lightpath-rdma", "True", "True"),
    ("lightpath-rdma --senders=3 --bytes=100000 --pcap", "True", "False"),
    ("lightpath-servers", "True", "True"),
    ("lightpath-hybrid --waitLimit=0s --smallMessage=1000000", "True", "False"),
    ("lightpath-training", "True", "True"),
    ("lightpath-backlog", "True", "True"),
    ("lightpath-circuit", "True", "True"),
    ("lightpath-circuit --lanes=1", "True", "False"),
    ("lightpath-new-fabric", "True", "True"),
    ("lightpath-new-rotor", "True", "True"),
    ("lightpath-new-torus", "True", "True"),
    ("lightpath-bulk-send", "True", "True"),
    ("lightpath-bulk-send --bytes=0 --tracing", "True", "False"),
    ("lightpath-udp-client-server", "True", "True"),
    ("lightpath-tcp-ring", "True", "True"),
    (
        "lightpath-tcp-ring --dark=0.9 --period=1ms --congestionControl=ns3::TcpNewReno",
        "True",
        "False",
    ),
    (
        "lightpath-config --ns3::ConfigStore::Mode=Save --ns3::ConfigStore::FileFormat=RawText"
        " --ns3::ConfigStore::Filename=config.txt",
        "True",
        "True",
    ),
    ("lightpath-oddl --nodes=64 --flows=640 --pattern=random --transceivers=2", "True", "True"),
    (
        "lightpath-train --gpus=16 --batch=64 --model=resnet50 --planner=fixed --fabric=oddl"
        " --allReduce=halving-doubling --bandwidth=100Gbps --rows=2 --relayPolicy=least-loaded"
        " --fail=row:0@2ms,+row:0@4ms",
        "True",
        "True",
    ),
    ("lightpath-collective --ranks=16 --maxBytes=4MB --fabric=oddl --bandwidth=100Gbps", "True", "True"),
    ("lightpath-model --list --options=resnet50", "True", "True"),
    ("lightpath-model --show=bert-large:sequence=128,predictions=20 --operators", "True", "True"),
    ("lightpath-model --show=dlrm", "True", "False"),
    ("lightpath-optinc-noise --networks=constructive --draws=2 --check", "True", "True"),
    ("lightpath-optinc-noise --networks=blocks --draws=1 --format=csv", "True", "False"),
    ("lightpath-availability --jobGpus=32,64 --keep=3", "True", "False"),
    ("lightpath-availability --days=100 --nodes=100 --format=csv", "True", "False"),
    ("lightpath-cluster --jobs=10 --largestJob=8 --order=backfill", "True", "True"),
    ("lightpath-cluster --jobs=10 --largestJob=8 --fabric=sip-ring,sip-ocs --slices=4", "True", "False"),
    (
        "lightpath-cluster --jobs=10 --gpus=16 --fabric=leaf-spine-flows,sip-ocs --gpuMtbf=0.1"
        " --checkpointTime=30 --restartTime=300 --format=csv",
        "True",
        "False",
    ),
    ("lightpath-turns --leastPorts=8 --mostPorts=16 --planes=2", "True", "False"),
    ("lightpath-collective --collective=all-to-all --ranks=12 --maxBytes=4MB --fabric=sip-ocs --switches=3 --reconfigure=best", "True", "False"),
    ("lightpath-train --model=mixtral-8x7b --gpus=8 --batch=8 --accelerator=H100 --planner=fixed --dp=8 --ep=8 --fabric=sip-ocs --switches=2 --trigger=operation --memory=2TB --reconfigure=best --fail=switch:0@100ms", "True", "False"),
    ("lightpath-budget --nodes=64", "True", "False"),
    ("lightpath-budget --reach --format=csv", "True", "False"),
    ("lightpath-model --show=gpt2-xl:layers=2 --json=model.json", "True", "True"),
    (
        "lightpath-infer --model=llama-3-8b:layers=4 --prompt=200 --prefillGpus=2 --prefillTp=2"
        " --decodeGpus=2 --batch=4",
        "True",
        "True",
    ),
    ("lightpath-collective --ranks=16 --maxBytes=4MB", "True", "True"),
    (
        "lightpath-collective --collective=all-to-all --ranks=16 --fabric=sip-ocs --switches=2"
        " --bandwidth=800Gbps --algorithm=pairwise --trigger=operation --reconfigurationDelay=10us",
        "True",
        "False",
    ),
    (
        "lightpath-collective --collective=all-to-all --ranks=16 --fabric=sip-ocs:relay --switches=2"
        " --maxBytes=1MB",
        "True",
        "False",
    ),
    ("lightpath-collective --ranks=16 --fabric=optinc --frameSize=1000000", "True", "False"),
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
