"""How a program ends: the exit statuses of the point programs."""

WRONG, USAGE, UNAVAILABLE, RESOURCE, OUTPUT = 1, 2, 3, 4, 5


class Failure(Exception):
    """Ends the program: exit status and one line for standard error."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status
