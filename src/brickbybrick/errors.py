"""The one exception for everything a user can get wrong."""


class InputError(ValueError):
    """Something given to the program cannot be used.

    The message is one line that says what was wrong and what to do about it; the command line
    prints it and exits with code 2.
    """
