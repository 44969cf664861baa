#!/bin/bash
# Reads damaged documents (operator graphs, models, profiles) under the address and
# undefined-behaviour sanitizers; each must be accepted or refused in one sentence. The last line
# counts the documents.
#
# usage: utils/fuzz.sh [SECONDS [SEED]]    how long (600), and the seed of what is damaged (1)
set -euo pipefail
source "$(dirname "$0")/common.sh"

utils/setup.sh
target=lightpath-fuzz-documents
build build-fuzz -DCMAKE_BUILD_TYPE=RelWithDebInfo -DNS3_EXAMPLES=OFF -DNS3_TESTS=OFF \
    -DCMAKE_CXX_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all"
exec nice "build-fuzz/$target" "${1:-600}" "${2:-1}"
