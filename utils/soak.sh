#!/bin/bash
# Long proofs: makes the tables of the manual again, runs the suites at full length, under sanitizers
# and under valgrind, trains the networks of data/ anew, and reads damaged files.
#
# usage: utils/soak.sh [--share=K/N] [--seed=TEXT] [--list]
#   --share=K/N   one of N shares of the proofs, which the seed shuffles
#   --seed=TEXT   another shuffle
#   --list        print the names of the proofs and run none
# All proofs take about an hour on two cores. The last line is "N passed, N failed".
set -uo pipefail
source "$(dirname "$0")/common.sh"

share=1 shares=1 seed=0 list=
for option in "$@"; do
    if [[ $option =~ ^--share=([0-9]+)/([1-9][0-9]*)$ ]]; then
        share=${BASH_REMATCH[1]} shares=${BASH_REMATCH[2]}
    elif [[ $option == --seed=?* ]]; then
        seed=${option#*=}
    elif [[ $option == --list ]]; then
        list=1
    else
        echo "soak.sh: there is no option '$option': the options are --share=K/N, --seed=TEXT and --list" >&2
        exit 2
    fi
done
if ((share < 1 || share > shares)); then
    echo "soak.sh: there is no share $share of $shares: the first share is 1/$shares" >&2
    exit 2
fi
directory=$PWD/build-test

# Valgrind sees what is read before it has been written; these suites compute too long for it
too_long_for_valgrind='photonics|socket|ip|in-network|datacenter'

# proofs: the name of each proof, which is a function and its arguments
proofs()
{
    local suite source fabric network
    utils/calibrate.py --list | sed 's/^/calibration /'
    utils/compare-planners.py --list | sed 's/^/planners /'
    for suite in $(suites); do
        echo "extensive $suite"
        [[ $suite =~ ^lightpath-($too_long_for_valgrind)$ ]] || echo "memory $suite"
        echo "sanitized $suite"
    done
    for ((part = 1; part <= 20; ++part)); do
        echo "figures $part/20"
    done
    for network in svd blocks; do
        echo "network $network"
    done
    printf '%s\n' one_plan learning noise oddl_table optinc_table documents curve
}
