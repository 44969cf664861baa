#!/usr/bin/env python3
"""Prints the examples of test/examples-to-run.py that are to be run, one command a line."""

import runpy

for command, do_run, _ in runpy.run_path("test/examples-to-run.py")["cpp_examples"]:
    if do_run == "True":
        print(command)
