#!/usr/bin/env python3
"""Loads all-reduces of a table of lightpath-serving into Vidur, and compares a decode step with published times.

usage: utils/check-vidur.py VIDUR TABLE.csv

VIDUR has its sources (https://github.com/microsoft/vidur), with data/profiling/network/h100_dgx/all_reduce.csv. It needs
Debian's python3-sklearn, python3-pandas and python3-fasteners.

Vidur's own predictor reads its file and the table, and trains its random forests with both. Printed are the 160
all-reduces of a decode step of Llama 2 70B over 8 H100, beside those that vLLM measures in captured graphs
(data/collectives.json), between whose sizes times are in proportion to bytes.
"""

import importlib
import json
import subprocess
import sys
import tempfile
import types
from pathlib import Path
from unittest import mock

FOLDER = Path(__file__).resolve().parent
LAYERS, WIDTH, GPUS = 80, 8192, 8
BATCHES = (1, 8, 32, 128)
PREDICTOR = "vidur.execution_time_predictor.random_forrest_execution_time_predictor"


def load_predictor(folder):
    """Return Vidur's predictor without the compute that it also learns; packages that it does not need are left out."""
    sys.path.insert(0, str(folder))
    while True:
        try:
            kind = importlib.import_module(PREDICTOR).RandomForrestExecutionTimePredictor
            break
        except ModuleNotFoundError as error:
            if error.name.startswith("vidur") or error.name in sys.modules:
                raise
            sys.modules[error.name] = mock.MagicMock()
    config = importlib.import_module("vidur.config").RandomForrestExecutionTimePredictorConfig
    predictor = kind.__new__(kind)
    grid = {"num_estimators": [100], "max_depth": [32], "min_samples_split": [2], "k_fold_cv_splits": 2}
    predictor._config = config(no_cache=True, num_training_job_threads=1, **grid)
    predictor._replica_config = types.SimpleNamespace(tensor_parallel_size=GPUS)
    predictor._model_config = types.SimpleNamespace(embedding_dim=WIDTH)
    return predictor


def predict(predictor, file, cache):
    """Return the all-reduces of a step by a file, in ms, for each batch."""
    predictor._cache_dir = cache
    frame = predictor._get_all_reduce_df_with_derived_features(predictor._load_all_reduce_df(str(file)))
    with mock.patch.object(predictor, "_get_model_hash", return_value="hash"):
        model = predictor._train_model("all_reduce", frame, ["num_tokens"], "time_stats.all_reduce.median")
    tokens = importlib.import_module("pandas").DataFrame({"num_tokens": BATCHES})
    return [2 * LAYERS * float(ms) for ms in model.predict(tokens)]


def get_published():
    """Return the same as vLLM measures it."""
    data = json.loads((FOLDER / "../data/collectives.json").read_text("utf-8"))
    row = next(each for each in data["rows"] if each["source"].startswith("vLLM") and each["gpus"] == GPUS)
    points, result = list(zip(data["bytes"], row["us"])), []
    for size in (2 * WIDTH * batch for batch in BATCHES):
        (x, y), (end, most) = next(pair for pair in zip(points, points[1:]) if pair[0][0] <= size <= pair[1][0])
        result.append(2 * LAYERS * (y + (most - y) * (size - x) / (end - x)) / 1000)
    return result


def main():
    """Compare."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    predictor = load_predictor(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, FOLDER / "convert-serving.py", sys.argv[2], "--fabric=electrical", f"--vidur={folder}"]
        subprocess.run(command, check=True)
        own = predict(predictor, Path(sys.argv[1], "data/profiling/network/h100_dgx/all_reduce.csv"), folder)
        table = predict(predictor, Path(folder, "all_reduce.csv"), folder)
    print("batch  Vidur's file, ms  table, ms  published, ms")
    for row in zip(BATCHES, own, table, get_published()):
        print("{:5}  {:16.2f}  {:9.2f}  {:13.2f}".format(*row))


if __name__ == "__main__":
    main()
