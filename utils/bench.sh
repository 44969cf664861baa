#!/bin/bash
# Builds the module, measures how fast it is, and prints each figure beside its limit.
#
# usage: utils/bench.sh [RUNS]    RUNS measurements of each figure, of which the median counts (3)
set -euo pipefail
source "$(dirname "$0")/common.sh"

utils/setup.sh
build build
exec utils/bench.py build "$@"
