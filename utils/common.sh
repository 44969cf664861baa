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
# on a terminal it shows how far it is, and elsewhere nothing unless it fails
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
        # What ccache asks for to know about precompiled headers
        export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    fi
    local log=$directory/build.log
    echo "Building in $directory, which takes some minutes the first time" >&2
    if ! cmake -S . -B "$directory" "${options[@]}" >"$log" 2>&1; then
        cat "$log" >&2
        return 1
    fi
    if [ -t 1 ]; then
        cmake --build "$directory" --parallel "$(jobs)" --target "${target:-all}"
    elif ! cmake --build "$directory" --parallel "$(jobs)" --target "${target:-all}" >"$log" 2>&1; then
        cat "$log" >&2
        return 1
    fi
}

# The test suites that the sources declare
suites()
{
    grep -rhoP --include='*.cc' 'TestSuite\("\K[^"]+' test | sort
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

# Prints the summary line and ends the script
finish()
{
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}
