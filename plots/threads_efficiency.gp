# The same curves as threads.gp; kept for definitions that name it.
load plots."/threads.gp"
