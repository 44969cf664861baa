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

# Two runs differ in nothing but the time and the memory that they take
check_determinism()
{
    local run=("$directory/lightpath-train" --gpus=8 --batch=32 --frameSize=9000 --model=resnet50
        --decisionInterval=100us --compare=sip-ring,sip-ocs,electrical --quiet --json=-)
    diff <("${run[@]}" | grep -vE 'wallSeconds|peakMemoryBytes') \
        <("${run[@]}" | grep -vE 'wallSeconds|peakMemoryBytes')
}

# A model takes as long from its file as from the zoo
check_model_file()
{
    local model=gpt2-xl:layers=4 vary='"model"|wallSeconds|peakMemoryBytes' file one other status
    local run=("$directory/lightpath-train" --planner=fixed --tp=2 --gpus=8 --batch=32 --quiet
        --fabric=electrical --json=-)
    file=$(mktemp --suffix=.json)
    "$directory/lightpath-model" --show=$model --json="$file" >/dev/null &&
        cmp "$file" <("$directory/lightpath-model" --show="$file" --json=-) &&
        one=$("${run[@]}" --model=$model | grep -vE "$vary") &&
        other=$("${run[@]}" --model="$file" | grep -vE "$vary") &&
        diff <(echo "$one") <(echo "$other")
    status=$?
    rm "$file"
    return $status
}

# check_step MODEL BANDWIDTH MILLISECONDS [OPTION...]: an iteration of data parallelism alone takes so
# long, within 1 %
check_step()
{
    local model=examples/models/$1-data-parallel bandwidth=$2 milliseconds=$3
    shift 3
    "$directory/lightpath-train" --model="$model.json" --profile="$model-times.json" --gpus=1024 \
        --batch=8192 --planner=fixed --fabric=electrical --bandwidth="$bandwidth" --iterations=1 \
        --quiet --json=- "$@" |
        python3 -c 'import json, sys
seconds = json.load(sys.stdin)["runs"][0]["iterationSeconds"][0]
wanted = float(sys.argv[1]) / 1e3
print(seconds, "s, wanted", wanted, "s")
sys.exit(abs(seconds / wanted - 1) > 0.01)' "$milliseconds"
}

# The compute time, and then the weights twice over the rate, are what the released simulator of
# SiP-ML has for data parallelism on 1024 GPUs
check_data_parallel()
{
    check_step resnet50 128Gbps 70.571 --fold && check_step resnet50 400Gbps 49.321 --fold &&
        check_step resnet50 8192Gbps 39.809 &&
        check_step transformer 128Gbps 98.764 --fold &&
        check_step transformer 400Gbps 39.264 --fold &&
        check_step transformer 8192Gbps 12.631 --fold &&
        check_step gpt2-355m 128Gbps 1078.4 --fold && check_step gpt2-355m 400Gbps 500.4 --fold &&
        check_step gpt2-355m 8192Gbps 241.681 --fold
}

# check_refusal PROGRAM PART OPTION...: bad options end in one sentence, which says PART, and exit
# code 1
check_refusal()
{
    local program=$1 part=$2 sentence status
    shift 2
    sentence=$("$directory/$program" "$@" 2>&1)
    status=$?
    echo "$sentence"
    [ $status -eq 1 ] && [ "$(echo "$sentence" | wc -l)" -eq 1 ] && [[ $sentence == *"$part"* ]]
}

check_refusals()
{
    local train="check_refusal lightpath-train"
    $train "no model" --model=lenet && $train "no accelerator" --accelerator=B1 &&
        $train "sip-ring" --fabric=torus && $train "known ones are fixed" --planner=none &&
        $train "must be a number" --gpus=-1 && $train "must be a number" --batch=0 &&
        $train "multiple of --tp" --planner=fixed --tp=3 &&
        $train "exceeds the kvHeads" --model=llama-3-8b --planner=fixed --tp=16 &&
        $train "multiple of DataParallel" --planner=fixed --batch=100 &&
        $train "multiple of 250 Gb/s" --bandwidth=300Gbps && $train "bandwidth" --bandwidth=1 &&
        $train "GiB" --gpus=8 --batch=4096 && $train "leaves no room" --frameSize=20 &&
        $train "not a time" --reconfigurationDelay=25 && $train "too long" --decisionInterval=9h &&
        $train "cannot be written" --json=/nonexistent/file && $train "not an option" bert-large &&
        $train "not the speed of a rank" --slow=3 && $train "end with 63" --slow=64:0.5 &&
        $train "not a random variable" --computeNoise=none && $train "is no value" \
        "--computeNoise=ns3::NormalRandomVariable[Mean=x]" && $train "positive number" --quiet \
        --gpus=8 --batch=32 --computeNoise=ns3::ConstantRandomVariable[Constant=0] &&
        check_refusal lightpath-model "nothing to print" &&
        check_refusal lightpath-model "known are alexnet" --show=lenet &&
        check_refusal lightpath-model "has no option" --options=vgg16:depth=3 &&
        check_refusal lightpath-model "belongs to --show" --list --operators &&
        check_refusal lightpath-calibrate "sources are DLE" --source=none &&
        check_refusal lightpath-calibrate "table, rst" --format=csv &&
        check_refusal lightpath-model "belongs to --show" --list --json=- &&
        check_refusal lightpath-model "prints JSON only" --show=vgg16 --operators --json=- &&
        check_refusal lightpath-model "cannot be written" --show=vgg16 --json=/nonexistent/file &&
        check_refusal lightpath-collective "all-to-all" --collective=gather &&
        check_refusal lightpath-collective "not a size" --minBytes=1e20GB &&
        check_refusal lightpath-collective "exceeds" --minBytes=2MB --maxBytes=1MB &&
        check_refusal lightpath-collective "must divide" --ranks=8 --local=3 &&
        check_refusal lightpath-collective "known are automatic" --algorithm=torus &&
        check_refusal lightpath-collective "does not carry out" --algorithm=bruck &&
        check_refusal lightpath-collective "belong to multi-ring" --algorithm=ring --rings=2 &&
        check_refusal lightpath-collective "it has 4 strides" --algorithm=multi-ring --ranks=12 \
            --rings=5 &&
        check_refusal lightpath-collective "--serverRate" --fabric=electrical --serverGpus=8 &&
        check_refusal lightpath-train "belong to the electrical" --delay=1us &&
        $train "belongs to the fabric electrical" --fold &&
        $train "slower than others" --fold --fabric=electrical --slow=3:0.5 &&
        $train "slower than others" --fold --fabric=electrical \
            --computeNoise=ns3::WeibullRandomVariable[Shape=20] &&
        $train "lie evenly in the servers" --fold --fabric=electrical --planner=fixed --gpus=24 \
            --batch=96 --tp=4 --serverGpus=6 &&
        check_circuit_refusals && check_allocate_refusals && check_planning_refusals
}

check_planning_refusals()
{
    local train="check_refusal lightpath-train" compare="check_refusal lightpath-compare-planners"
    $train "belongs to --planner=search" --planningTime=10s &&
        $train "leaves no time" --planningTime=0s && $train "not a time" --planningTime=ten &&
        $train "leaves nothing to chance" --seed=2 &&
        $train "attribute, parameter" --splitMode=none &&
        $train "no pieces of operators" --planner=fixed --splitMode=overlap &&
        $train "takes --dp only" --tp=2 && $train "takes --dp only" --microbatch=2 &&
        $compare "no case" --cases=lenet && $compare "from 1 to" --jobs=0 &&
        $compare "table, rst, csv" --format=html && $compare "no planner 'none'" --planners=none,fixed &&
        $compare "two planners" --planners=fixed && $compare "leaves no time" --planningTime=0s &&
        $compare "of its own" --curve --cases=bert && $compare "cannot be written" --list \
        --json=/nonexistent/file
}

check_circuit_refusals()
{
    local train="check_refusal lightpath-train"
    $train "sip-ring has max-min" --allocator=none && $train "periodic, phase" --trigger=never &&
        $train "--decisionInterval above" --trigger=periodic &&
        $train "planned, backlog, phase" --demandSource=none &&
        $train "not a time" --decisionTime=10 && $train "global, partial" --pauseMode=none &&
        $train "resume, finish" --frameCut=none && $train "load-only" --wavelengthMode=none &&
        $train "--pauseMode=partial" --fibreByFibre && $train "not a failure" --fail=segment:3:cw &&
        $train "must be less than 64" --fail=segment:64:cw@1ms &&
        $train "no component" --fabric=sip-ocs --fail=segment:3:cw@1ms &&
        $train "roofline, linear" --splitting=none && $train "sip-ocs, which" --switches=9 &&
        $train "from 0 to" --fabric=sip-ocs --switches=-1 &&
        $train "has no attribute" --attribute=Colour=red &&
        $train "is no value" --attribute=FillLeftover=red &&
        $train "PauseMode Partial" --quiet --fabric=sip-ocs --allocator=rotor --reconfigurationDelay=1us &&
        $train "a fabric of circuits" --fabric=electrical --fail=switch:0@1ms
}

check_allocate_refusals()
{
    local allocate="check_refusal lightpath-allocate"
    local all=(--pattern=all-to-all --ports=8) switches=(--pattern=all-to-all --ports=8 --fabric=sip-ocs)
    $allocate "must be given" && $allocate "cannot be read" --demand=/nonexistent/file &&
        $allocate "standard input is empty" --demand=- &&
        $allocate "auto, matrix, list" --demand=- --format=csv &&
        $allocate "above 0" --demand=- --scale=-1 &&
        $allocate "from 2 to" --pattern=all-to-all && $allocate "training:K" --pattern=torus --ports=8 &&
        $allocate "sip-ocs, sip-ring" "${all[@]}" --fabric=electrical &&
        $allocate "the known ones are max-min" "${all[@]}" --allocator=none &&
        $allocate "the known ones are FillLeftover" "${all[@]}" --attribute=Colour=red &&
        $allocate "is no value" "${all[@]}" --attribute=FillLeftover=red &&
        $allocate "like Name=Value" "${all[@]}" --attribute=FillLeftover &&
        $allocate "belongs to" "${all[@]}" --switches=3 &&
        $allocate "from 1 to" "${all[@]}" --fibres=0 &&
        $allocate "load-only" "${all[@]}" --wavelengthMode=none &&
        $allocate "must be less than 8" "${all[@]}" --fail=segment:8 &&
        $allocate "cannot be written" "${all[@]}" --svg=/nonexistent/file &&
        $allocate "belongs to" "${switches[@]}" --fibres=3 &&
        $allocate "is not a time" "${switches[@]}" --allocator=rotor --attribute=SlotTime=x &&
        $allocate "not a number of ports" "${switches[@]}" --switchPorts=8,all &&
        $allocate "there are 3" "${switches[@]}" --switches=3 --switchPorts=8,8
}

utils/setup.sh test || exit
check "formatting" check_format
check "layers" utils/check-layers.py
check "build" build "$directory" -DNS3_ASSERT=ON -DNS3_WARNINGS_AS_ERRORS=ON || finish
check "list of suites" check_suites
for suite in $(suites); do
    check "suite $suite" "$directory/lightpath-test-runner" --suite="$suite" --verbose
done
check "bad options" check_refusals
check "two runs" check_determinism
check "model from a file" check_model_file
check "published data-parallel times" check_data_parallel
while read -r example; do
    check "example $example" check_example "$example"
done < <(utils/list-examples.py)
finish
