"""The goodput of a job whose GPUs, servers and links fail, and whose links flap."""

import math

YEAR_HOURS = 24 * 365.25
# Hours between failures of a GPU, a server of 8 and a link, as lightpath-cluster has them
HOURS = {
    "none": (0, 0, 0),
    # 256 failures of GPUs, 128 of others and 35 of switches and cables of 16384 GPUs in 54 days
    "llama-3": tuple(24 * 54 * count / failures for count, failures in ((16384, 256), (2048, 128), (16384, 35))),
    # 6.5 failures in 1000 days of a server
    "rsc-1": (0, 24 * 1000 / 6.5, 0),
}


def get_stop_hours(name, gpus):
    """Return the mean time in hours between failures that stop a job, which has a link for each GPU; infinity for
    none."""
    counts = (gpus, gpus / 8, gpus)
    rate = sum(count / hours for count, hours in zip(counts, HOURS[name]) if hours > 0)
    return 1 / rate if rate > 0 else math.inf


def get_interval(write, between):
    """Return the time between checkpoints by Daly's formula; all in the same unit."""
    if write >= 2 * between:
        return between
    share = write / (2 * between)
    return math.sqrt(2 * write * between) * (1 + math.sqrt(share) / 3 + share / 9) - write


def get_efficiency(write, restart, between):
    """Return the share of the time in which a job makes progress that stays: checkpoints take the time to write, and a
    failure the time to restart and what was computed since the last checkpoint."""
    if between == math.inf:
        return 1.0
    interval = get_interval(write, between)
    return interval / between / math.exp(restart / between) / math.expm1((interval + write) / between)


def get_goodput(name, gpus, write, restart, flap_hours=0, outage=0):
    """Return the goodput of a job: times to write, restart, and of an outage in seconds. A link of each GPU flaps every
    so many hours, 0: never, and the job waits for the whole outage."""
    goodput = get_efficiency(write, restart, 3600 * get_stop_hours(name, gpus))
    return goodput / (1 + (gpus * outage / 3600 / flap_hours if flap_hours > 0 else 0))
