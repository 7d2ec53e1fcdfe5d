# The time of an inference over the parameters, on the processor and on a GPU.
task = "infer"
load plots."/training/training_devices.gp"
