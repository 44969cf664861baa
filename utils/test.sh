#!/bin/bash
# Checks everything that an installed ns-3 is enough for: the formatting, the layers of model/,
# a build without warnings, the test suites and the examples.
#
# usage: utils/test.sh
# The last line is "N passed, N failed"; the exit code is not 0 if anything failed.
set -uo pipefail
source "$(dirname "$0")/common.sh"

directory=$PWD/build-test

check_format()
{
    find . -path './build*' -prune -o \( -name '*.h' -o -name '*.cc' \) -print0 |
        xargs -0 clang-format-16 --dry-run -Werror
}

# Nobody would miss a suite that is not in the runner
check_suites()
{
    diff <(suites) <("$directory/lightpath-test-runner" --list | sort) && [ -n "$(suites)" ]
}

# Examples write where they stand
check_example()
{
    local here status
    here=$(mktemp -d)
    (cd "$here" && eval "timeout 600 $directory/$1")
    status=$?
    rm -rf "$here"
    return $status
}

utils/setup.sh test || exit
check "formatting" check_format
check "layers" utils/check-layers.py
check "build" build "$directory" -DNS3_ASSERT=ON -DNS3_WARNINGS_AS_ERRORS=ON || finish
check "list of suites" check_suites
for suite in $(suites); do
    check "suite $suite" "$directory/lightpath-test-runner" --suite="$suite" --verbose
done
while read -r example; do
    check "example $example" check_example "$example"
done < <(utils/list-examples.py)
finish
