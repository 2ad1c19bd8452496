"""Rules engines and the machine that runs them: chance, rules, tallies, transcripts, batches.

Importing this package compiles nothing and imports neither numba nor matplotlib; a game's engine is
compiled (or taken from the cache) when that game is first played.
"""

__version__ = "0.1.0"
