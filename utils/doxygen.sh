#!/bin/bash
# Makes the reference of the classes with Doxygen.
#
# usage: utils/doxygen.sh FOLDER
# FOLDER/html is the reference. Prints the warnings about the module, with exit code 1 if there is one.
set -euo pipefail
source "$(dirname "$0")/common.sh"

mkdir -p "$1"
folder=$(cd "$1" && pwd)
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
        c++ -M -MG -x c++ - | grep -oP '\S+/ns3/\S+\.h' | tr '\n' ' '
}

{
    cat doc/doxygen.conf
    echo "INPUT += $(ns3_headers)"
    echo "OUTPUT_DIRECTORY = $folder"
    echo "WARN_LOGFILE = $scratch/warnings"
} >"$scratch/doxygen.conf"
doxygen "$scratch/doxygen.conf" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
# A warning may go on in indented lines
awk -v root="$PWD/" '
    /^[^ ]/ { ours = index($0, root) == 1 }
    ours { print; found = 1 }
    END { exit found }' "$scratch/warnings"
