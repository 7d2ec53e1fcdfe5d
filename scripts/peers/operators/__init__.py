"""One module an operator: its options, and the problem that they ask for."""
