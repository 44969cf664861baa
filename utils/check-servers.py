#!/usr/bin/env python3
"""Compares jobs on servers with the times of the same jobs on an earlier model of servers.

That model was part of the electrical switch, whose ports had a second rate and delay to those of their own server.
Its times are below, in seconds; they must be equal to the picosecond.
"""

import calibrate
import study

# Source, job, accelerator, replicas: time of an iteration
TIMES = {
    ("DLE", "BERT-large 128 tokens, mixed", "A100", 16): 7.456762920908,
    ("DLE", "BERT-large 298 of 512 tokens, mixed", "A100", 32): 5.39900686837,
    ("DLE", "Transformer-big, mixed", "V100", 16): 0.221986607484,
    ("Megatron-2020", "GPT 8.7B", "A100-40", 1): 1.210412859045,
    ("SC21", "GPT 1.7B", "A100", 32): 3.201836454342,
    ("SC21", "GPT 3.6B", "A100", 32): 3.355244876904,
    ("SC21", "GPT 7.5B", "A100", 32): 3.391072933724,
    ("SC21", "GPT 18.4B", "A100", 32): 8.653893991003,
    ("Korthikanti", "GPT 22B, full", "A100", 1): 1.37017868536,
    ("MLPerf-0.7", "Transformer-big, 110592 tokens", "A100-40", 16): 0.076836788736,
}

# Jobs whose sums now go a faster way than in two levels, which was the only one of that model
IN_LEVELS = {"GPT 3.6B", "GPT 7.5B"}


def main():
    """Simulate and compare."""
    parser = study.make_parser("Compare jobs on servers with the times of an earlier model.")
    parser.set_defaults(format="table")
    options = parser.parse_args()
    study.check_options(options, ["table"])
    data = calibrate.read_measurements()
    rows = {(row["source"], row["job"], row["accelerator"], row["dp"]): row for row in data["measurements"]}
    for key, seconds in TIMES.items():
        for attach in ("gpu", "rail"):
            row = {**rows[key], "overlap": True}
            # That model let each update follow its own sum
            arguments = [*calibrate.get_arguments(row, data["latencies"]), f"--attach={attach}", "--gradientNorm=false"]
            if row["job"] in IN_LEVELS:
                arguments.append("--allReduce=two-level")
            result = study.run(options.program, arguments, str(key))
            found = result["runs"][0]["iterationSeconds"][0]
            if round(found * 1e12) != round(seconds * 1e12):
                raise ValueError(f"{', '.join(map(str, key))}, by {attach}: {found} s instead of {seconds} s")
    print(f"{len(TIMES)} jobs take the same time")


if __name__ == "__main__":
    study.end(main, "check-servers.py")
