#! /usr/bin/env python3

# The examples that ns-3's test.py runs: (command, whether to run it, whether also under valgrind)
cpp_examples = []

python_examples = []
