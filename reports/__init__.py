"""What the reader sees: the command line, the terminal, figures and the page."""
