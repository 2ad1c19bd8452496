"""Strategies for Ore City."""
