# The tesina's figures 28-31: serial time over n, in total and per window.
load plots."/lib/style.gp"
is_counted(row) = text_in("growth_series")
load plots."/lib/growth.gp"
