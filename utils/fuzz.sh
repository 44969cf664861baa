#!/bin/bash
# Reads damaged files under the address and undefined-behaviour sanitizers; each must be accepted or
# refused in one sentence, within 10 s and 1 GiB. libFuzzer of clang damages what reaches other branches
# of the readers.
#
# usage: utils/fuzz.sh [SECONDS [SEED [READER...]]]    how long in all (600), the seed of what is damaged
#                                                      (1), and the readers, in equal shares (all)
set -euo pipefail
source "$(dirname "$0")/common.sh"

utils/setup.sh ci
target=lightpath-fuzz-readers
build build-fuzz -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=RelWithDebInfo -DNS3_EXAMPLES=OFF \
    -DNS3_TESTS=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
    -DCMAKE_CXX_FLAGS="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"
cd build-fuzz
readers=("${@:3}")
if [ ${#readers[@]} -eq 0 ]; then
    mapfile -t readers < <("./$target")
fi
for reader in "${readers[@]}"; do
    seeds=(../utils/fuzz/"$reader")
    if [ "$reader" = documents ]; then
        seeds+=(../examples/models ../data/accelerators ../data/models)
    fi
    options=(-max_total_time=$((${1:-600} / ${#readers[@]})) -seed="${2:-1}" -timeout=10 -rss_limit_mb=1024
        -max_len=20000 -verbosity=0 -print_final_stats=1)
    if [ -e "../utils/fuzz/$reader/dictionary" ]; then
        options+=(-dict="../utils/fuzz/$reader/dictionary")
    fi
    mkdir -p "corpus/$reader"
    echo "$reader:"
    nice "./$target" "$reader" "${options[@]}" "corpus/$reader" "${seeds[@]}"
done
