#!/bin/bash
# Simulates what the figures of the manual show, draws them and writes the page about them.
#
# usage: utils/figures.sh [--quick | --only=FIGURE,... | --page]
#   --quick   a part of it, most of it on 64 GPUs, to build-figures/quick, to see that it works
#   --only    only these figures are simulated, like --only=strong,cards: what stands before the / of a label
#             in results.csv; their rows take the place of those of the table in doc/
#   --page    nothing is simulated: the figures and the page are made from the table in doc/
# Without --quick the table, the figures and the page go to doc/. What is finished is kept in
# build-figures, so that the command goes on where it was stopped.
set -euo pipefail
source "$(dirname "$0")/common.sh"

name=full folder=doc/figures page=doc/reproduction.rst only=
case "$*" in
    "" | --page) ;;
    --quick) name=quick folder=build-figures/quick page=build-figures/quick/reproduction.rst ;;
    --only=*) only=${1#--only=} ;;
    *)
        echo "figures.sh: there is no option '$*': those known are --quick, --only=FIGURE,... and --page" >&2
        exit 2
        ;;
esac

utils/setup.sh figures
mkdir -p build-figures "$folder"
if [ "$*" != --page ]; then
    target=lightpath-train build build
    python3 utils/figures sweeps "$@" >"build-figures/$name.sweeps"
    # shellcheck disable=SC2046
    utils/sweep --program=build/lightpath-train --file="build-figures/$name.sweeps" \
        --out="build-figures/$name.csv" $(python3 utils/figures common)
    if [ -n "$only" ]; then
        python3 utils/figures merge "build-figures/$name.csv" "$folder/results.csv" "$only"
    else
        cp "build-figures/$name.csv" "$folder/results.csv"
    fi
fi
python3 utils/figures draw "$folder/results.csv" "$folder"
python3 utils/figures charts "$folder/results.csv" "$folder"
python3 utils/figures page "$folder/results.csv" >"$page"
echo "$page shows the figures in $folder"
