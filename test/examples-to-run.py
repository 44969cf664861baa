#! /usr/bin/env python3

# The examples that ns-3's test.py runs: (command, whether to run it, whether also under valgrind)
cpp_examples = [
    ("lightpath-train --gpus=16 --batch=256 --compare=sip-ring,sip-ocs,electrical", "True", "True"),
    ("lightpath-train --gpus=8 --batch=32 --fabric=sip-ocs --frameSize=9000", "True", "False"),
    ("lightpath-collective --ranks=16 --maxBytes=4MB", "True", "True"),
    (
        "lightpath-collective --collective=all-to-all --ranks=8 --fabric=electrical"
        " --maxBytes=1MB --frameSize=9000",
        "True",
        "True",
    ),
]

python_examples = []
