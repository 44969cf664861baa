# shellcheck shell=bash
# Source trees of ns-3 that have the module in contrib/; .ci/run and utils/soak.sh source this file
# after utils/common.sh.

# The trees and their builds outlast a run
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/lightpath

# The tree of a release of Debian
tree_of()
{
    echo "$cache/ns-3-$1"
}

# fetch_tree SUITE: the source of ns-3 in a release of Debian, by an apt that knows nothing but where this
# machine has its packages from; the exit code is 3 if no source is served there
fetch_tree()
{
    local suite=$1 tree uri new
    tree=$(tree_of "$suite")
    if [ -e "$tree/VERSION" ]; then
        return
    fi
    uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
        'Label: Debian' 'Component: main' | head -n 1)
    if [ -z "$uri" ]; then
        echo "the sources of apt have no archive of Debian"
        return 3
    fi
    new=$cache/new-$suite
    rm -rf "$new" "$tree"
    mkdir -p "$new/lists/partial" "$new/archives/partial" "$new/source" || return
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $suite main" \
        >"$new/sources.list"
    (
        cd "$new/source" || exit
        apt=(apt-get -q -o Dir::Etc::sourcelist="$new/sources.list" -o Dir::Etc::sourceparts=/dev/null
            -o Dir::State::lists="$new/lists" -o Dir::Cache="$new" -o APT::Sandbox::User="$(id -un)")
        { "${apt[@]}" update && "${apt[@]}" source --download-only ns3; } || exit 3
        tar -xf ns3_*.orig.tar.*
    ) || return
    mv "$new"/source/ns-allinone-3.*/ns-3.* "$tree" && rm -rf "$new"
}

# place_module SUITE: places what is committed as a contributed module, and nothing that an earlier run left
place_module()
{
    local tree module
    tree=$(tree_of "$1")
    module=$tree/contrib/lightpath
    # Headers of an earlier run would hide that one is missing
    find "$module" -name '*.h' -printf '%f\n' 2>/dev/null |
        (cd "$tree/build/include/ns3" 2>/dev/null && xargs -r rm -f)
    rm -rf "$module" "$tree/build/contrib/lightpath" "$tree"/scratch/lightpath-*.cc
    mkdir -p "$module" &&
        git -c safe.directory="$PWD" ls-files -z | tar -c --null -T - | tar -x -C "$module" &&
        [ -e "$module/CMakeLists.txt" ] && place_link_examples "$tree"
}

# Examples of ns-3 whose PointToPointHelper or CsmaHelper is replaced, and nothing else
place_link_examples()
{
    local example
    for example in tcp/tcp-bulk-send tutorial/first udp-client-server/udp-client-server; do
        sed -E '1i #include "ns3/ring-link-helper.h"
                s/(PointToPoint|Csma)Helper (\w+);/ns3::lightpath::RingLinkHelper \2;/' \
            "$1/examples/$example.cc" >"$1/scratch/lightpath-${example##*/}.cc" || return
    done
}

# build_tree SUITE [TARGET]
build_tree()
(
    cd "$(tree_of "$1")" &&
        ./ns3 configure -G Ninja --build-profile=release --enable-asserts --enable-logs \
            --enable-werror --enable-mpi --enable-tests --enable-examples \
            --enable-modules='lightpath;applications;config-store;csma' \
            --filter-module-examples-and-tests=lightpath --disable-gtk --disable-gsl \
            -- -DLIGHTPATH_BATCHES=ON -DCMAKE_CXX_FLAGS_RELEASE=-O1 &&
        cmake --build cmake-cache --parallel "$(jobs)"
)

# check_in_tree SUITE NUMBER OPTION-OF-test.py...: runs tests with ns-3's own test.py, which passes over
# what it does not find, so it must run at least this number
check_in_tree()
(
    expected=$2
    cd "$(tree_of "$1")" && output=$(./test.py --no-build "${@:3}")
    status=$?
    echo "$output"
    [ $status -eq 0 ] && [ "$expected" -gt 0 ] && [[ $output =~ ([0-9]+)" of "([0-9]+)" tests passed" ]] &&
        [ "${BASH_REMATCH[1]}" -ge "$expected" ] &&
        [ "${BASH_REMATCH[1]}" -eq "${BASH_REMATCH[2]}" ]
)

# check_link_example SUITE NAME PATTERN: an example of ns-3 on the links of a ring prints what the pattern matches
check_link_example()
(
    program=$(echo "$(tree_of "$1")"/build/scratch/ns3*-lightpath-"$2")
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    cd "$scratch" && output=$("$program" 2>&1)
    status=$?
    echo "$output"
    [ $status -eq 0 ] && grep -qE "$3" <<<"$output"
)

# Bulk TCP carries nearly what 500 kb/s can in 10 s; the answer to an echo comes after
# 2 x (2 ms + 1066 bytes at 5 Mb/s); all of 320 datagrams come in
check_link_examples()
{
    check_link_example "$1" tcp-bulk-send 'Received: 5[5-9][0-9]{4}$' &&
        check_link_example "$1" first '2\.00741s client received 1024 bytes' &&
        check_link_example "$1" udp-client-server 'RX 1024 bytes .*Number: 159 '
}

# The programs of the module in a tree
program_in_tree()
{
    echo "$(tree_of "$1")"/build/contrib/lightpath/examples/ns3*-lightpath-train
}

# Two processes of a simulation report what one does
check_processes()
{
    utils/check-processes.py "$(program_in_tree "$1")"
}

# ns-3's own .gitignore leaves out no file of the module; Debian's source comes without it
check_ignored()
{
    local scratch status
    scratch=$(mktemp -d)
    printf '%s\n' '*.diff' '*.orig' '*.patch' '*.rej' '*.o' '*.py[co]' '*.cwnd' '*.dat' '*.log' '*.mob' '*.pcap' \
        '*.plt' '*.routes' '*.tr' '*~' 'testpy-output' 'venv/' 'coverity' 'TAGS' 'build-dir/' 'build/' 'cmake-*/' \
        '.cache/' '.idea/' '.vs/' 'vcpkg/' 'version.cache' >"$scratch/.gitignore" &&
        git -C "$scratch" init --quiet &&
        git -c safe.directory="$PWD" ls-files | sed 's#^#contrib/lightpath/#' |
        git -C "$scratch" check-ignore --no-index --stdin
    # It exits with 1 if no path is ignored
    status=${PIPESTATUS[2]}
    rm -rf "$scratch"
    [ "$status" -eq 1 ]
}

# check_tree SUITE: everything that is checked in a tree
check_tree()
{
    # shellcheck disable=SC2046
    check "contrib/lightpath in ns-3 of $1" place_module "$1" &&
        check "build in ns-3 of $1" build_tree "$1" || return
    check "suites in ns-3 of $1" check_in_tree "$1" "$(suites | wc -l)" --suite='lightpath-*'
    check "links of ns-3's examples of $1" check_link_examples "$1"
    check "two processes of $1" check_processes "$1"
    check "examples in ns-3 of $1" check_in_tree "$1" "$(utils/list-examples.py | wc -l)" --constrain=example
}
