"""Strategies of Coin Race."""
