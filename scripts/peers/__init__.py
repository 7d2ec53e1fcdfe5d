"""Python libraries as peers of the point programs: scripts/time_peers.py says how they are run."""
