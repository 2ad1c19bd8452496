"""Coin Race: its contract."""

from __future__ import annotations

from simcore.game import COMMON_COLUMNS, Axis, Decision, Game, Measure, Tally, counted

MAX_ROUNDS = 10
MAX_COINS = 20  # that a throw brings
ROUNDS = tuple(str(number) for number in range(1, MAX_ROUNDS + 1))

THROW = Axis("throw", ("safe", "risky"))
LUCK = Axis("luck", ("failed", "succeeded"))


GAME = Game(
    name="coin_race",
    title="Coin Race",
    seats=(2, 3, 4),
    version=1,
    package=__name__,
    decisions=(Decision("throw", "how to throw", "an index into the options: (0, 0) safe, (1, 0) risky"),),
    outcome_columns=(*COMMON_COLUMNS, "risky_throws", "coins_risked", *(f"after_{label}" for label in ROUNDS)),
    rounds=ROUNDS,
    measures={
        "score": "coins at the end",
        "risky_throws": "risky throws",
        "coins_risked": "coins that its risky throws could have brought",
    },
    tallies=(
        Tally("throws", "throws, by how they went", (counted("round", range(1, MAX_ROUNDS + 1)), THROW, LUCK)),
        Tally("gains", "throws, by the coins they brought", (THROW, counted("coins", range(MAX_COINS + 1)))),
    ),
    economy=(
        Measure(
            "risky_share", "share of throws that are risky", "share of throws", "throws", share=("throw", ("risky",))
        ),
        Measure(
            "risky_by_round",
            "share of throws that are risky, by round",
            "share of throws",
            "throws",
            ("round",),
            share=("throw", ("risky",)),
        ),
        Measure(
            "success",
            "share of risky throws that succeed",
            "share of risky throws",
            "throws",
            share=("luck", ("succeeded",)),
            where=(("throw", ("risky",)),),
        ),
        Measure(
            "coins_by_throw", "coins that a throw brings, by its kind", "coins", "gains", ("throw",), value="coins"
        ),
    ),
    phases=("start", "throws", "end"),
    events={
        "seat_ready": (("coins", "number"),),
        "thrown": (("throw", "throw"), ("luck", "luck"), ("gained", "number")),
        "placed": (("coins", "number"), ("rank", "position"), ("win", "share")),
    },
    n_rounds=lambda rules: int(rules["rounds"]),
    strategies="tests.toy.strategies",
)
