# Speedup over workers that share the product alone, and Amdahl's law for the product's share.
load plots."/workers/speedup.gp"
