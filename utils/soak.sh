#!/bin/bash
# Long proofs: makes the tables of the manual again, runs the suites at full length, under sanitizers
# and under valgrind, trains networks like those of data/, reads damaged files, draws command lines, and
# checks the module in the source trees of ns-3 of all releases of Debian.
#
# usage: utils/soak.sh [--share=K/N] [--seed=TEXT] [--list]
#   --share=K/N   one of N shares of the proofs, which the seed shuffles; none has the longest ones
#   --seed=TEXT   another shuffle
#   --list        print the names of the proofs and run none
# All proofs take about three hours on two cores. The last line is "N passed, N failed".
set -uo pipefail
source "$(dirname "$0")/common.sh"
source utils/trees.sh

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

# same_rows PATTERN PAGE COMMAND...: a command prints lines with a pattern, and these are those of a page
same_rows()
{
    local pattern=$1 page=$2 rows
    shift 2
    rows=$("$@" | grep -e "$pattern" | words) && diff <(echo "$rows") <(grep -e "$pattern" "$page" | words)
}

# has_rows PAGE COMMAND...: a command prints lines with numbers, and a page has all of them
has_rows()
{
    local page=$1 rows
    shift
    rows=$("$@" | grep '[0-9]' | words) && ! grep -vxFf <(words <"$page") <<<"$rows"
}

# Published measurements of one source, simulated; the manual has the rows that come out
calibration()
{
    same_rows "^$1 " doc/calibration.rst utils/calibrate.py --program="$directory/lightpath-train" --source="$1" \
        --format=rst
}

# All planners on one case; the manual has the row that comes out
planners()
{
    same_rows "$1\"\\?," doc/planner-comparison.rst utils/compare-planners.py --program="$directory/lightpath-train" \
        --cases="$1" --format=rst
}

# The fit of accelerators to published measurements finds what their files state
fit()
{
    utils/fit.py --program="$directory/lightpath-train" --check
}

# One plan on all kinds of networks
one_plan()
{
    "$directory/lightpath-train" --model=bert-large:gradients=half --gpus=16 --batch=64 --planner=fixed --dp=4 --pp=4 \
        --microbatch=4 --bandwidth=500Gbps --iterations=2 --smallMessage=5000000 \
        --compare=sip-ring,sip-ring:tcp,sip-ocs,electrical,fat-tree:dctcp,sip-ring+leaf-spine:tcp |
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

# A network like those of data/, trained anew, which must be exact
network()
{
    OPENBLAS_NUM_THREADS=1 timeout 900 utils/optinc-train --form="$1"
}

# What noise does to the networks of data/, by kernels that round alike on all processors; the manual
# has the table that comes out
noise()
{
    OPENBLAS_CORETYPE=Prescott OPENBLAS_NUM_THREADS=1 "$directory/lightpath-optinc-noise" --format=rst --check |
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
    has_rows doc/oddl.rst utils/oddl-table.py "$directory"
}

# All algorithms of collectives on ODDL: the choice of the default, predictions, and a switch
oddl_plans()
{
    utils/oddl-plans.py --program="$directory/lightpath-train" --check | diff - doc/oddl-plans.rst
}

# One job on servers that are joined in eight ways; the manual has the rows that come out
server_fabrics()
{
    has_rows doc/server-fabrics.rst utils/server-fabrics.py --program="$directory/lightpath-train" --check
}

# A share of the fabrics on the same jobs; the manual has the rows that come out
field_table()
{
    has_rows doc/comparison.rst utils/field-table.py --program="$directory/lightpath-train" --share="$1" --check
}

optinc_table()
{
    has_rows doc/optinc-fabric.rst utils/optinc-table.py "$directory"
}

# Power and price of networks for 1024 GPUs; the manual has the rows that come out
network_costs()
{
    has_rows doc/cost.rst utils/network-costs.py --program="$directory/lightpath-train" --check
}

# How far light goes on a ring, what it costs averages, and ports of switches; the manual has the rows that come out
optical_reach()
{
    has_rows doc/optical-layer.rst "$directory/lightpath-budget" --reach &&
        has_rows doc/optical-layer.rst "$directory/lightpath-budget" --path=optinc --reach &&
        has_rows doc/optical-layer.rst "$directory/lightpath-budget" --ports --nodes=1024
}

# Collectives by packets and by flows, in the rows whose text has all words
flow_table()
{
    has_rows doc/link-graphs.rst utils/flow-table.py "$directory" "$@"
}

# The same over RDMA
rdma_table()
{
    has_rows doc/rdma.rst utils/rdma-table.py "$directory" "$@"
}

# Another compiler, with assertions, that makes programs check each use of memory and each operation that
# C++ leaves undefined
build_sanitized()
{
    target=lightpath-test-runner build "$PWD/build-sanitized" -DCMAKE_CXX_COMPILER=clang++ \
        -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -gline-tables-only" \
        -DNS3_SANITIZE=ON -DNS3_ASSERT=ON -DNS3_WARNINGS_AS_ERRORS=ON -DNS3_EXAMPLES=OFF \
        -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DLIGHTPATH_BATCHES=ON
}

# sanitized SUITE: a suite by the sanitized build
sanitized()
{
    local suite=$1 options=detect_stack_use_after_return=1
    # This suite would take for a leak what is kept of freed memory to see who uses it still
    if [ "$suite" = lightpath-socket ]; then
        options+=:quarantine_size_mb=1
    fi
    OPENBLAS_NUM_THREADS=1 ASAN_OPTIONS=$options UBSAN_OPTIONS=print_stacktrace=1 \
        build-sanitized/lightpath-test-runner --suite="$suite" --verbose
}

# memory SUITE: a suite by valgrind, which alone sees that something is read before it has been written
memory()
{
    OPENBLAS_NUM_THREADS=1 valgrind --quiet --error-exitcode=9 --leak-check=full \
        --errors-for-leak-kinds=definite build-test/lightpath-test-runner --suite="$1" --verbose
}

# A suite with the cases that take longer
extensive()
{
    "$directory/lightpath-test-runner" --suite="$1" --fullness=EXTENSIVE --verbose
}

# Damaged files, under sanitizers
documents()
{
    utils/fuzz.sh 60 "$(cksum <<<"$seed" | cut -d ' ' -f 1)"
}

# A job on servers of 8 over each fabric, by each way out
servers()
{
    local attach
    for attach in gpu rail server; do
        if [ "$1,$attach" != optinc,gpu ]; then
            "$directory/lightpath-train" --model=gpt2-xl --gpus=64 --batch=64 --planner=fixed --tp=8 --iterations=1 \
                --accelerator=A100 --serverGpus=8 --bandwidth=400Gbps --fabric="$1" --attach="$attach" || return 1
        fi
    done
}

# Random command lines, each of which is simulated or refused in one sentence
command_lines()
{
    utils/check-command-lines.py "$directory" 1000 "$seed $1"
}

# Each fabric of a comparison has the times and the prediction that it has alone
rows_of_comparisons()
{
    utils/check-fabrics.py "$directory" rows 200 "$seed"
}

# Each source includes the headers that it needs
alone()
{
    target=lightpath-test-runner build "$PWD/build-alone" -DNS3_ASSERT=ON -DNS3_WARNINGS_AS_ERRORS=ON \
        -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNS3_EXAMPLES=OFF
}

# All examples of the manual, also those that take long
examples()
{
    utils/check-examples.py "$directory" all
}

# proofs: each proof, about how many seconds it takes on two cores, and a function with its argument
proofs()
{
    local part
    awk '/^=/ { ++rule; next } rule == 2 { print 40, "calibration", $1 }' doc/calibration.rst | uniq
    # Names with commas are quoted
    sed -nE 's/^ *("([^"]*)"|([^",]*)),[0-9].*/10 planners \2\3/p' doc/planner-comparison.rst
    for ((part = 1; part <= 20; ++part)); do
        echo "40 figures $part/20"
    done
    for ((part = 1; part <= 8; ++part)); do
        echo "60 field_table $part/8"
    done
    suites | sed 's/^/15 extensive /'
    # Others compute too long for valgrind, and these for a share
    local long='fast-forward|planner|planner-search|rotor|shared-fabric|torus'
    suites | grep -vxE "lightpath-(collective|datacenter|fold|in-network|ip|photonics|server-helper|socket|$long)" |
        sed 's/^/40 memory /'
    ((shares > 1)) || suites | grep -xE "lightpath-($long)" | sed 's/^/400 memory /'
    printf '60 servers %s\n' sip-ring sip-ocs oddl optinc electrical
    printf '%s\n' "300 network svd" "300 network blocks" "150 one_plan" "60 noise" "30 oddl_table" \
        "5 optinc_table" "5 optical_reach" "15 flow_table switch 16" "40 flow_table leaf-spine 16" "15 server_fabrics" \
        "60 rdma_table all-to-all" \
        "60 network_costs" \
        "120 documents" "100 rows_of_comparisons" "300 command_lines 1" "300 command_lines 2"
    # A share is for a machine that need not have PyTorch, and for minutes
    ((shares > 1)) || printf '%s\n' "480 learning" "400 fit" "400 oddl_plans" "1500 alone" "200 examples" "900 servers leaf-spine:dctcp"
}

# Shuffled by the seed; each proof goes to the share that takes the least time so far
proofs_of_share()
{
    proofs | while read -r proof; do
        echo "$(cksum <<<"$seed ${proof#* }" | cut -d ' ' -f 1) $proof"
    done | sort -n | awk -v share="$share" -v shares="$shares" '{
        least = 1
        for (i = 2; i <= shares; ++i) {
            if (seconds[i] < seconds[least]) least = i
        }
        seconds[least] += $2
        if (least == share) print
    }' | cut -d ' ' -f 3-
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
if ((shares == 1)); then
    # shellcheck disable=SC2046
    check "build with sanitizers" build_sanitized && check_each "sanitized suite" sanitized $(suites)
    for release in bookworm trixie sid; do
        check "source of ns-3 of $release" fetch_tree $release && check_tree $release
    done
fi
finish
