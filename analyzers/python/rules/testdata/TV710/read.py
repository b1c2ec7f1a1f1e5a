import json
from pathlib import Path


def best(folder):
    with open(folder + "/trainer_state.json") as f:  # want "read from /trainer_state.json and no audit"
        return json.load(f)["best_metric"]


def by_path(folder):
    path = Path(folder) / "all_results.json"
    return json.loads(path.read_text())["eval_wer"]  # want "no audit of the run is asked before"


def by_name(folder):
    name = "eval_results.json"
    return json.load(open(name))["eval_loss"]  # want "no audit"


def written(folder, state):
    with open(folder + "/trainer_state.json", "w") as f:  # ok: written
        json.dump(state, f)


def config(folder):
    with open(folder + "/config.json") as f:  # ok: no metric
        return json.load(f)


def exists(folder):
    return (Path(folder) / "trainer_state.json").exists()  # ok: not read
