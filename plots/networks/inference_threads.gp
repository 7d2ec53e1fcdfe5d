# The time of an inference over the parameters, with one thread and with all.
task = "infer"
load plots."/training/training_threads.gp"
