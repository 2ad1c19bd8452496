"""Transcripts: golden games, and words that leave out nothing the JSON holds."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from regolden import CHANGES, FOLDER, SEATS, golden_files, play_golden

import strategies
from simcore.game import GAMES, find_game
from simcore.transcript import play_transcript

Document = dict[str, Any]
OSTIA = find_game("ostia")
RESOURCES = ("ivory", "wood", "wine", "olive_oil", "textiles", "grain")
# games in which, between them, everything that can happen does: too few cards for two auction cycles, purses
# that are empty when a lot must be bought, every advanced rule
EVENTFUL = (
    (4, CHANGES["ostia"]),
    (3, ("deal_cards=2", "auction_cards=1", "start_money=3", "mortgage_value=0", "max_loans=0")),
    (5, ("advanced_start=1", "start_money=20", "senate_cards[photo,ivory]=9")),
)
TRIED_PER_KIND = 2
IMPLIED = {
    ("forum_sale", "resource"),
    ("final", "win_share"),
}  # by the price before it; by who is said to win


@cache
def golden() -> Document:
    return play_golden("ostia")


@cache
def played(seats: int, changes: tuple[str, ...], deal: int) -> Document:
    table = [strategies.load_once("ostia", "random")] * seats
    return play_transcript(OSTIA, OSTIA.rules.parse(changes), table, 11, deal)


def eventful() -> Iterator[Document]:
    """Games until every kind of event has come up."""
    seen: set[str] = set()
    for deal in range(20):
        for seats, changes in EVENTFUL:
            document = played(seats, changes, deal)
            seen |= {event["kind"] for event in document["events"]}
            yield document
        if seen == set(OSTIA.events):
            return
    pytest.fail(f"20 deals without {set(OSTIA.events) - seen}")


def one_line(text: str) -> str:
    """The text with its line breaks taken out."""
    return " ".join(text.split())


def events_of(document: Document, kind: str) -> list[dict[str, Any]]:
    return [event for event in document["events"] if event["kind"] == kind]


def final_seat(
    points: int,
    stores: int = 0,
    cards: int = 0,
    worth: int = 0,
    rank: int = 1,
    share: float = 0.0,
    loans: int = 0,
) -> dict[str, Any]:
    """Data of a `final` event."""
    names = ("points", "money", "storehouses", "loans", "cards", "tie_worth", "rank", "win_share")
    return dict(zip(names, (points, 5, stores, loans, cards, worth, rank, share), strict=True))


def told_end(*finals: dict[str, Any]) -> str:
    """The end of a game with these results, in words."""
    head = {"round": 5, "phase": "final", "kind": "final"}
    events = [{**head, "seat": seat, "data": data} for seat, data in enumerate(finals, 1)]
    return one_line(OSTIA.wording({**golden(), "events": events}))


# --- golden transcripts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_golden_transcripts_that_still_hold(name: str) -> None:
    for path, content in golden_files(name).items():
        hint = f"run `python -m tests.regolden` if {path.name} is meant to change"
        assert path.is_file(), hint
        assert path.read_text(encoding="utf-8") == content, hint


@pytest.mark.parametrize("name", GAMES)
def test_golden_json_is_sorted_and_holds_the_whole_document(name: str) -> None:
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    document = json.loads(text)
    assert document == json.loads(json.dumps(play_golden(name)))
    assert list(document) == sorted(document)
    assert len(document["strategies"]) == SEATS[name]


def test_a_transcript_does_not_depend_on_the_games_played_before() -> None:
    again = play_golden("ostia")
    assert again is not golden()
    assert again == golden()
    assert played(4, CHANGES["ostia"], 3)["events"] != golden()["events"]  # another seed


# --- the document ------------------------------------------------------------------------------------------


def test_events_have_the_fields_the_contract_lists() -> None:
    for document in eventful():
        for event in document["events"]:
            assert list(event) == ["round", "phase", "kind", "seat", "data"]
            assert event["phase"] in OSTIA.phases
            assert list(event["data"]) == [name for name, _ in OSTIA.events[event["kind"]]]
            assert event["seat"] is None or 1 <= event["seat"] <= document["seats"]


def test_outcome_agrees_with_the_last_events() -> None:
    for document in eventful():
        finals = [event["data"] for event in events_of(document, "final")]
        outcome = document["outcome"]
        assert outcome["score"] == [data["points"] for data in finals]
        assert outcome["rank"] == [data["rank"] for data in finals]
        assert outcome["win_share"] == [data["win_share"] for data in finals]
        assert outcome["money"] == [data["money"] for data in finals]
        assert sum(outcome["win_share"]) == pytest.approx(1.0)


# --- words -------------------------------------------------------------------------------------------------


def test_no_line_is_too_wide_or_ends_in_blanks() -> None:
    for document in eventful():
        lines = OSTIA.wording(document).split("\n")
        assert lines[-1] == ""
        assert max(map(len, lines)) <= 100
        assert [line for line in lines if line != line.rstrip()] == []
        assert len(lines) < 350


def test_title_names_game_seed_deal_strategies_and_changed_rules() -> None:
    text = one_line(OSTIA.wording(golden()))
    assert text.startswith("Ostia: The Harbor of Rome for 4 players, seed 7, deal 3 Strategies: seat 1 random,")
    assert "Changed rules: advanced_discard = 1; advanced_price = 1; advanced_start = 1 Game prep" in text
    plain = play_transcript(OSTIA, OSTIA.rules.defaults(), [strategies.load_once("ostia", "random")] * 3, 0, 0)
    assert "Changed rules: none" in OSTIA.wording(plain)
    cards = one_line(OSTIA.wording(played(*EVENTFUL[2], 0)))
    assert "senate_cards = 9, 4, 3, 0, 2, 1 / 4, 0, 2, 1, 3, 5 / 2, 3, 1" in cards


def test_every_phase_has_its_heading() -> None:
    lines = OSTIA.wording(golden()).split("\n")
    headings = [line for line in lines if line and not line.startswith(" ")][3:]
    phases = ("Harbor", "Office", "Forum", "Senate", "Storehouses")
    rounds = [f"Round {n} — {phase}" for n in range(1, 6) for phase in phases]
    assert headings == ["Game preparation", *rounds, "Final scoring"]


def test_lots_incomes_and_awards_are_told_in_full() -> None:
    for document in eventful():
        text = one_line(OSTIA.wording(document))
        wanted: Counter[str] = Counter()
        for event in document["events"]:
            seat, data = event["seat"], event["data"]
            match event["kind"]:
                case "sold":
                    wanted[
                        f"Sold to seat {data['buyer']} for {data['price']}: "
                        f"{data['to_bank']} to the bank, {data['to_seller']} to seat {seat}."
                    ] += 1
                case "own_lot":
                    wanted[f"Seat {seat} keeps the lot for {data['price']}, all to the bank."] += 1
                case "forced":
                    wanted[f"Seat {seat} must buy it for {data['price']}{', ' if data['waived'] else '.'}"] += 1
                case "interest":
                    wanted[f"pays interest {data['paid']}"] += 1
                case "forum_sale":
                    wanted[f"seat {seat} gets {data['income']} for {data['cards']}"] += 1
        for sentence, n in wanted.items():
            assert text.count(sentence) >= n, sentence
        assert text.count(" offers ") == len(events_of(document, "offered"))
        assert text.count("The deck is empty") == len(events_of(document, "reshuffle"))


def test_sentences_of_the_golden_game() -> None:
    text = one_line(OSTIA.wording(golden()))
    for sentence in (
        "Seat 1 starts. Senate card 5: wood 5, wine 4, olive-oil 3, grain 2, textiles 1, ivory 0.",
        "Seat 4 is dealt 2 olive-oil, 1 textiles, 2 grain; keeps 1 textiles; discards 1 olive-oil, 1 grain.",
        "Seat 1 offers ivory and wine (minimum 16). Bids: seat 2 99, seat 3 33, seat 4 26. "
        "Sold to seat 3 for 33: 16 to the bank, 17 to seat 1.",
        "Seat 4 mortgages 1 storehouse for 7 and takes 2 loans for 14. Seat 4 keeps the lot for 47, all to ",
        "Over-extended, it loses all wine: 3 wine from the Forum.",
        "Textiles, 3 cards at 10: seat 3 gets 20 for 2.",
        "Grain, 1 card at 15: all from the talon.",
        "Donations are worth: seat 1 0, seat 2 5 (2 points), seat 3 6 (3 points), seat 4 0.",
        "Seat 1, with fewest points, chooses seat 2 to start next.",
    ):
        assert sentence in text


def test_standings_line_up() -> None:
    lines = OSTIA.wording(golden()).split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith("  after round 1"))
    assert lines[at].split()[3:] == ["money", "points", "storehouses", "loans", "cards"]
    standings = [event["data"] for event in events_of(golden(), "standing")][:4]
    for seat, data in enumerate(standings, 1):
        assert lines[at + seat].split() == ["seat", str(seat), *map(str, data.values())]
        assert len(lines[at + seat]) == len(lines[at])


def leaves(data: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str, Any]]:
    """Every number and name in an event's data, with another one in its place."""
    for key, value in data.items():
        if isinstance(value, dict):
            yield from leaves(value)
        elif value in RESOURCES:
            yield data, key, next(name for name in RESOURCES if name != value)
        elif isinstance(value, str):
            yield data, key, "next" if value == "aside" else "aside"
        elif value is not None:
            yield data, key, value + 1


def test_each_number_and_card_of_the_document_shows_in_the_words() -> None:
    told: Counter[str] = Counter()
    for document in eventful():
        text = OSTIA.wording(document)
        changed = copy.deepcopy(document)
        for event in changed["events"]:
            if told[event["kind"]] == TRIED_PER_KIND or event["data"].get("waived") == 0:
                continue  # what is paid in full is told by one number
            told[event["kind"]] += 1
            for data, key, other in leaves(event["data"]):
                if (event["kind"], key) in IMPLIED:
                    continue
                value, data[key] = data[key], other
                assert OSTIA.wording(changed) != text, f"{event['kind']} {key}"
                data[key] = value
    assert set(told) == set(OSTIA.events)


def test_each_event_adds_to_the_words_of_a_game_broken_off() -> None:
    document = {**golden(), "outcome": None}
    texts = []
    for n in range(len(document["events"]) + 1):
        texts.append(OSTIA.wording({**document, "events": document["events"][:n]}))
        assert texts[-1].endswith("\n\nThe game breaks off here.\n")
    assert len(set(texts)) == len(texts)
    assert "breaks off" not in OSTIA.wording(golden())
    assert "wins with" in texts[-1]
    assert "wins with" not in texts[-5]  # no seat has been told yet


def test_waived_debts_and_lots_that_are_not_there_are_told() -> None:
    texts = one_line(" ".join(OSTIA.wording(document) for document in eventful()))
    for words in ("has no cards to offer.", "waived. ", "waived)", "pays all it has, ", "; sells "):
        assert words in texts


# --- the end -----------------------------------------------------------------------------------------------


def test_a_clear_win_needs_no_tie_break() -> None:
    text = told_end(final_seat(9, share=1.0), final_seat(8, rank=2), final_seat(7, rank=3))
    assert text.endswith("Seat 1 wins with 9 points.")


@pytest.mark.parametrize(
    ("loser", "words"),
    [
        (final_seat(9, 3, 2, 5, rank=2), "more storehouses: 4 to 3."),
        (final_seat(9, 4, 1, 5, rank=2), "more cards in storehouses: 2 to 1."),
        (final_seat(9, 4, 2, 3, rank=2), "cards worth more to the Senate card set aside: 5 to 3."),
    ],
)
def test_each_tie_break_is_explained(loser: dict[str, Any], words: str) -> None:
    text = told_end(final_seat(7, rank=3), final_seat(9, 4, 2, 5, share=1.0), loser)
    assert text.endswith(f"Seat 2 wins with 9 points. The tie with seat 3 is broken by {words}")


def test_rivals_that_fall_at_different_tie_breaks_are_told_apart() -> None:
    loser, other = final_seat(9, 2, rank=3), final_seat(9, 4, 1, rank=2)
    text = told_end(final_seat(9, 4, 2, share=1.0), loser, loser, other)
    assert "The tie with seats 2 and 3 is broken by more storehouses: 4 to 2 and 2." in text
    assert text.endswith("The tie with seat 4 is broken by more cards in storehouses: 2 to 1.")


def test_a_shared_win_is_told() -> None:
    winner = final_seat(9, 4, 2, 5, share=0.5)
    text = told_end(winner, final_seat(9, 1, rank=3), winner)
    assert "Seats 1 and 3 share the win with 9 points each, equal in every tie-break." in text
    assert text.endswith("The tie with seat 2 is broken by more storehouses: 4 to 1.")


def test_debtors_are_told_apart_from_those_who_can_win() -> None:
    text = told_end(final_seat(9, rank=2, loans=1), final_seat(9, share=1.0), final_seat(12, rank=2, loans=2))
    assert "In debt, with no points for money and no win: seats 1 and 3." in text
    assert text.endswith("Seat 2 wins with 9 points.")
    losers = final_seat(9, 1, rank=2, loans=1), final_seat(2, rank=3, loans=2)
    text = told_end(final_seat(9, 2, share=1.0, loans=1), *losers)
    assert "All are in debt: no points for money, and each can win." in text
    assert text.endswith("The tie with seat 2 is broken by more storehouses: 2 to 1.")
