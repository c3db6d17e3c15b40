"""The program that a script runs."""
import argparse
import os


def program(path):
    """The absolute path of a program, as a type of argparse, which says where there is none."""
    if os.path.isdir(path) or not os.access(path, os.X_OK):
        raise argparse.ArgumentTypeError(
            f"there is no program at {path}; build one with 'swift build', or name yours")
    return os.path.abspath(path)
