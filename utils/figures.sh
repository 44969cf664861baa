#!/bin/bash
# Simulates what the figures of the manual show, draws them and writes the page about them.
#
# usage: utils/figures.sh [--quick]
#   --quick   a part of it on 64 GPUs, to build-figures/quick, to see that it works
# Without --quick the table, the figures and the page go to doc/. What is finished is kept in
# build-figures, so that the command goes on where it was stopped.
set -euo pipefail
source "$(dirname "$0")/common.sh"

case "$*" in
    "") name=full folder=doc/figures page=doc/reproduction.rst ;;
    --quick) name=quick folder=build-figures/quick page=build-figures/quick/reproduction.rst ;;
    *)
        echo "figures.sh: there is no option '$*': the only one is --quick" >&2
        exit 2
        ;;
esac

utils/setup.sh figures
target=lightpath-train build build
mkdir -p build-figures "$folder"
python3 utils/figures sweeps "$@" >"build-figures/$name.sweeps"
# shellcheck disable=SC2046
utils/sweep --program=build/lightpath-train --file="build-figures/$name.sweeps" \
    --out="build-figures/$name.csv" $(python3 utils/figures common)
cp "build-figures/$name.csv" "$folder/results.csv"
python3 utils/figures draw "$folder/results.csv" "$folder"
python3 utils/figures page "$folder/results.csv" >"$page"
echo "$page shows the figures in $folder"
