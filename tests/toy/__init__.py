"""A game made for the tests: small enough that every figure about it is known exactly."""

from simcore.game import add_game

add_game("tests.toy.coin_race")
