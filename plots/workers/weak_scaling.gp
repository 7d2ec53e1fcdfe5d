# Work grows with the workers: scaled speedup, with Gustafson's law.
scaling = "weak"
load plots."/workers/speedup.gp"
