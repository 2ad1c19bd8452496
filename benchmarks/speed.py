"""How fast, as ratios taken in one run on one machine: `python benchmarks/speed.py [--long]`.

The yardstick is the core loop of four-player Ostia written by hand in C (`ostia_yardstick.c`, needs gcc). It and the
strategies are timed in turn, best of several rounds each, in CPU-seconds, so that a busy machine slows both alike.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROUNDS = 5
DEALS = 20_000
SEATS = 4
DECISIONS = 180  # that the yardstick makes in a game


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="also memory over ten million deals (minutes)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    arguments = parser.parse_args()
    figures: dict[str, Any] = {}
    figures.update(throughput())
    for name in ("ore_city", "ore_mining"):
        figures.update(decisions(name, figures.get("yardstick: games per CPU-second")))
    figures.update(two_workers())
    figures.update(rows())
    figures.update(starts())
    if arguments.long:
        figures.update(memory())
    if arguments.json:
        print(json.dumps(figures, indent=1))
    else:
        for name, value in figures.items():
            print(f"{name:58} {value:,.3f}" if isinstance(value, float) else f"{name:58} {value:,}")


def yardstick(folder: Path) -> list[str] | None:
    """The command that prints the yardstick's games per CPU-second, or None without a C compiler."""
    if shutil.which("gcc") is None:
        return None
    program = folder / "yardstick"
    source = HERE / "ostia_yardstick.c"
    subprocess.run(["gcc", "-O3", "-march=native", "-w", "-o", str(program), str(source)], check=True)
    return [str(program)]


def throughput() -> dict[str, Any]:
    """Games and decisions per CPU-second at four seats, all tallies on, against the yardstick."""
    import strategies
    from analyses.inputs import find_strategy, make_plan
    from simcore.game import find_game
    from simcore.plan import run_plan

    game = find_game("ostia")
    rules = game.rules.defaults()
    plans = {
        name: make_plan(
            game, [[find_strategy("ostia", name)] * SEATS], rules, DEALS, 1, measures=("win", *game.measures)
        )
        for name in strategies.names(game)
    }
    best: dict[str, float] = {}
    asked: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        command = yardstick(Path(folder))
        for _ in range(ROUNDS):
            if command:
                printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
                best["yardstick"] = max(best.get("yardstick", 0.0), float(printed))
            for name, plan in plans.items():
                start = time.process_time()
                part = run_plan(plan)
                speed = plan.games / (time.process_time() - start)
                best[name] = max(best.get(name, 0.0), speed)
                asked[name] = part.n_asked / plan.games
    measured: dict[str, Any] = {}
    if "yardstick" in best:
        measured["yardstick: games per CPU-second"] = round(best["yardstick"])
    for name in plans:
        measured[f"{name} x 4: games per CPU-second"] = round(best[name])
        measured[f"{name} x 4: million decisions per CPU-second"] = best[name] * asked[name] / 1e6
        if "yardstick" in best:
            measured[f"{name} x 4: of the yardstick"] = best[name] / best["yardstick"]
    return measured


def decisions(game_name: str, yardstick_games: float | None) -> dict[str, Any]:
    """Decisions of a game per CPU-second at four seats, all tallies on, against those of the yardstick's games."""
    from analyses.inputs import find_strategy, make_plan
    from simcore.game import find_game
    from simcore.plan import run_plan

    game = find_game(game_name)
    measured: dict[str, Any] = {}
    for name, deals in (("random", 2_000), ("baseline", 5_000)):
        table = [[find_strategy(game_name, name)] * SEATS]
        plan = make_plan(game, table, game.rules.defaults(), deals, 1, measures=("win", *game.measures))
        run_plan(plan)
        best = 0.0
        for _ in range(ROUNDS):
            start = time.process_time()
            asked = run_plan(plan).n_asked
            best = max(best, asked / (time.process_time() - start))
        measured[f"{game.title}, {name} x 4: million decisions per CPU-second"] = best / 1e6
        if yardstick_games:
            measured[f"{game.title}, {name} x 4: of the yardstick's decisions"] = best / yardstick_games / DECISIONS
    return measured


def two_workers() -> dict[str, Any]:
    """Wall time of one worker over two, beside two independent busy processes on the same machine."""
    from analyses.inputs import find_strategy, make_plan
    from simcore.game import find_game
    from simcore.plan import run_plan

    game = find_game("ostia")
    plan = make_plan(game, [[find_strategy("ostia", "baseline")] * SEATS], game.rules.defaults(), 8 * DEALS, 1)
    run_plan(plan, jobs=2)
    ratios, calibration = [], []
    for _ in range(3):
        walls = []
        for jobs in (1, 2):
            start = time.perf_counter()
            run_plan(plan, jobs=jobs)
            walls.append(time.perf_counter() - start)
        ratios.append(walls[0] / walls[1])
        calibration.append(2 * _busy(1) / _busy(2))
    return {
        "two workers against one: times as fast": sorted(ratios)[1],
        "two busy processes against one: times as fast": sorted(calibration)[1],
    }


def _busy(n: int) -> float:
    """Wall seconds of `n` processes that count at once."""
    start = time.perf_counter()
    workers = [multiprocessing.Process(target=_count) for _ in range(n)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return time.perf_counter() - start


def _count() -> None:
    total = 0
    for i in range(15_000_000):
        total += i


def rows() -> dict[str, Any]:
    """CPU time with outcome rows written to Parquet over that without."""
    from analyses.inputs import find_strategy, make_plan
    from simcore.game import find_game
    from simcore.plan import run_plan
    from simcore.store import Store

    game = find_game("ostia")
    table = [[find_strategy("ostia", "baseline")] * SEATS]
    options: dict[str, Any] = {"measures": ("win", *game.measures)}
    bare = make_plan(game, table, game.rules.defaults(), 5 * DEALS, 1, **options)
    full = make_plan(game, table, game.rules.defaults(), 5 * DEALS, 1, has_rows=True, **options)
    ratios = []
    for _ in range(ROUNDS):
        start = time.process_time()
        run_plan(bare)
        middle = time.process_time()
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "rows", full) as store:
            run_plan(full, store=store)
        ratios.append((time.process_time() - middle) / (middle - start))
    return {"outcome rows to Parquet: times the CPU time": sorted(ratios)[ROUNDS // 2]}


def starts() -> dict[str, Any]:
    """CPU-seconds of a newcomer's first report, with empty caches, and of a warm run."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": folder}
        assay = [sys.executable, "-m", "reports.cli"]
        report = [*assay, "report", "ostia", "--out", str(Path(folder) / "report")]
        cold = _cpu(report, environment)
        run = [*assay, "run", "ostia", "--deals", "10000"]
        _cpu(run, environment)
        warm = sorted(_cpu(run, environment) for _ in range(ROUNDS))[ROUNDS // 2]
        helped = sorted(_wall([*assay, "--help"], environment) for _ in range(ROUNDS))[ROUNDS // 2]
    return {
        "first report, empty caches: CPU-seconds": cold,
        "warm run of 10,000 deals: CPU-seconds": warm,
        "assay --help: seconds": helped,
    }


def _cpu(command: list[str], environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, cwd=HERE.parent)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _wall(command: list[str], environment: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, cwd=HERE.parent)
    return time.perf_counter() - start


def memory() -> dict[str, Any]:
    """Largest resident size, in MB, of a run of ten million deals with tallies only."""
    command = [sys.executable, "-m", "reports.cli", "run", "ostia", "--deals", "10000000"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    with tempfile.TemporaryDirectory() as folder:
        _cpu(command, {**os.environ, "XDG_CACHE_HOME": folder})
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    note = "" if peak > before else " (or less)"
    return {f"ten million deals: peak MB{note}": peak / 1024}


if __name__ == "__main__":
    main()
