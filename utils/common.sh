# shellcheck shell=bash
# What the scripts beside this one share; they source it.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

# Compilers that run at a time: one needs up to 1 GB
jobs()
{
    local gigabytes
    gigabytes=$(awk '/MemAvailable/ { print int($2 / 1048576) + 1 }' /proc/meminfo 2>/dev/null || echo 1)
    local cores
    cores=$(nproc)
    echo $((gigabytes < cores ? gigabytes : cores))
}

# build DIRECTORY [OPTION-OF-CMAKE...]: builds everything, or the target of CMake that $target names;
# shows its progress in one line on a terminal and in ten lines elsewhere, and all output if it fails
build()
{
    local directory=$1
    shift
    local options=("$@")
    mkdir -p "$directory"
    if [ ! -e "$directory/CMakeCache.txt" ]; then
        options+=(-G Ninja)
    fi
    if command -v ccache >/dev/null; then
        options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
        # Clones in other folders share what is compiled
        export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
        # What ccache asks for to know about precompiled headers
        export CCACHE_PCH_EXTSUM=1 CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    fi
    local log=$directory/build.log
    echo "Building ${target:-all} in $directory" >&2
    if ! cmake -S . -B "$directory" "${options[@]}" >"$log" 2>&1; then
        cat "$log" >&2
        return 1
    fi
    local command=(cmake --build "$directory" --parallel "$(jobs)" --target "${target:-all}")
    export NINJA_STATUS="[%p, %es] "
    if [ -t 2 ]; then
        "${command[@]}" >&2
    elif ! (set -o pipefail && "${command[@]}" 2>&1 | tee "$log" | show_tenths >&2); then
        cat "$log" >&2
        return 1
    fi
}

# Passes on ten of the lines in which ninja shows its progress
show_tenths()
{
    awk -F '[[%]' '/^\[ *[0-9]+%/ && int($2 / 10) > tenth { tenth = int($2 / 10); print; fflush() }'
}

# The test suites that the sources declare
suites()
{
    grep -rhozP --include='*.cc' '(TestSuite|SuiteCases \w+)\(\s*"\K[^"]+' test | tr '\0' '\n' | sort -u
}

passed=0
failed=0

# check NAME COMMAND...: runs a command and counts whether it succeeds; shows what it prints only
# if it does not
check()
{
    local name=$1
    shift
    local log
    log=$(mktemp)
    local start=$SECONDS
    if "$@" </dev/null >"$log" 2>&1; then
        passed=$((passed + 1))
        echo "PASS $name ($((SECONDS - start)) s)"
        rm -f "$log"
    else
        failed=$((failed + 1))
        cat "$log"
        echo "FAIL $name"
        rm -f "$log"
        return 1
    fi
}

# check_each NAME COMMAND ITEM...: checks "NAME ITEM" by "COMMAND ITEM" for each item, as many at a time
# as there are cores
check_each()
{
    local name=$1 command=$2 item scratch
    shift 2
    scratch=$(mktemp -d)
    for item in "$@"; do
        while (($(builtin jobs -rp | wc -l) >= $(jobs))); do
            wait -n
        done
        (
            start=$SECONDS
            "$command" "$item" </dev/null >"$scratch/$item.log" 2>&1
            echo "$? $((SECONDS - start))" >"$scratch/$item.status"
        ) &
    done
    wait
    local status seconds failures=$failed
    for item in "$@"; do
        read -r status seconds <"$scratch/$item.status"
        if [ "$status" -eq 0 ]; then
            passed=$((passed + 1))
            echo "PASS $name $item ($seconds s)"
        else
            failed=$((failed + 1))
            cat "$scratch/$item.log"
            echo "FAIL $name $item"
        fi
    done
    rm -rf "$scratch"
    [ "$failed" -eq "$failures" ]
}

# Prints the summary line and ends the script
finish()
{
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}
