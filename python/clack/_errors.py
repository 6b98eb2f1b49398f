# SPDX-License-Identifier: Apache-2.0
"""Mistakes of the caller, and questions without an answer."""


class InputError(Exception):
    """A mistake in what was given: a file, an option, a problem.

    `str(error)` is the two lines that the command line prints: what is wrong and where, and what helps.
    """

    def __init__(self, what: str, where: str = "", remedy: str = "", lines: str = ""):
        place = f" ({where})" if where else ""
        self.what = what
        """What is wrong."""
        self.where = where
        """FILE:LINE:COLUMN, the way to a value ("contacts.beak.friction"), or nothing."""
        self.remedy = remedy
        """What helps."""
        self._lines = lines or f"error: {what}{place}\nhelp: {remedy}"
        super().__init__(what, where, remedy)

    def __str__(self) -> str:
        return self._lines


class ModelError(InputError):
    """A mistake in a model, found while it is read."""


class NoAnswer(InputError):
    """The input is fine, but the question has no answer for a physical or mathematical reason."""
