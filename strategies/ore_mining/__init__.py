"""Strategies for Ore: The Mining Game."""
