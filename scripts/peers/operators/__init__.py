"""One module per operator: its options, and the problem that they define."""
