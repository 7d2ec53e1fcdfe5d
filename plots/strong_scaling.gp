# The same work over more and more processes.
load plots."/threads.gp"
