# The time of one image of a training step against the batch, one worker and several.
task = "train"
load plots."/networks/batch.gp"
