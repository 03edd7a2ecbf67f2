class Refusal(Exception):
    """Why a command is not run: half a sandbox would prove nothing."""
