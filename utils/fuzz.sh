#!/bin/bash
# Reads damaged documents (operator graphs, models, accelerators, profiles) under the address and
# undefined-behaviour sanitizers; each must be accepted or refused in one sentence. libFuzzer of clang
# damages what reaches other branches of the readers.
#
# usage: utils/fuzz.sh [SECONDS [SEED]]    how long (600), and the seed of what is damaged (1)
set -euo pipefail
source "$(dirname "$0")/common.sh"

utils/setup.sh ci
target=lightpath-fuzz-documents
build build-fuzz -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=RelWithDebInfo -DNS3_EXAMPLES=OFF \
    -DNS3_TESTS=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
    -DCMAKE_CXX_FLAGS="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"
mkdir -p build-fuzz/corpus
cd build-fuzz
exec nice "./$target" -max_total_time="${1:-600}" -seed="${2:-1}" -timeout=10 -max_len=20000 -verbosity=0 -print_final_stats=1 \
    -dict=../utils/fuzz/dictionary corpus ../utils/fuzz ../examples/models \
    ../data/accelerators ../data/models
