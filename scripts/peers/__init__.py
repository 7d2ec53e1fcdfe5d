"""Python libraries as peers of the point programs; scripts/time_peers.py describes how they are run."""
