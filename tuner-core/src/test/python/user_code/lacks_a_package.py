"""A module of the user's that needs a package which the interpreter does not have."""

import a_package_that_nobody_has  # noqa: F401


def make():
    raise AssertionError("never reached")
