"""Coin Race: its contract."""

from __future__ import annotations

from simcore.errors import AssayError
from simcore.game import COMMON_COLUMNS, Axis, Decision, Game, Measure, Tally, counted, held_tally
from simcore.rules import RuleSet

MAX_ROUNDS = 10
MAX_COINS = 20  # that a throw brings
ROUNDS = tuple(str(number) for number in range(1, MAX_ROUNDS + 1))

THROW = Axis("throw", ("safe", "risky"))
LUCK = Axis("luck", ("failed", "succeeded"))
GIFTS = ("one coin", "two coins", "three coins")  # at the start
LEAST_RISK, RISKS = 30, 41  # the chance that a risky throw succeeds may have been 30 to 70 per cent


def check(rules: RuleSet, seats: int) -> None:
    """Every seat needs a throw that it may take."""
    for seat, barred in enumerate(rules["barred"][:seats], 1):
        if barred.all():
            raise AssayError(f"rule 'barred' leaves seat {seat} without a throw")


def alternative(rules: RuleSet, number: int) -> RuleSet:
    """The rules with another chance of success; each once in `RISKS` draws."""
    return rules.replaced("risk_percent", LEAST_RISK + 7 * number % RISKS)


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
        held_tally(GIFTS, "so many coins at any time"),
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
    check=check,
    n_rounds=lambda rules: int(rules["rounds"]),
    alternative=alternative,
    forced={gift: f"head_start[{{seat}}]={coins}" for coins, gift in enumerate(GIFTS, 1)},
    barred={f"throwing {throw}": f"barred[{{seat}},{throw}]=1" for throw in THROW.labels},
    strategies="tests.toy.strategies",
)
