"""The questions a designer asks, each answered by one call that returns tidy frames."""
