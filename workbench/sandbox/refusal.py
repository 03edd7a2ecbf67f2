class Refusal(Exception):
    """The command is not run: a part of the sandbox cannot be applied. The text has the reason."""
