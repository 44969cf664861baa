#!/bin/bash
# Checks that everything is documented for Doxygen and that Sphinx makes the manual without a
# warning.
#
# usage: utils/check-doc.sh
# Prints nothing if all is well; else what is wrong, with an exit code that is not 0.
set -euo pipefail
source "$(dirname "$0")/common.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# An override takes its documentation from the class that it derives from, so Doxygen must see the
# headers of ns-3 that the sources include, too
ns3_headers()
{
    find . -path './build*' -prune -o \( -name '*.h' -o -name '*.cc' \) -print >"$scratch/sources"
    # The module's own headers are not installed
    sed 's|.*/|ns3/|' "$scratch/sources" >"$scratch/own"
    xargs grep -hoP '#include "\Kns3/[^"]+' <"$scratch/sources" | sort -u |
        grep -vxFf "$scratch/own" | sed 's/.*/#include <&>/' |
        c++ -M -x c++ - | grep -oP '\S+/ns3/\S+\.h' | tr '\n' ' '
}

{
    cat doc/doxygen.conf
    echo "INPUT += $(ns3_headers)"
    echo "OUTPUT_DIRECTORY = $scratch"
    echo "WARN_LOGFILE = $scratch/warnings"
    # Doxygen reads the documentation of parameters only where it has something to write
    echo "GENERATE_HTML = YES"
} >"$scratch/doxygen.conf"
doxygen "$scratch/doxygen.conf" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
# A warning may go on in indented lines
awk -v root="$PWD/" '
    /^[^ ]/ { ours = index($0, root) == 1 }
    ours { print }' "$scratch/warnings" >"$scratch/ours"
cat "$scratch/ours"

status=0
sphinx-build -q -W --keep-going -b html -d "$scratch/doctrees" doc "$scratch/html" 2>&1 || status=$?
[ ! -s "$scratch/ours" ] && [ $status -eq 0 ]
