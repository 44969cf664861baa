#!/bin/bash
# Reads damaged documents (operator graphs, models, profiles) under the address and
# undefined-behaviour sanitizers; each must be accepted or refused in one sentence. The last line
# counts the documents.
#
# usage: utils/fuzz.sh [SECONDS [SEED]]    how long (600), and the seed of what is damaged (1)
set -euo pipefail
source "$(dirname "$0")/common.sh"

utils/setup.sh
directory=build-fuzz
options=(-DCMAKE_BUILD_TYPE=RelWithDebInfo -DNS3_EXAMPLES=OFF -DNS3_TESTS=OFF
    -DCMAKE_CXX_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all")
if command -v ccache >/dev/null; then
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
cmake -S . -B "$directory" "${options[@]}" >/dev/null
cmake --build "$directory" --parallel "$(jobs)" --target lightpath-fuzz-documents >/dev/null
exec nice "$directory/lightpath-fuzz-documents" "${1:-600}" "${2:-1}"
