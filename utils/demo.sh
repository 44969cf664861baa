#!/bin/bash
# Builds the module and runs its main job: one training iteration of BERT-large on 64 GPUs, on
# optical fabrics and on an ideal electrical one.
#
# usage: utils/demo.sh [OPTION-OF-lightpath-train...]
set -euo pipefail
source "$(dirname "$0")/common.sh"

utils/setup.sh
build build
exec build/lightpath-train --model=bert-large --accelerator=A100 --gpus=64 --batch=1024 \
    --compare=sip-ring,sip-ocs,electrical "$@"
