#!/bin/bash
# Builds lightpath-train and runs the main job: an iteration of a mixture of experts on 32 GPUs, on three
# optical fabrics and on an ideal electrical one, with the best plan that is found for each. The lines below the
# table tell why they differ: what the GPUs wait for.
#
# usage: utils/demo.sh [OPTION-OF-lightpath-train...]
set -euo pipefail
source "$(dirname "$0")/common.sh"

utils/setup.sh
target=lightpath-train build build
plan=(--planner=search --planningTime=60s)
if [[ $* == *--planner=* ]]; then
    plan=()
fi
exec build/lightpath-train --model=mixtral-8x7b:layers=8,attention=fused --accelerator=H100 --gpus=32 \
    --batch=32 "${plan[@]}" --bandwidth=1Tbps --compare=electrical,sip-ring,sip-ocs,oddl "$@"
