# The time of one image of a training step over the batch, with one worker and with several.
task = "train"
load plots."/networks/batch.gp"
