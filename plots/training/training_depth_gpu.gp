# The time of a training step on a GPU over the parameters, a line for each number of hidden layers.
device = 1
load plots."/training/training_depth.gp"
