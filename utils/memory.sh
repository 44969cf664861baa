# shellcheck shell=bash
# Test suites by programs that check each use of memory; .ci/run and utils/soak.sh source this file after
# utils/common.sh.

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
