#!/bin/bash
# Checks that everything is documented for Doxygen, that Sphinx makes the manual without a warning, that no page
# is wider than a screen, and that the drawings of the fabrics, the charts of results and the icon are those that their scripts make.
#
# usage: utils/check-doc.sh
# Prints nothing if all is well; else what is wrong, with an exit code that is not 0.
set -euo pipefail
source "$(dirname "$0")/common.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

status=0
utils/doxygen.sh "$scratch/doxygen" || status=$?
sphinx-build -q -W --keep-going -b html -d "$scratch/doctrees" doc "$scratch/html" 2>&1 || status=$?
utils/check-pages.py "$scratch/html" >"$scratch/pages" || { status=$?; cat "$scratch/pages"; }
mkdir "$scratch/figures"
python3 utils/figures fabrics "$scratch/figures"
python3 utils/figures charts doc/figures/results.csv "$scratch/figures"
for drawing in "$scratch"/figures/*.svg; do
    cmp "$drawing" "doc/figures/${drawing##*/}" || status=$?
done
doc/icon.py "$scratch/icon.png" && cmp "$scratch/icon.png" doc/icon.png || status=$?
exit $status
