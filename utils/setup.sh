#!/bin/bash
# Installs what is missing to build the module, and asks nothing.
#
# usage: utils/setup.sh [test] [ci] [figures] [learning]
#   test     also what utils/test.sh needs
#   ci       also what .ci/run needs
#   figures  also what utils/figures.sh needs
#   learning also PyTorch and the data of utils/optinc-learning.py
set -euo pipefail

missing=()

# need PACKAGE COMMAND...: the package is missing unless the command succeeds
need()
{
    local package=$1
    shift
    "$@" >/dev/null 2>&1 || missing+=("$package")
}

program()
{
    command -v "$1"
}

header()
{
    echo "#include <$1>" | c++ -E -x c++ -
}

library()
{
    echo "int main() {}" | c++ -x c++ - "-l$1" -o /dev/null
}

font()
{
    [ -n "$(find /usr/share/fonts ~/.fonts ~/.local/share/fonts -name "$1" -print -quit 2>/dev/null)" ]
}

sanitizer()
{
    echo "int main() {}" | clang++ -fsanitize=address,undefined -x c++ - -o /dev/null
}

ns3()
{
    [ -n "${ns3_DIR:-}" ] || header ns3/core-module.h
}

need g++ program c++
need cmake program cmake
need ninja-build program ninja
need python3 program python3
need libns3-dev ns3
need libboost-dev header boost/pool/singleton_pool.hpp
need nlohmann-json3-dev header nlohmann/json.hpp
need liblemon-dev header lemon/core.h
need libgsl-dev header gsl/gsl_linalg.h
# Not needed: optical neural networks are computed many times as fast with it
need libopenblas-dev library openblas
for stage in "$@"; do
    case $stage in
        test)
            need clang-format-16 program clang-format-16
            need glpk-utils program glpsol
            need python3-protobuf /usr/bin/python3 -c "import google.protobuf"
            need python3-numpy /usr/bin/python3 -c "import numpy"
            need python3-onnx /usr/bin/python3 -c "import onnx"
            need python3-protobuf /usr/bin/python3 -c "import google.protobuf"
            need tshark program tshark
            ;;
        ci)
            need ccache program ccache
            need chromium program chromium
            need clang program clang++
            need dpkg-dev program dpkg-source
            need doxygen program doxygen
            need git program git
            need libclang-rt-14-dev sanitizer
            need llvm program llvm-symbolizer
            need libopenmpi-dev program mpicxx
            need make program make
            need munge test -x /usr/sbin/munged
            need openmpi-bin program mpirun
            need python3-sphinx program sphinx-build
            need slurm-wlm test -x /usr/sbin/slurmctld -a -x /usr/sbin/slurmd
            need valgrind program valgrind
            ;;
        figures)
            need gnuplot-nox program gnuplot
            need fonts-dejavu-core font DejaVuSans.ttf
            ;;
        learning)
            need bible-kjv program bible
            need dataset-fashion-mnist test -d /usr/share/datasets/fashion-mnist
            need python3-torch /usr/bin/python3 -c "import torch"
            ;;
        *)
            echo "setup.sh: '$stage' is none of 'test', 'ci', 'figures' and 'learning'" >&2
            exit 2
            ;;
    esac
done
if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi

if ! program apt-get >/dev/null; then
    echo "setup.sh: there is no apt-get here: please install ${missing[*]} (Debian's names)" >&2
    exit 1
fi
root=()
if [ "$(id -u)" -ne 0 ]; then
    root=(sudo -n)
    if ! sudo -n true 2>/dev/null; then
        echo "setup.sh: please run 'apt-get install ${missing[*]}' as root" >&2
        exit 1
    fi
fi
echo "Installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt_get()
{
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
        "$@" </dev/null >>"$log" 2>&1
}
# A source that cannot be reached matters only if the packages are not in another one
apt_get update || true
if ! apt_get install --no-install-recommends "${missing[@]}"; then
    cat "$log" >&2
    exit 1
fi
