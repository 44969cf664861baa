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

check_suite()
{
    "$directory/lightpath-test-runner" --suite="$1" --verbose
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
    local one other vary='wallSeconds|peakMemoryBytes'
    local run=("$directory/lightpath-train" --gpus=8 --batch=32 --frameSize=9000 --model=resnet50
        --decisionInterval=100us --compare=sip-ring,sip-ocs,electrical --quiet --json=-)
    one=$("${run[@]}") && other=$("${run[@]}") && [ "$(grep -c iterationSeconds <<<"$one")" -eq 3 ] &&
        diff <(grep -vE "$vary" <<<"$one") <(grep -vE "$vary" <<<"$other")
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

# A sweep that is killed in the middle and started again, and one that is run in shares whose folders
# are copied together, make the same table as one that nothing interrupts
check_sweep()
{
    local sweep=$PWD/utils/sweep here status
    local options=(--program="$directory/lightpath-train" --file=sweeps --planner=fixed --iterations=2
        --quiet --jobs=2)
    here=$(mktemp -d)
    (
        cd "$here" || exit
        mkdir a b c d
        cat >sweeps <<'EOF'
# Two models, each with a batch of its own
image: --model=resnet50 --batch=32 --gpus={4,8} --fabric={electrical,sip-ring}
text: --model=gpt2-xl:layers=2 --batch=8 --gpus={8..16*2}   # 16 is refused
EOF
        "$sweep" "${options[@]}" --out=a/all.csv && check_killed && cmp a/all.csv b/all.csv &&
            check_shares && cmp a/all.csv c/all.csv && check_damage && cmp a/all.csv c/all.csv
    )
    status=$?
    rm -rf "$here"
    return $status
}

# Kills a sweep as soon as one of its runs is finished, which may need several tries, and starts it
# again
check_killed()
{
    local process tries
    for ((tries = 0; tries < 5; ++tries)); do
        rm -rf b/*
        "$sweep" "${options[@]}" --jobs=1 --out=b/all.csv &
        process=$!
        until compgen -G 'b/all.runs/*.json' >/dev/null || ! kill -0 $process; do
            sleep 0.01
        done
        kill -KILL $process
        wait $process
        [ $? -eq 137 ] && [ ! -e b/all.csv ] && [ "$("$sweep" "${options[@]}" --out=b/all.csv --print |
            wc -l)" -gt 0 ] && break
    done
    [ $tries -lt 5 ] && "$sweep" "${options[@]}" --out=b/all.csv
}

# Makes a part of the sweep in each of two folders, one by the commands that it prints
check_shares()
{
    "$sweep" "${options[@]}" --out=c/all.csv --share=1/2 &&
        "$sweep" "${options[@]}" --out=d/all.csv --share=2/2 --print | bash &&
        [ ! -e c/all.csv ] && [ ! -e d/all.csv ] &&
        ! "$sweep" "${options[@]}" --out=c/all.csv --collect &&
        cp d/all.runs/*.json c/all.runs/ && "$sweep" "${options[@]}" --out=c/all.csv --collect
}

# Runs what is damaged, of another version or killed again, and nothing else; on a busy machine a run may
# end before it is killed, so this may need several tries
check_damage()
{
    local files=(c/all.runs/*.json) tries
    for ((tries = 0; tries < 5; ++tries)); do
        truncate --size=100 "${files[0]}"
        sed -i 's/"version": "/&older-/' "${files[1]}"
        ! "$sweep" "${options[@]}" --out=c/all.csv --timeout=0.000001 &&
            [ "$("$sweep" "${options[@]}" --out=c/all.csv --print | wc -l)" -eq 2 ] && break
        "$sweep" "${options[@]}" --out=c/all.csv
    done
    [ $tries -lt 5 ] &&
        [[ $("$sweep" "${options[@]}" --quiet=false --out=c/all.csv) == "6 rows"*" (4 were"*" 1 refused)" ]]
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

# check_torus_arrival SIZE: all pairs of lightpath-new-torus share its links evenly
check_torus_arrival()
{
    "$directory/lightpath-new-torus" --size="$1" | python3 -c 'import re, sys
microseconds = float(re.search(r"([0-9.]+)us", sys.stdin.read()).group(1))
size = int(sys.argv[1])
# Frames of 9000 bytes, as many as the pairs whose routes pass a link, and 1 us for each link
wanted = 9000 * 8 / 100e3 * size * (size**2 - size % 2) / 8 + 2 * (size // 2)
print(microseconds, "us, wanted", wanted, "us")
sys.exit(abs(microseconds - wanted) > 2e-3)' "$1"
}

# check_rotor_arrival NODES: the last round of lightpath-new-rotor
check_rotor_arrival()
{
    "$directory/lightpath-new-rotor" --nodes="$1" | python3 -c 'import re, sys
microseconds = float(re.search(r"([0-9.]+)us", sys.stdin.read()).group(1))
# All earlier rounds, the darkness, a frame of 9000 bytes, and 40 m of fibre
wanted = (int(sys.argv[1]) - 2) * 100 + 10 + 9000 * 8 / 100e3 + 40 * 1.468 / 299.792458
print(microseconds, "us, wanted", wanted, "us")
# It prints six digits
sys.exit(abs(microseconds / wanted - 1) > 5e-6)' "$1"
}

# check_arrival NODES: the fabric of lightpath-new-fabric has a circuit between any two of its nodes
check_arrival()
{
    "$directory/lightpath-new-fabric" --nodes="$1" | python3 -c 'import re, sys
microseconds = float(re.search(r"([0-9.]+)us", sys.stdin.read()).group(1))
# Switching, a frame of 9014 bytes at 25 Gb/s, and 40 m of fibre
wanted = 25 + 9014 * 8 / 25e3 + 40 * 1.468 / 299.792458
print(microseconds, "us, wanted", wanted, "us")
sys.exit(abs(microseconds - wanted) > 1e-3)'
}

check_new_fabric()
{
    check_arrival 2 && check_arrival 8 && check_arrival 33 && check_torus_arrival 4 &&
        check_torus_arrival 5 && check_torus_arrival 8 && check_rotor_arrival 2 &&
        check_rotor_arrival 8 && check_rotor_arrival 34 &&
        [ "$(wc -l <examples/lightpath-new-fabric.cc)" -le 150 ]
}

# A minus sign for a file is the standard output
check_bench()
{
    local here status
    here=$(mktemp -d)
    (cd "$here" && "$directory/lightpath-bench-frame" --frames=1000 --rounds=1 --json=- | grep ratio && [ ! -e - ])
    status=$?
    rm -rf "$here"
    return $status
}

# No test is left out: all programs are there
check_python()
{
    local text
    text=$(LIGHTPATH_BUILD=$(realpath "$directory") /usr/bin/python3 -m unittest discover -s test -p '*_tests.py' 2>&1)
    local status=$?
    echo "$text"
    [ $status -eq 0 ] && ! grep "skipped=" <<<"$text"
}

# Only fabrics whose messages pass no other ports have a closed form
check_closed_form()
{
    local run=("$directory/lightpath-collective" --ranks=4 --maxBytes=1MB --json=-)
    local relayed
    "${run[@]}" --fabric=electrical | grep closedFormSeconds && relayed=$("${run[@]}" --fabric=oddl) &&
        grep seconds <<<"$relayed" && ! grep -E 'closedFormSeconds|ratio"' <<<"$relayed"
}

# The messages for a gradient have a half, a quarter and an eighth of its size, which says how many
# are small. With all of them on the cards a job takes as long as on an electrical switch of that rate
check_hybrid()
{
    local job=(--model=resnet50 --batch=64 --gpus=8 --planner=fixed --allReduce=halving-doubling
        --ns3::lightpath::FixedPlanner::BucketBytes=0 --iterations=1)
    python3 - 100e3 <("$directory/lightpath-hybrid" --smallMessage=100000) \
        <("$directory/lightpath-model" --show=resnet50 --json=-) \
        <("$directory/lightpath-train" "${job[@]}" --fabric=electrical --bandwidth=10Gbps \
            --quiet --json=-) <<'EOF'
import json, sys
table, model, train = (open(name).read() for name in sys.argv[2:])
found = [[float(word) for word in line.split()[1::2]] for line in table.splitlines()[1:]]
updates = [each for each in json.loads(model)["operators"] if each["kind"] == "optimizer"]
messages = [2 * update["parameters"] / part for update in updates for part in (2, 4, 8)]
small = [size for size in messages if size <= float(sys.argv[1])]
shares = [100 * len(small) / len(messages), 100 * sum(small) / sum(messages)]
electrical = json.loads(train)["runs"][0]["iterationSeconds"][0] * 1e3
wanted = [[found[0][0], 0, 0], [found[1][0], *shares], [electrical, 100, 100]]
print(found, "wanted", wanted)
same = all(abs(a - b) < 0.006 for row, line in zip(found, wanted) for a, b in zip(row, line))
sys.exit(not same or found[1][0] > min(found[0][0], found[2][0]))
EOF
}

# An option that only one of several fabrics obeys is in its row, and in no other
check_remarks()
{
    local table
    table=$("$directory/lightpath-train" --planner=fixed --model=resnet50 --gpus=8 --batch=64 --iterations=1 \
        --bandwidth=400Gbps --compare=sip-ocs,sip-ring,electrical --optics=co-packaged --cost --reconfigurationDelay=1ms)
    echo "$table"
    grep -q "^electrical .*x  --optics=co-packaged$" <<<"$table" &&
        [ "$(grep -c "^sip-.*x  --reconfigurationDelay=1ms$" <<<"$table")" -eq 2 ]
}

# predictions OPTION...: prints the predicted times in milliseconds of the plans that are made
predictions()
{
    "$directory/lightpath-train" --model=mixtral-8x7b:layers=2 --gpus=8 --batch=16 --accelerator=H100 \
        --bandwidth=500Gbps --planner=search --planOnly "$@" | sed -n 's/.*predicted \(.*\) an iteration/\1/p'
}

# What cannot be built is marked in the tables, in JSON, and has no time to accuracy: 64 servers are too many for the
# light of OptINC, and 48 wavelengths of 8 transceivers too many for a switch of ODDL; both can be built for 16 GPUs
check_feasible()
{
    local table
    local run=("$directory/lightpath-train" --accelerator=H100 --model=resnet50 --planner=fixed --iterations=1)
    table=$("${run[@]}" --gpus=64 --batch=2048 --bandwidth=2400Gbps --compare=optinc,oddl,electrical) &&
        echo "$table" && grep -E "^optinc +\(.* no: wrong averages" <<<"$table" &&
        grep -E "^oddl +\(.* no: wavelengths of a switch" <<<"$table" &&
        grep "^electrical: to 75.9 % top-1" <<<"$table" && ! grep "^\(oddl\|optinc\): to " <<<"$table" &&
        grep "^optinc: not feasible: .* Feasible: at most 21 GPUs" <<<"$table" &&
        "${run[@]}" --gpus=16 --batch=512 --bandwidth=1200Gbps --fabric=oddl --json=- --quiet | grep '"feasible": true' &&
        "${run[@]}" --gpus=16 --batch=512 --bandwidth=2400Gbps --fabric=oddl --json=- --quiet |
        grep '"feasible": false' &&
        "${run[@]}" --gpus=16 --batch=512 --bandwidth=2400Gbps --fabric=optinc --json=- --quiet |
        grep '"feasible": true' &&
        "${run[@]}" --gpus=16 --batch=512 --fabric=oddl --physicalLayer=none --json=- --quiet | grep '"feasible": null'
}

# Each fabric has the plan that it has alone, or all have the strategy of the first, and the last table says so
check_plan_each()
{
    local table both one other
    both=$(predictions --compare=sip-ring,electrical) && one=$(predictions --fabric=sip-ring) &&
        other=$(predictions --fabric=electrical) && [ "$both" = "$one"$'\n'"$other" ] &&
        both=$(predictions --compare=electrical,sip-ring --samePlan) && [ "$(wc -l <<<"$both")" -eq 2 ] &&
        [ "$(head -n 1 <<<"$both")" = "$other" ] && [ "$(tail -n 1 <<<"$both")" != "$one" ] &&
        [ "$both" = "$(predictions --compare=electrical,sip-ring --planEach=false)" ] &&
        "$directory/lightpath-train" --model=mixtral-8x7b:layers=2 --gpus=8 --batch=16 --accelerator=H100 \
            --planner=search --planOnly --ns3::lightpath::SearchPlanner::MaxEvaluations=5 |
            grep "budget ended it [0-9.]* % above" || return
    table=$("$directory/lightpath-train" --model=resnet50 --gpus=4 --batch=64 --planner=fixed \
        --compare=optinc,electrical --iterations=1)
    echo "$table"
    [ "$(grep -c " yes .* dp 4 x tp 1 x pp 1$" <<<"$table")" -eq 2 ] || return
    # A refusal names the fabric unless all fabrics give it
    check_refusal lightpath-train "lightpath-train: There is no model" --model=lenet --planner=search \
        --compare=sip-ring,electrical --quiet &&
        check_refusal lightpath-train "optinc: The fabric averages" --planner=fixed --gpus=8 --batch=64 \
            --tp=2 --compare=optinc,oddl --rows=2 --columns=2 --quiet
}

# Of several fabrics, one that is refused has a row that says why, and the others go on
check_refused_rows()
{
    local here table status
    local run=("$directory/lightpath-train" --model=bert-large:layers=2 --gpus=8 --batch=32 --planner=fixed
        --iterations=1)
    here=$(mktemp -d)
    table=$("${run[@]}" --tp=2 --compare=optinc,sip-ring,electrical --json="$here/run.json" \
        --report="$here/page.html" --cost) && echo "$table" &&
        grep "^optinc  *refused: The fabric averages" <<<"$table" && grep "^sip-ring  .* 1.000x" <<<"$table" &&
        [ "$(grep -c '"iterationSeconds"' "$here/run.json")" -eq 2 ] &&
        grep '"refused": "The fabric averages' "$here/run.json" && grep "^optinc,.*refused: " "$here/page.html" &&
        grep -A3 'data-table="costs"' "$here/page.html" | grep "^electrical," &&
        # The strategy for all is that of the first which has one
        "${run[@]}" --tp=2 --samePlan --compare=optinc,electrical | grep "^electrical .*1.000x" &&
        "$directory/lightpath-cluster" --gpus=16 --jobs=3 --fabric=optinc,electrical --format=csv |
        grep -A1 '^optinc,"refused: Jobs of a cluster' | grep "^electrical,[0-9]"
    status=$?
    rm -rf "$here"
    return $status
}

# A timeline that is too large leaves the other files alone, and prices need no simulation
check_single_outputs()
{
    local here table status
    local run=("$directory/lightpath-train" --model=resnet50 --gpus=8 --batch=64 --planner=fixed --iterations=1)
    here=$(mktemp -d)
    table=$("${run[@]}" --planOnly --cost --compare=electrical,sip-ring --accelerator=GB200) && echo "$table" &&
        grep "^sip-ring .* -  *-  *-  *-  *-$" <<<"$table" &&
        [ "$(grep -c "^The price of GB200 is not known" <<<"$table")" -eq 1 ] &&
        ! "${run[@]}" --fabric=electrical --timeline="$here/run.pftrace" --timelineSize=1kB \
            --json="$here/run.json" --report="$here/run.html" --quiet 2>"$here/sentence" &&
        grep "run.pftrace is not written: " "$here/sentence" && [ "$(wc -l <"$here/sentence")" -eq 1 ] &&
        [ ! -e "$here/run.pftrace" ] && [ -s "$here/run.json" ] && [ -s "$here/run.html" ] &&
        "$directory/lightpath-train" -h | cmp - <("$directory/lightpath-train" --help)
    status=$?
    rm -rf "$here"
    return $status
}

# A job that stalls says what has failed, and why circuits never come
check_stalls()
{
    local train="check_refusal lightpath-train"
    local job=(--model=bert-large:layers=2 --batch=64 --planner=fixed --iterations=1 --quiet)
    $train "the failures of cards and fabrics (rail:0) have left" "${job[@]}" --gpus=16 --fabric=photonic-rails \
        --tp=8 --placement=linear --crossRails=refuse --fail=rail:0@1us &&
        $train "for rank 0 to rank 16: 16 segments are more than the MaxDistance of 1" "${job[@]}" --gpus=32 \
            --fabric=sip-ring --placement=linear --allReduce=halving-doubling --attribute=MaxDistance=1 --decisionInterval=1ms
}

# A search turns the grid of ODDL where that is faster, and the simulation has the grid of the plan
check_turned_grid()
{
    local run=("$directory/lightpath-train" --model=gpt3-175b:layers=2 --gpus=8 --batch=8 --accelerator=H100
        --fabric=oddl --bandwidth=100Gbps --planner=search --iterations=1 --quiet --json=-
        --ns3::lightpath::SearchPlanner::MaxEvaluations=200) turned
    turned=$("${run[@]}") && grep '"gridRows": 4' <<<"$turned" &&
        diff <(grep -A1 iterationSeconds <<<"$turned") <("${run[@]}" --rows=4 | grep -A1 iterationSeconds)
}

# An explanation and the table give one computation, the mean over GPUs, also where stages differ
check_explanation()
{
    local file status
    file=$(mktemp)
    "$directory/lightpath-train" --model=bert-large:layers=3 --planner=fixed --pp=2 --gpus=2 --batch=8 \
        --microbatch=2 --fabric=electrical --explain --json="$file" | grep "mean over GPUs: compute" &&
        python3 -c 'import json, sys
result = json.load(sys.stdin)
explained, simulated = result["plan"]["cost"]["computeSeconds"], result["runs"][0]["computeSeconds"]
print("explained", explained, "s, simulated", simulated, "s")
sys.exit(abs(explained / simulated - 1) > 1e-6)' <"$file"
    status=$?
    rm "$file"
    return $status
}

# simulated FILTER OPTION...: whether a simulation fulfils a condition of j, its JSON, and t, its last iteration
simulated()
{
    local condition=$1
    shift
    timeout 30 "$directory/lightpath-train" "$@" --json=- --quiet 2>&1 | python3 -c 'import json, sys
j = json.load(sys.stdin)
t = j["runs"][0]["iterationSeconds"][-1]
print(sys.argv[1], "with", t, "s")
sys.exit(not eval(sys.argv[1]))' "$condition"
}

# Times that programs alone show: 2.706 ms with decisions each 1 ms as without any after a failure; tori that are no
# cubes; rotors of two ports, between which there is none; and estimates of circuits that kinds of communication share in
# part, or that follow phases, and of a slow GPU
check_times()
{
    local ring=(--model=dlrm --gpus=4 --batch=32 --planner=sip-ml --fabric=sip-ring --bandwidth=100Gbps) gpus
    simulated "t <= 2.8e-3" "${ring[@]}" --decisionInterval=1ms --fail=segment:0:cw@3ms &&
        simulated "t <= 2.8e-3" "${ring[@]}" --decisionInterval=1ms --fail=segment:1:ccw@3ms &&
        simulated "t <= 2.8e-3" "${ring[@]}" --decisionInterval=1ms --demandSource=underway --fail=segment:0:cw@3ms &&
        simulated "t <= 2.8e-3" "${ring[@]}" --trigger=phase --fail=segment:0:cw@3ms &&
        simulated 'abs(j["plan"]["predictedIterationSeconds"] / t - 1) < 0.1' --fabric=sirius --gpus=2 --batch=4 --uplinks=1 --planner=sip-ml --bandwidth=800Gbps \
            --model=transformer-big || return
    for gpus in 12 16 48; do
        simulated 'abs(j["plan"]["predictedIterationSeconds"] / t - 1) < 0.02' --fabric=torus --gpus=$gpus \
            --batch=$((4 * gpus)) --model=resnet50 --bandwidth=100Gbps --planner=fixed || return
    done
    local bert=(--model=bert-large:layers=4 --gpus=16 --planner=fixed)
    simulated 'abs(j["plan"]["predictedIterationSeconds"] / t - 1) < 0.1' "${bert[@]}" --fabric=sip-ocs --batch=8 --cp=2 \
        --bandwidth=1Tbps &&
        simulated 'abs(j["plan"]["predictedIterationSeconds"] / t - 1) < 0.001' "${bert[@]}" --fabric=sip-ring \
            --batch=32 --pp=2 --microbatch=1 --trigger=phase --bandwidth=500Gbps --placement=linear &&
        simulated 'abs(j["plan"]["predictedIterationSeconds"] / t - 1) < 0.001' "${bert[@]}" --fabric=electrical \
            --batch=32 --slow=3:0.5
}

# A long job shows on a terminal how far it is, and ends when its time is up
check_progress()
{
    local job=("$directory/lightpath-train" --model=resnet50 --gpus=8 --batch=64 --planner=fixed --frameSize=1500
        --iterations=99 --fabric=electrical --timeout=1s) text
    check_refusal lightpath-train "was not finished within --timeout" "${job[@]:1}" --quiet || return
    text=$(script --quiet --return --command "${job[*]}" /dev/null)
    [ $? -eq 1 ] && tr '\r' '\n' <<<"$text" | grep "electrical: [0-9]* of 99 iterations, .* simulated in .* left" |
        tail -1 && grep "planning for electrical" <<<"$text" &&
        grep "not finished: [0-9]* of 99 iterations" <<<"$text" && check_progress_lines
}

# Elsewhere it writes a line as often as asked for, each with as much work as its share says, and none unless asked
check_progress_lines()
{
    local job=("$directory/lightpath-train" --model=resnet50 --gpus=8 --batch=64 --planner=fixed --frameSize=1500
        --iterations=9 --fabric=electrical --json=-) search text
    search=("$directory/lightpath-train" --model=gpt3-175b:layers=4 --gpus=64 --batch=64 --planner=search --planOnly
        --fabric=electrical --json=-)
    [ -z "$("${job[@]}" --iterations=2 2>&1 >/dev/null)" ] &&
        [ -z "$("${job[@]}" --iterations=2 --progress=1ms --quiet 2>&1 >/dev/null)" ] &&
        check_refusal lightpath-train "must be above 0" --progress=0s || return
    text=$("${search[@]}" --progress=1ms 2>&1 >/dev/null) && tail -1 <<<"$text" &&
        grep -q "^planning for electrical: [0-9]* of 2000 evaluations in .* s, [0-9]* %, .* left$" <<<"$text" || return
    "${job[@]}" --progress=20ms 2>&1 >/dev/null | python3 -c 'import re, sys
pattern = (r"electrical: (\d) of 9 iterations, .* simulated in .*, [0-9.e+]+ events/s, (\d+) %(, .* left)?\n")
lines = [line for line in sys.stdin if not line.startswith("planning")]
print(len(lines), "lines,", lines[-1], end="")
found = [re.fullmatch(pattern, line) for line in lines]
shares = [int(each[2]) for each in found]
# Whole iterations are a ninth of the work each
right = all(0 <= int(each[2]) - int(each[1]) * 100 // 9 <= 12 for each in found)
sys.exit(not right or shares != sorted(shares) or len(set(shares)) < 9)'
}

# check_kept NAME PART PROGRAM OPTION...: a refused run leaves the file NAME as it was, and nothing beside it
check_kept()
{
    local name=$1 part=$2
    shift 2
    rm -f -- *
    echo old >"$name"
    check_refusal "$1" "$part" "${@:2}" && [ "$(cat "$name")" = old ] && [ "$(ls)" = "$name" ]
}

# check_full NAME PROGRAM OPTION...: so does a run whose disk is full, as where files may have no bytes
check_full()
{
    local name=$1 program=$2 sentence status
    shift 2
    rm -f -- *
    echo old >"$name"
    sentence=$( (trap '' XFSZ && ulimit -f 0 && exec "$directory/$program" "$@") 2>&1 >/dev/null)
    status=$?
    echo "$sentence"
    [ $status -eq 1 ] && [[ $sentence == *"cannot be written"* ]] && [ "$(cat "$name")" = old ] &&
        [ "$(ls)" = "$name" ]
}

# check_unprinted PROGRAM OPTION...: a run whose standard output is full, or closed, is a failure
check_unprinted()
{
    local sentence status
    for target in /dev/full -; do
        if [ $target = - ]; then
            sentence=$("$directory/$1" "${@:2}" 2>&1 </dev/null >&-)
        else
            sentence=$("$directory/$1" "${@:2}" 2>&1 </dev/null >$target)
        fi
        status=$?
        echo "$1: $sentence"
        [ $status -eq 1 ] && [[ $sentence == *"standard output cannot be written"* ]] || return 1
    done
}

# Files appear whole or not at all, also in folders whose names have blanks; JSON is UTF-8, whatever the
# names of files are; --help lists the options by subject
check_output_files()
{
    local here status
    local job=(--model=resnet50 --gpus=8 --batch=64 --planner=fixed --iterations=1)
    local fails=("${job[@]}" --fabric=leaf-spine-flows --leafGpus=4 --fail=switch:leaf-0@1us --quiet)
    local allocate=(--pattern=training:8 --ports=32) sizes=(--ranks=4 --maxBytes=1MB --fabric=electrical)
    local cluster=(--gpus=8 --jobs=2 --days=1 --samples=8 --models=resnet50)
    here=$(mktemp -d)/"a b"
    mkdir "$here"
    (
        cd "$here" || exit
        mkdir run.pftrace.part &&
            check_refusal lightpath-train "run.pftrace.part' cannot be written" "${job[@]}" --timeline=run.pftrace &&
            rmdir run.pftrace.part &&
            check_kept "r s.json" "made no progress" lightpath-train "${fails[@]}" --json="r s.json" &&
            check_kept page.html "made no progress" lightpath-train "${fails[@]}" --report=page.html &&
            check_kept t.0.et "do not make" lightpath-train "${job[@]}" --dp=3 --chakra=t &&
            check_kept r.json "exceeds --maxBytes" lightpath-collective "${sizes[@]}" --minBytes=2MB --json=r.json &&
            check_kept r.json "no pattern" lightpath-allocate --pattern=none --ports=8 --json=r.json &&
            check_kept r.json "no model" lightpath-model --show=none --json=r.json &&
            check_kept r.json "powers of two" lightpath-oddl --nodes=9 --json=r.json &&
            check_kept t.csv "no allocator" lightpath-cluster "${cluster[@]}" --fabric=sip-ring \
                --allocator=none --writeTrace=t.csv &&
            check_full r.json lightpath-train "${job[@]}" --json=r.json &&
            check_full page.html lightpath-train "${job[@]}" --report=page.html &&
            check_full t.0.et lightpath-train "${job[@]}" --planOnly --chakra=t &&
            check_full r.json lightpath-collective "${sizes[@]}" --json=r.json &&
            check_full r.json lightpath-allocate "${allocate[@]}" --json=r.json &&
            check_full r.json lightpath-model --show=vgg16 --json=r.json &&
            check_full r.json lightpath-oddl --json=r.json &&
            check_full t.csv lightpath-cluster "${cluster[@]}" --writeTrace=t.csv &&
            check_unprinted lightpath-train "${job[@]}" && check_unprinted lightpath-train --help &&
            check_unprinted lightpath-collective "${sizes[@]}" && check_unprinted lightpath-allocate "${allocate[@]}" &&
            check_unprinted lightpath-model --list && check_unprinted lightpath-oddl &&
            check_unprinted lightpath-budget --hops=2 && check_unprinted lightpath-cluster "${cluster[@]}" &&
            check_unprinted lightpath-availability --nodes=400 --faulty=0.02 &&
            check_unprinted lightpath-infer --model=llama-3-8b --accelerator=H100 --prefillGpus=1 --decodeGpus=1 &&
            "$directory/lightpath-model" --show=vgg16 --json="v g.json" && cp "v g.json" $'\xff.json' &&
            "$directory/lightpath-train" --model="$here/v g.json" --gpus=1 --batch=1 --planOnly &&
            "$directory/lightpath-train" --model="$here/"$'\xff.json' --gpus=1 --batch=1 --planOnly --quiet --json=- |
            iconv --from-code=UTF-8 | grep '"model": "/.*/'
    ) && "$directory/lightpath-train" --help | grep -A1 "^Circuit control:$" | grep -q -e --allocator
    status=$?
    rm -rf "$(dirname "$here")"
    return $status
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

# The same of a study in Python
check_study_refusal()
{
    (
        directory=utils
        check_refusal "$1" "$2" --program=build-test/lightpath-train "${@:3}"
    )
}

check_refusals()
{
    local train="check_refusal lightpath-train"
    $train "no model" --model=lenet && $train "no accelerator" --accelerator=B1 &&
        $train "sip-ring" --fabric=hypercube && $train "known ones are fixed" --planner=none &&
        $train "the nearest is --gpus" --gpu=8 && $train "needs a value" --gpus &&
        $train "a number, like 64" --gpus=8x && $train "true, false" --quiet=maybe &&
        $train "the nearest is --" --ns3::lightpath::None::Size=1 && $train "no attribute" \
        --ns3::lightpath::OpticalChannel::Size=1 && $train "no value of --RngRun" --RngRun=none &&
        $train "must be a number" --gpus=-1 && $train "must be a number" --batch=0 &&
        $train "end it with .json" --timeline=run.txt && $train "cannot be written" --timeline=/nonexistent/run.json &&
        $train "last of the job is rank 63" --timeline=run.json --timelineRanks=64 --quiet &&
        $train "ends before it begins" --timelineRanks=5-3 && $train "is missing" --timelineRanks=5 &&
        $train "is empty" --timelineWindow=2ms,1ms && $train "no detail 'packets'" --timelineDetails=packets &&
        $train "simulates nothing" --timeline=run.json --planOnly &&
        $train "MB, more than its largest" --timeline=run.json --timelineSize=100kB --quiet &&
        $train "do not make 64 GPUs" --planner=fixed --tp=3 &&
        $train "exceeds the kvHeads" --model=llama-3-8b --planner=fixed --tp=16 &&
        $train "multiple of --dp" --planner=fixed --batch=100 &&
        $train "like 19.375 Gb/s (--wavelengthRate)" --bandwidth=310Gbps && $train "bandwidth" --bandwidth=1 &&
        $train "GiB" --gpus=8 --batch=4096 --planner=sip-ml &&
        $train "over 7 GPUs" --gpus=7 --planner=sip-ml && $train "has no unit" --memory=80 &&
        $train "use --zero=3" --model=llama-2-7b --gpus=4 --batch=4 --planner=fixed --memory=32GiB --zero=1 \
            --recompute=full &&
        $train "or the planner search, which" --model=llama-3-8b --gpus=64 --batch=64 --accelerator=H100 \
            --planner=sip-ml &&
        $train "use --recompute=full" --model=megatron-22b --gpus=8 --batch=4 --planner=fixed --tp=8 &&
        $train "use --virtualStages=" --model=llama-3.1-405b --gpus=4096 --batch=1024 --accelerator=H100 \
            --planner=fixed --server=dgx-h100 --tp=8 --pp=16 --virtualStages=8 --microbatch=1 --sequenceParallel \
            --zero=1 --recompute=selective && $train "leaves no room" --frameSize=20 &&
        $train "not a time" --reconfigurationDelay=25 && $train "too long" --decisionInterval=9h &&
        $train "cannot be written" --json=/nonexistent/file && $train "not an option" bert-large &&
        $train "not the speed of a rank" --slow=3 && $train "end with 63" --slow=64:0.5 &&
        check_refusal lightpath-tcp-ring "above 0 and below 1" --dark=10us &&
        $train "not a random variable" --computeNoise=none && $train "is no value" \
        "--computeNoise=ns3::NormalRandomVariable[Mean=x]" && $train "positive number" --quiet \
        --gpus=8 --batch=32 --computeNoise=ns3::ConstantRandomVariable[Constant=0] &&
        check_refusal lightpath-model "nothing to print" &&
        check_refusal lightpath-model "known ones are alexnet" --show=lenet &&
        check_refusal lightpath-model "has no option" --options=vgg16:depth=3 &&
        check_refusal lightpath-model "belongs to --show" --list --operators &&
        check_refusal lightpath-model "are printed alone" --list --accelerators &&
        check_refusal lightpath-model "known ones are A100" --accelerator=none &&
        check_study_refusal calibrate.py "sources are DLE" --source=none &&
        check_study_refusal calibrate.py "table, rst" --format=csv &&
        check_study_refusal fit.py "cannot be written" --json=/nonexistent/file &&
        check_refusal lightpath-model "belongs to --show" --list --json=- &&
        check_refusal lightpath-model "prints JSON only" --show=vgg16 --operators --json=- &&
        check_refusal lightpath-model "cannot be written" --show=vgg16 --json=/nonexistent/file &&
        check_refusal lightpath-infer "needs a decoder" --model=resnet50 &&
        check_refusal lightpath-infer "Memory: a GPU for prefill needs" --model=llama-3-70b &&
        check_refusal lightpath-infer "no fabric" --fabric=none &&
        check_refusal lightpath-collective "all-to-all" --collective=gather &&
        check_refusal lightpath-collective "not a size" --minBytes=1e20GB &&
        check_refusal lightpath-collective "exceeds" --minBytes=2MB --maxBytes=1MB &&
        check_refusal lightpath-collective "must divide" --ranks=8 --local=3 &&
        check_refusal lightpath-collective "known ones are automatic" --algorithm=hypercube &&
        check_refusal lightpath-collective "does not carry out" --algorithm=bruck &&
        check_refusal lightpath-collective "belong to multi-ring" --algorithm=ring --rings=2 &&
        check_refusal lightpath-collective "it has 4 strides" --algorithm=multi-ring --ranks=12 \
            --rings=5 &&
        check_refusal lightpath-collective "--serverRate" --fabric=electrical --serverGpus=8 &&
        check_refusal lightpath-collective "is not a protocol" --protocols=LL:2 &&
        check_refusal lightpath-collective "of any size" --protocols=LL:2:0us:1MiB &&
        $train "without flags" --fabric=optinc --protocols=LL:2:0us &&
        $train "folding rounds up" --fold --fabric=electrical --protocols=LL:2:0us &&
        check_server_refusals &&
        check_refusal lightpath-train "belongs to fat-tree-flows, which" --treePorts=4 &&
        $train "with other rates or delays" --fold --planner=sip-ml &&
        $train "simulates none" --report=page.html --planOnly &&
        $train "ends with .html" --report=page.txt && $train "ends with .html" --report=- &&
        $train "cannot be written" --report=/nonexistent/page.html &&
        $train "belong to --cost" --optics=co-packaged --fabric=electrical &&
        $train "leave out --fabric" --fabric=oddl --compare=sip-ring,electrical &&
        $train "the nearest is sip-ring" --fabric=spi-ring && $train "the nearest is leaf-spine" --fabric=leafspine &&
        $train "the nearest is H100" --accelerator=h100 && $train "write --gpus=8" --gpus 8 &&
        $train "the known ones are pluggable, co-packaged" --cost --optics=copper --fabric=electrical &&
        $train "belongs to cluster" --cost --optics=co-packaged &&
        $train "The power of a TPU-v5p is not known" --cost --accelerator=TPU-v5p --planner=fixed &&
        $train "has a place of its own" --fold --planner=fixed --fabric=oddl --allReduce=ring &&
        $train "belongs to --transport=circuit" --fold --planner=fixed --fabric=sip-ring:relay &&
        $train "belongs to --transport=circuit" --fold --planner=fixed --fabric=electrical:tcp &&
        $train "slower than others" --fold --fabric=electrical --slow=3:0.5 &&
        $train "slower than others" --fold --fabric=electrical \
            --computeNoise=ns3::WeibullRandomVariable[Shape=20] &&
        $train "lie evenly in the servers" --fold --fabric=electrical --planner=fixed --gpus=24 \
            --batch=96 --tp=4 --serverGpus=6 &&
        check_circuit_refusals && check_allocate_refusals && check_planning_refusals &&
        check_transport_refusals && check_sweep_refusals && check_network_refusals && check_averaging_refusals
}

check_server_refusals()
{
    # check_servers TEXT OPTION...: servers of 8 GPUs with these options are refused with a text
    check_servers()
    {
        check_refusal lightpath-train "$1" --gpus=16 --serverGpus=8 "${@:2}"
    }
    check_servers "the known ones are dgx-a100" --server=dgx &&
        check_servers "give one of gpu, rail, server, cards" --attach=port &&
        check_servers "cannot share 3 cards evenly" --cards=3 --attach=cards &&
        check_servers "cannot be attached by 'gpu'" --cards=4 --attach=gpu &&
        check_servers "mesh, ring, switch" --serverKind=star &&
        check_servers "cannot sum" --serverKind=ring --serverReduces &&
        check_servers "leave a server of 6 incomplete" --serverGpus=6 &&
        check_servers "averages over all of its ports" --fabric=optinc --attach=gpu &&
        check_servers "share its card" --fabric=electrical --planner=fixed --attach=server --fold &&
        check_servers "have a card each" --fabric=cluster --attach=rail &&
        check_servers "2 must be less than 2" --fail=scale-up:2@1ms &&
        check_servers "servers have scale-up:SERVER" --fail=server:1@1ms &&
        check_refusal lightpath-train "belongs to servers" --attach=rail
}

check_averaging_refusals()
{
    local train="check_refusal lightpath-train" collective="check_refusal lightpath-collective"
    local average="check_refusal lightpath-optinc-average" optinc="--fabric=optinc --planner=fixed"
    $train "carries nothing else" $optinc --gpus=8 --batch=64 --tp=2 &&
        $train "belongs to optinc" --averageBits=16 &&
        $train "an even number" $optinc --averageBits=7 &&
        $train "no averager" $optinc --averager=none && $train "no cascade" $optinc --cascade=deep &&
        $train "all of one size" $optinc --gpus=10 --batch=100 --cascade=naive &&
        $train "belongs to a naive one" $optinc --averager=mesh --cascade=fraction &&
        $train "cannot be shared out" $optinc --bandwidth=1000001bps &&
        $collective "optinc does" --fabric=optinc --algorithm=ring &&
        $collective "optinc does" --fabric=electrical --algorithm=in-network &&
        $collective "does not carry out" --fabric=optinc --collective=all-gather &&
        $average "the known ones are" --averager=none && $average "an even number" --bits=7 &&
        $average "no trained weights" --averager=mesh --servers=8 && $average "radians" --phaseNoise=-1
}

check_network_refusals()
{
    local train="check_refusal ../utils/optinc-train" noise="check_refusal lightpath-optinc-noise"
    $noise "svd, blocks" --networks=exact && $noise "from 1 to" --draws=0 &&
        $noise "table, rst, csv" --format=html || return
    $train "4 inputs" --layers=4,64,4 && $train "4 inputs" --layers=8-8 &&
        $train "multiple of the other" --layers=4-6-4 && $train "from 2 to 16" --bits=18 &&
        $train "too many inputs" --bits=16 --layers=8-8 && $train "above 0" --rate=0 &&
        $train "No such file" --out=/nonexistent/file
}

# Small networks of both forms become exact; the module reads weights, and misses them otherwise
check_network_training()
{
    local here form status
    local job=(--fabric=optinc --planner=fixed --gpus=2 --batch=2 --averager=trained)
    here=$(mktemp -d)
    for form in svd blocks; do
        utils/optinc-train --form=$form --servers=2 --bits=4 --layers=2-16-32-16-2 --epochs=2000 --rate=0.01 || break
    done &&
        ! utils/optinc-train --servers=2 --layers=4-8-4 --epochs=1 --out="$here/weights" &&
        "$directory/lightpath-train" "${job[@]}" --ns3::lightpath::NetworkAverager::WeightsFile="$here/weights" &&
        check_refusal lightpath-train "no trained weights for 2 servers" "${job[@]}"
    status=$?
    rm -rf "$here"
    return $status
}

check_sweep_refusals()
{
    local sweep="check_refusal ../utils/sweep" here status
    here=$(mktemp -d)
    local out=(--out="$here/all.csv" --program="$directory/lightpath-train")
    printf '# none\n' >"$here/none"
    printf -- '--quiet\n' >"$here/quiet"
    printf -- '--gpus=4\n\nx: --gpus={8\n' >"$here/open"
    $sweep "must name the file" --gpus=4 && $sweep "nothing to run" "${out[@]}" &&
        $sweep "directory that exists" --gpus=4 --out=/nonexistent/all.csv &&
        $sweep "no option --gpu:" "${out[@]}" --gpu=4 && $sweep "an option" "${out[@]}" 4 &&
        $sweep "does not belong" "${out[@]}" --json=- &&
        $sweep "sweep are quiet" "${out[@]}" --file="$here/quiet" &&
        $sweep "a row is for one fabric" "${out[@]}" --compare=sip-ring,sip-ocs &&
        $sweep "empty list" "${out[@]}" --gpus={} && $sweep "never ends" "${out[@]}" '--gpus={1..9*1}' &&
        $sweep "from 0 to 1024" "${out[@]}" --gpus=4 --jobs=-1 &&
        $sweep "I from 1" "${out[@]}" --gpus=4 --share=3/2 &&
        $sweep "number of seconds" "${out[@]}" --gpus=4 --timeout=1min &&
        $sweep "leave out" "${out[@]}" --gpus=4 --collect --share=1/2 &&
        $sweep "belong to --slurm" "${out[@]}" --gpus=4 --runsPerTask=2 &&
        $sweep "No such file" "${out[@]}" --gpus=4 --program=/nonexistent/lightpath-train &&
        $sweep "names no version" "${out[@]}" --gpus=4 --program="$directory/lightpath-model" &&
        $sweep "cannot be read" "${out[@]}" --file=/nonexistent/file &&
        $sweep "has no sweep" "${out[@]}" --file="$here/none" &&
        $sweep "open, line 3: " "${out[@]}" --file="$here/open" &&
        [ ! -e "$here/all.csv" ] && [ ! -e "$here/all.runs" ]
    status=$?
    rm -rf "$here"
    return $status
}

check_planning_refusals()
{
    local train="check_refusal lightpath-train" compare="check_study_refusal compare-planners.py"
    $train "belongs to --planner=search" --planner=fixed --planningTime=10s &&
        $train "leaves no time" --planner=search --planningTime=0s && $train "not a time" --planningTime=ten &&
        $train "belongs to --planner=search" --planner=megatron --seed=2 &&
        $train "attribute, parameter" --splitMode=none &&
        $train "no placement 'nowhere'" --placement=nowhere && $train "tp, dp and pp once" --placement=dp,tp,tp &&
        $train "belongs to --planner=sip-ml" --planner=fixed --splitMode=overlap &&
        $train "belongs to --planner=fixed" --planner=search --tp=2 &&
        $train "belongs to --planner=fixed" --planner=sip-ml --microbatch=2 &&
        $compare "no case" --cases=lenet && $compare "from 1 to" --jobs=0 &&
        $compare "table, rst, csv" --format=html && $compare "no planner 'none'" --planners=none,fixed &&
        $compare "two planners" --planners=fixed &&
        $compare "of its own" --curve --cases=bert && $compare "cannot be written" --list \
        --json=/nonexistent/file
}

check_transport_refusals()
{
    local train="check_refusal lightpath-train"
    $train "circuit, relay, rotor, tcp, dctcp, dcqcn" --transport=rdma &&
        $train "give tcp, or dcqcn, hpcc" --fabric=sip-ring:udp &&
        $train "its buffer has 9000" --fabric=leaf-spine:hpcc --ns3::lightpath::RdmaSwitch::Buffer=9000 && $train "in one hop" \
        --compare=sip-ring,fat-tree:circuit && $train "that mark packets" --fabric=sip-ocs:dctcp &&
        $train "which are not asked for" --window=100000 &&
        $train "belongs to fat-tree, leaf-spine, cluster, " --fabric=electrical --oversubscription=2 &&
        $train "belongs to dctcp" --fabric=leaf-spine --marking=90000 &&
        $train "cannot have an oversubscription of 3" --fabric=leaf-spine --oversubscription=3 &&
        $train "has 128 nodes, and not 64" --fabric=torus --shape=4x4x8 &&
        $train "is not the shape of a torus" --fabric=torus --shape=8x8 &&
        $train "4x4x4 cannot be twisted" --fabric=torus --twisted &&
        $train "no torus of 80 nodes" --fabric=torus --gpus=80 &&
        $train "belongs to torus" --shape=4x4x4 &&
        $train "give --uplinks=3" --fabric=rotornet --gpus=66 --uplinks=4 &&
        $train "direct, expander, valiant" --fabric=rotornet --discipline=none &&
        $train "one after the other, as in opera" --fabric=rotornet --discipline=expander &&
        $train "must be shorter than the slot" --fabric=sirius --darkTime=10us &&
        $train "no whole number of uplinks" --fabric=sirius --speedUp=1.3 &&
        $train "for fabrics with a periodic schedule" --fabric=sip-ring:rotor &&
        $train "belongs to opera, rotornet and sirius" --uplinks=4 &&
        $train "65535 is the most" --fabric=sip-ring:tcp --frameSize=100000 &&
        $train "belongs to a hybrid fabric" --fabric=sip-ring --waitLimit=1us &&
        $train "must be more than" --fabric=sip-ring+fat-tree --smallMessage=4 --bulkMessage=4 &&
        $train "choose two that carry messages" --fabric=sip-ring+optinc --planner=fixed --quiet &&
        $train "There is no fabric 'fat-tree'" --fabric=fat-tree+sip-ring &&
        $train "which circuits do not" --fabric=sip-ring+sip-ocs &&
        $train "IP network for its control" --fabric=oddl+leaf-spine &&
        $train "in one hop" --fabric=sip-ring+fat-tree:circuit &&
        $train "has none: give circuit" --fabric=electrical:relay &&
        $train "and not for duplex ones" --fabric=sip-ocs:relay --allocator=duplex &&
        $train "larger than 24" --fabric=sip-ocs:relay --frameSize=24
}

check_circuit_refusals()
{
    local train="check_refusal lightpath-train"
    $train "sip-ring has max-min" --allocator=none && $train "periodic, phase" --trigger=never &&
        $train "--decisionInterval above" --trigger=periodic &&
        $train "planned, backlog, underway, phase" --demandSource=none &&
        $train "published, research, product" --bringUp=none &&
        $train "none, report, budget" --physicalLayer=full && $train "no optical switch 'mirror'" --fabric=sip-ocs --switchKind=mirror &&
        $train "dB of light are missing" --ns3::lightpath::OpticalSource::Power=-20 --physicalLayer=budget &&
        $train "frames of its own" --fold --physicalLayer=errors &&
        $train "mixnet and oddl, which are not" --fabric=optinc --bringUp=research &&
        $train "not a time" --decisionTime=10 && $train "global, partial" --pauseMode=none &&
        $train "resume, finish" --frameCut=none && $train "load-only" --wavelengthMode=none &&
        $train "--pauseMode=partial" --fibreByFibre && $train "not a failure" --fail=segment:3:cw &&
        $train "must be less than 64" --fail=segment:64:cw@1ms &&
        $train "no component" --fabric=sip-ocs --fail=segment:3:cw@1ms &&
        $train "sip-ring and mixnet, which are not" --fabric=electrical --reconfigurationDelay=1ms &&
        $train "roofline, linear" --splitting=none && $train "sip-ocs, which" --switches=9 &&
        $train "from 0 to" --fabric=sip-ocs --switches=-1 &&
        $train "has no attribute" --attribute=Colour=red &&
        $train "is no value" --attribute=FillLeftover=red &&
        $train "--pauseMode=partial" --quiet --fabric=sip-ocs --allocator=rotor --reconfigurationDelay=1us &&
        $train "SlotTime must be longer" --quiet --fabric=sip-ocs --allocator=rotor --pauseMode=partial &&
        $train "networks of TCP have none" --fabric=electrical --fail=switch:0@1ms &&
        $train "no place for 64" --fabric=oddl --rows=3 --columns=3 &&
        $train "oddl, which" --rows=8 && $train "no component" --fabric=oddl --fail=switch:0@1ms &&
        $train "x-first" --fabric=oddl --relayPolicy=none &&
        $train "halving-doubling" --planner=fixed --allReduce=none &&
        $train "share no row and no column" --fabric=oddl --relayPolicy=forbid --planner=fixed --gpus=8 \
            --batch=8 --allReduce=ring --placement=linear --quiet &&
        check_refusal lightpath-collective "There is no fabric 'none'" --fabric=none &&
        check_refusal lightpath-collective "share no row and no column" --fabric=oddl --ranks=16 \
            --relayPolicy=forbid --algorithm=ring --quiet &&
        check_refusal lightpath-oddl "powers of two" --nodes=9 &&
        check_refusal lightpath-oddl "from 2 to" --nodes=1
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
        $allocate "cannot be written" "${all[@]}" --json=/nonexistent/file &&
        $allocate "belongs to" "${switches[@]}" --fibres=3 &&
        $allocate "is not a time" "${switches[@]}" --allocator=rotor --attribute=SlotTime=x
}

utils/setup.sh test || exit
check "formatting" check_format
check "layers" utils/check-layers.py
check "sizes and public headers" utils/check-size.py
check "winners that cannot be built" utils/check-verdicts.py
check "build" build "$directory" -DNS3_ASSERT=ON -DNS3_WARNINGS_AS_ERRORS=ON || finish
check "list of suites" check_suites
# Suites compare with it where it is installed
check "GLPK" glpsol --version
# shellcheck disable=SC2046
check_each "suite" check_suite $(suites)
check "bad options" check_refusals
check "files of refused runs" check_output_files
check "rows of unlike fabrics" check_remarks
check "a plan for each fabric" check_plan_each
check "fabrics that are refused" check_refused_rows
check "a result without others" check_single_outputs
check "causes of stalls" check_stalls
check "pairs of fabrics" utils/check-fabrics.py "$directory" pairs
check "rows of comparisons" utils/check-fabrics.py "$directory" rows 10
check "light of fabrics" check_feasible
check "edges of fabrics" utils/check-fabrics.py "$directory" edges
check "a turned grid" check_turned_grid
check "computation that is explained" check_explanation
check "progress of a long job" check_progress
check "times of unusual fabrics" check_times
check "two runs" check_determinism
check "model from a file" check_model_file
check "examples of the manual" utils/check-examples.py "$directory"
check "programs in Python" check_python
check "studies in Python" env LIGHTPATH_PROGRAMS="$(realpath "$directory")" PYTHONPATH=. /usr/bin/python3 -m doctest \
    -o NORMALIZE_WHITESPACE -o ELLIPSIS doc/python.rst
check "allocations" utils/check-allocations.py "$directory/lightpath-allocate"
check "averages" utils/check-average.py "$directory/lightpath-optinc-average"
check "sweep" check_sweep
check "observation" utils/check-observation.py "$directory"
check "timelines" utils/check-timeline.py "$directory"
check "published data-parallel times" check_data_parallel
check "servers as of a switch" utils/check-servers.py --program="$directory/lightpath-train"
check "published bandwidths" utils/calibrate-bandwidths.py --program="$directory/lightpath-collective" --check
check "published memory" utils/check-memory.py --program="$directory/lightpath-train" --check
check "new fabric" check_new_fabric
check "training of optical networks" check_network_training
check "hybrid fabric" check_hybrid
check "closed form" check_closed_form
check "bench of frames" check_bench
while read -r example; do
    check "example $example" check_example "$example"
done < <(utils/list-examples.py)
check "list of examples" [ "$(utils/list-examples.py | wc -l)" -gt 0 ]
finish
