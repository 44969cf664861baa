#!/usr/bin/env python3
"""Plans the same jobs by several planners, simulates all plans, and compares the times of an iteration.

The jobs are those of data/planner-cases.txt.
"""

import fnmatch
import io
import itertools
import math
import os
import re
import time

import study

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/planner-cases.txt")
CURVE_CASES = ["bert-large/1024/4096/sip-ring/2Tbps/20us", "gpt3-175b/1024/1536/sip-ocs/4Tbps/1ms"]
PLANNERS = ["fixed", "megatron", "search", "sip-ml"]

# What --check asks for: the worst time by the first planner over that of the best of the others; the mean time by
# SiP-ML over that by the first; the error of a good prediction, and the share of these; the median gap to the bound
RATIO_LIMIT = 1.02
SPEEDUP_LIMIT = 1.10
ERROR_LIMIT = 0.05
SHARE_LIMIT = 0.90
GAP_LIMIT = 0.35


def get_arguments(case):
    """Return the options of lightpath-train for a case."""
    names = ("model", "gpus", "batch", "fabric", "bandwidth", "reconfigurationDelay")
    return [f"--{name}={value}" for name, value in zip(names, case.split("/"))]


def select(pattern):
    """Return the cases with a part in their names."""
    with open(CASES, encoding="utf-8") as file:
        cases = [line.strip() for line in file if not line.startswith("#")]
    chosen = fnmatch.filter(cases, f"*{pattern}*")
    if not chosen:
        raise ValueError(f"There is no case with --cases={pattern}: --list prints all of them")
    return chosen


def run(options, case, planner):
    """Return the outcome of a planner on a case."""
    arguments = [*get_arguments(case), f"--planner={planner}", "--iterations=2", "--planningLog"]
    if options.planningTime and planner == "search":
        arguments.append(f"--planningTime={options.planningTime}")
    # Data parallelism alone shares out the state of the optimiser if it does not fit otherwise; on the electrical
    # switch few GPUs stand for all, unless they do different things
    states = ([], ["--zero=1"]) if planner == "fixed" else ([],)
    folds = (["--fold"], []) if "/electrical/" in case else ([],)
    begin = time.monotonic()
    for state, fold in itertools.product(states, folds):
        result, refusal = study.train(options.program, [*arguments, *state, *fold])
        if result:
            break
    else:
        return {"planner": planner, "refusal": refusal, "planningSeconds": time.monotonic() - begin}
    plan, simulation = result["plan"], result["runs"][0]
    log, planning = plan.pop("planningLog"), plan.pop("planning")
    return {
        "planner": planner,
        "plan": plan,
        "planningSeconds": planning["wallSeconds"],
        "predictedSeconds": plan["predictedIterationSeconds"],
        "simulatedSeconds": simulation["iterationSeconds"][-1],
        "lowerBoundSeconds": log["lowerBoundSeconds"],
        "simulatedGpus": plan["simulatedGpus"],
        "simulationSeconds": simulation["wallSeconds"],
    }


def make_row(case, outcomes):
    """Return a case with its outcomes, of which the first is compared to the others; None where there is no plan."""
    first, *others = outcomes
    planned = [outcome for outcome in others if "plan" in outcome]
    row = {"case": case, "outcomes": outcomes, "ratioToBestOther": None, "speedupToSipMl": None, "gap": None}
    if "plan" in first and planned:
        row["ratioToBestOther"] = first["simulatedSeconds"] / min(each["simulatedSeconds"] for each in planned)
    for outcome in planned:
        if "plan" in first and outcome["planner"] == "sip-ml":
            row["speedupToSipMl"] = outcome["simulatedSeconds"] / first["simulatedSeconds"]
    if "plan" in first and first["lowerBoundSeconds"] > 0:
        row["gap"] = first["predictedSeconds"] / first["lowerBoundSeconds"] - 1
    return row


def get_predictions(row):
    """Return the predicted over the simulated time of each plan of a case."""
    return [each["predictedSeconds"] / each["simulatedSeconds"] for each in row["outcomes"] if "plan" in each]


def summarize(rows):
    """Return the worst, mean and median of all cases; None where no case has a value."""
    ratios = [(row["ratioToBestOther"], row["case"]) for row in rows if row["ratioToBestOther"] is not None]
    speedups = [row["speedupToSipMl"] for row in rows if row["speedupToSipMl"] is not None]
    predictions = [each for row in rows for each in get_predictions(row)]
    gaps = [row["gap"] for row in rows if row["gap"] is not None]
    # Of equal ratios the first
    worst = max(ratios, key=lambda each: each[0], default=(None, ""))
    right = sum(abs(each - 1) <= ERROR_LIMIT for each in predictions)
    return {
        "worstRatioToBestOther": worst[0],
        "worstCase": worst[1],
        "ratioCases": len(ratios),
        "geometricMeanSpeedupToSipMl": math.exp(sum(map(math.log, speedups)) / len(speedups)) if speedups else None,
        "speedupCases": len(speedups),
        "predictions": len(predictions),
        "shareOfPredictionsWithin5Percent": right / len(predictions) if predictions else None,
        "medianGap": study.get_median(gaps),
        "gapCases": len(gaps),
    }


def to_text(value, digits, unit=""):
    """Return a number, or a dash if there is none."""
    return "-" if value is None else f"{value:.{digits}f}{unit}"


def to_percent(share, digits=1):
    """Return a share in percent, or a dash if there is none."""
    return "-" if share is None else to_text(100 * share, digits, " %")


def to_milliseconds(seconds, is_exact):
    """Return a time in milliseconds, with four digits or exactly."""
    if seconds is None:
        return "-"
    value = 1e3 * seconds
    return to_text(value, 6 if is_exact else 0 if value >= 1000 else 1 if value >= 100 else 2 if value >= 10 else 3)


def make_line(row, style):
    """Return the line of the table for a case."""
    is_exact = style == "csv"
    digits = 6 if is_exact else 3
    predictions = get_predictions(row)
    first = row["outcomes"][0]
    gap, bound = row["gap"], first.get("lowerBoundSeconds")
    line = [row["case"]]
    line += [to_milliseconds(outcome.get("simulatedSeconds"), is_exact) for outcome in row["outcomes"]]
    line += [
        to_text(row["ratioToBestOther"], digits),
        to_text(row["speedupToSipMl"], digits),
        to_text(predictions[0] if "plan" in first else None, digits),
        to_text(max(predictions, key=lambda each: abs(each - 1), default=None), digits),
        "-" if gap is None else to_text(100 * gap, 6 if is_exact else 1),
    ]
    if style != "rst":
        line.append(to_milliseconds(None if gap is None else bound, is_exact))
        line.append(to_text(first["planningSeconds"], 6 if is_exact else 1))
    return line


def format_table(lines, style):
    """Return lines as a table for people, for the manual (rst), or for other programs (csv)."""
    text = io.StringIO()
    widths = [max(map(len, column)) for column in zip(*lines)]
    rule = "  ".join("=" * width for width in widths) + "\n" if style == "rst" else ""
    for i, line in enumerate(lines):
        if style == "csv":
            text.write(",".join(f'"{word}"' if "," in word else word for word in line) + "\n")
            continue
        aligned = [line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]
        text.write((rule if i < 2 else "") + "  ".join(aligned) + "\n")
    return text.getvalue() + rule


def format_refusals(rows, bullet):
    """Return each reason of a refusal once; sentences that differ only in their numbers have one reason."""
    reasons = {}
    for row in rows:
        for outcome in row["outcomes"]:
            if "refusal" in outcome:
                key = outcome["planner"] + re.sub(r"[0-9.]+", "#", outcome["refusal"])
                sentence = f"{outcome['planner']} on {row['case']}: {outcome['refusal']}"
                reasons.setdefault(key, []).append(sentence)
    lines = [
        f"{bullet}{sentences[0]}" + (f" (and {len(sentences) - 1} more)" if len(sentences) > 1 else "") + "\n"
        for sentences in reasons.values()
    ]
    return "".join(lines) + ("\n" if lines else "")


def print_report(planners, rows, style):
    """Print the table, the refusals and the summary."""
    heads = ["case", *(f"{planner} ms" for planner in planners)]
    heads += ["to best other", "sip-ml to it", "predicted", "all predicted", "gap %"]
    if style != "rst":
        heads += ["bound ms", "planned in s"]
    lines = [heads, *(make_line(row, style) for row in rows)]
    if style == "rst":
        print(".. csv-table::\n   :header-rows: 1\n")
        print("".join(f"   {line}\n" for line in format_table(lines, "csv").splitlines()))
    else:
        print(format_table(lines, style), end="" if style == "csv" else "\n")
    if style == "csv":
        return
    bullet = "* " if style == "rst" else ""
    summary = summarize(rows)
    worst = f" ({summary['worstCase']})" if summary["worstCase"] else ""
    print(format_refusals(rows, bullet), end="")
    for line in (
        f"{planners[0]} to the best of the others: at worst"
        f" {to_text(summary['worstRatioToBestOther'], 3, ' times the time')} in {summary['ratioCases']} cases{worst}",
        f"sip-ml to {planners[0]}: {to_text(summary['geometricMeanSpeedupToSipMl'], 3, ' times the time')}"
        f" (geometric mean of {summary['speedupCases']} cases)",
        f"predictions within {to_percent(ERROR_LIMIT, 0)} of the simulation:"
        f" {to_percent(summary['shareOfPredictionsWithin5Percent'])} of {summary['predictions']}",
        f"median gap to the lower bound: {to_percent(summary['medianGap'])} in {summary['gapCases']} cases",
    ):
        print(bullet + line)


def check(planners, rows):
    """Refuse results beyond the limits."""
    summary = summarize(rows)
    for row in rows:
        first, *others = row["outcomes"]
        if "plan" not in first and any("plan" in outcome for outcome in others):
            raise ValueError(f"Another planner has a plan for {row['case']}, but {planners[0]} has none")
    for key, limit, is_most in (
        ("worstRatioToBestOther", RATIO_LIMIT, True),
        ("geometricMeanSpeedupToSipMl", SPEEDUP_LIMIT, False),
        ("shareOfPredictionsWithin5Percent", SHARE_LIMIT, False),
        ("medianGap", GAP_LIMIT, True),
    ):
        value = summary[key]
        if value is None or (value > limit if is_most else value < limit):
            raise ValueError(f"{key} is {to_text(value, 3)}: {limit} {'at most' if is_most else 'at least'} is asked for")


def show_curves(options):
    """Show how plans improve while they are searched for; one case at a time, as the time counts."""
    lines = [["case", "evaluations", "planning s", "best ms", "bound ms", "gap %"]]
    curves = []
    for case in CURVE_CASES:
        arguments = [*get_arguments(case), "--planner=search", "--planOnly", "--rehearse=false", "--planningLog"]
        if options.planningTime:
            arguments.append(f"--planningTime={options.planningTime}")
        result = study.run(options.program, arguments, case)
        curves.append({"case": case, "points": result["plan"]["planningLog"]["points"]})
        for point in curves[-1]["points"]:
            best, bound = point["bestSeconds"], point["lowerBoundSeconds"] or None
            lines.append([
                case,
                str(point["evaluations"]),
                to_text(point["planningSeconds"], 2),
                to_text(1e3 * best, 2),
                to_text(bound and 1e3 * bound, 2),
                to_text(bound and 100 * (best / bound - 1), 1),
            ])
    if options.json != "-":
        print(format_table(lines, options.format), end="")
    if options.json:
        study.write_json({"curves": curves}, options.json)


def get_planners(options):
    """Return the planners to compare."""
    planners = options.planners.split(",")
    if len(planners) < 2:
        raise ValueError(f"--planners={options.planners} must name two planners at least, separated by commas")
    for planner in planners:
        if planner not in PLANNERS:
            raise ValueError(f"There is no planner '{planner}': the known ones are {', '.join(PLANNERS)}")
    return planners


def parse():
    """Return the options."""
    parser = study.make_parser("Plan and simulate the same jobs with several planners and compare them.")
    parser.add_argument("--planners", default="search,megatron,sip-ml,fixed",
                        help="planners, separated by commas: the first is compared to the others")
    parser.add_argument("--planningTime", help="time that the search may take for a case, like 5s; default: its own")
    parser.add_argument("--cases", default="", help="cases with this part in their names only, like gpt*/64")
    parser.add_argument("--list", action="store_true", help="print the cases, as options of lightpath-train")
    parser.add_argument("--format", default="table", help="table; csv; or rst for the manual")
    parser.add_argument("--curve", action="store_true", help="print how plans improve while they are searched for")
    options = parser.parse_args()
    study.check_options(options, ["table", "rst", "csv"])
    if options.list and options.json:
        raise ValueError("--json is for results, and --list has none: leave out one")
    if options.curve and (options.check or options.list or options.cases):
        raise ValueError("--curve has cases of its own and no limits: leave out --cases, --list and --check")
    return options


def main():
    """Plan, simulate and report."""
    options = parse()
    if options.curve:
        show_curves(options)
        return
    cases = select(options.cases)
    if options.list:
        for case in cases:
            print(" ".join(get_arguments(case)))
        print(f"{len(cases)} cases")
        return
    planners = get_planners(options)
    runs = list(itertools.product(cases, planners))
    outcomes = study.run_all(lambda each: run(options, *each), runs, options.jobs, " by ".join)
    count = len(planners)
    rows = [make_row(case, outcomes[i * count:(i + 1) * count]) for i, case in enumerate(cases)]
    if options.json != "-":
        print_report(planners, rows, options.format)
    if options.json:
        study.write_json({"planners": planners, "rows": rows, "summary": summarize(rows)}, options.json)
    if options.check:
        check(planners, rows)


if __name__ == "__main__":
    study.end(main, "compare-planners.py")
