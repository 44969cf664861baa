#!/bin/bash
# Long proofs: makes the tables of the manual again, runs the suites at full length, under sanitizers
# and under valgrind, trains the networks of data/ anew, and reads damaged files.
#
# usage: utils/soak.sh [--share=K/N] [--seed=TEXT] [--list]
#   --share=K/N   one of N shares of the proofs, which the seed shuffles; none has the proof "learning"
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

# The words of lines, without the blanks that indent and align them
words()
{
    sed 's/^ *//; s/  */ /g; s/ $//'
}

# Published measurements of one source, simulated; the manual has the rows that come out
calibration()
{
    diff <(utils/calibrate.py --program="$directory/lightpath-train" --source="$1" --format=rst | grep "^$1 " | words) \
        <(grep "^$1 " doc/calibration.rst | words)
}

# All planners on one case; the manual has the row that comes out
planners()
{
    diff <(utils/compare-planners.py --program="$directory/lightpath-train" --cases="$1" --format=rst | grep -F "$1,") \
        <(grep -F "$1," doc/planner-comparison.rst)
}

# One plan on all kinds of networks
one_plan()
{
    "$directory/lightpath-train" --model=bert-large --gpus=16 --batch=64 --planner=fixed --dp=4 --pp=4 \
        --microbatch=4 --bandwidth=500Gbps --iterations=2 --smallMessage=5000000 \
        --compare=sip-ring,sip-ring:tcp,sip-ocs,electrical,fat-tree:dctcp,cluster:tcp,sip-ring+leaf-spine:tcp |
        diff - doc/one-plan.txt
}

# A share of the runs behind the figures; the table in the manual has the rows that come out
figures()
{
    local here status
    here=$(mktemp -d)
    # shellcheck disable=SC2046
    python3 utils/figures sweeps "$1" >"$here/sweeps" &&
        utils/sweep --program="$directory/lightpath-train" --file="$here/sweeps" --out="$here/part.csv" \
            --quiet $(python3 utils/figures common) &&
        python3 utils/figures compare "$here/part.csv" doc/figures/results.csv "$1"
    status=$?
    rm -rf "$here"
    return $status
}

# A network of data/, trained anew, which must be exact
network()
{
    OPENBLAS_NUM_THREADS=1 timeout 900 "$directory/lightpath-optinc-train" --form="$1"
}

# What noise does to the networks of data/; the manual has the table that comes out
noise()
{
    OPENBLAS_NUM_THREADS=1 "$directory/lightpath-optinc-noise" --format=rst --check |
        diff - doc/optinc-noise.rst
}

# Networks that learn as well from gradients averaged in light; the manual has their losses
learning()
{
    utils/setup.sh learning &&
        utils/optinc-learning.py --program="$directory/lightpath-optinc-average" --check
}

oddl_table()
{
    diff <(utils/oddl-table.py "$directory" | words | grep '[0-9]') <(words <doc/oddl.rst) | not_missing
}

optinc_table()
{
    diff <(utils/optinc-table.py "$directory" | words | grep '[0-9]') <(words <doc/optinc-fabric.rst) |
        not_missing
}

# Fails and prints the lines that only the first file of diff has
not_missing()
{
    ! grep '^<'
}

# A suite with the cases that take longer
extensive()
{
    "$directory/lightpath-test-runner" --suite="$1" --fullness=EXTENSIVE --verbose
}

memory()
{
    OPENBLAS_NUM_THREADS=1 valgrind --quiet --error-exitcode=9 --leak-check=full \
        --errors-for-leak-kinds=definite "$directory/lightpath-test-runner" --suite="$1" --verbose
}

# Damaged files, under sanitizers
documents()
{
    utils/fuzz.sh 300 "$(cksum <<<"$seed" | cut -d ' ' -f 1)"
}

# proofs: each proof, a function with its argument
proofs()
{
    local part
    awk '/^=/ { ++rule; next } rule == 2 { print "calibration", $1 }' doc/calibration.rst | uniq
    awk -F, '/,[0-9]/ { sub(/^ */, "", $1); print "planners", $1 }' doc/planner-comparison.rst
    for ((part = 1; part <= 20; ++part)); do
        echo "figures $part/20"
    done
    suites | sed 's/^/extensive /'
    # Others compute too long for valgrind
    suites | grep -vxE 'lightpath-(datacenter|in-network|ip|photonics|socket)' | sed 's/^/memory /'
    printf '%s\n' "network svd" "network blocks" one_plan noise oddl_table optinc_table documents
    # A share is for a machine that need not have PyTorch
    ((shares > 1)) || echo learning
}

# Shuffled by the seed, dealt out to the shares
proofs_of_share()
{
    proofs | while read -r proof; do
        echo "$(cksum <<<"$seed $proof" | cut -d ' ' -f 1) $proof"
    done | sort -n | awk -v share="$share" -v shares="$shares" 'NR % shares == share % shares' |
        cut -d ' ' -f 2-
}

if [ -n "$list" ]; then
    proofs_of_share
    exit
fi
utils/setup.sh test ci figures || exit
build "$directory" -DNS3_ASSERT=ON -DNS3_WARNINGS_AS_ERRORS=ON || exit
while read -r proof; do
    # shellcheck disable=SC2086
    check "$proof" $proof
done < <(proofs_of_share)
finish
