# Work growing with the workers: scaled speedup beside Gustafson's law.
scaling = "weak"
load plots."/workers/speedup.gp"
