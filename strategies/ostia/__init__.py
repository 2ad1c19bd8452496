"""Strategies for Ostia."""
