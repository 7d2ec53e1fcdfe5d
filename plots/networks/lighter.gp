# One image of several networks, batches and workers.
load plots."/lib/style.gp"
is_counted(row) = text_in("network")
load plots."/lib/workers.gp"
xcol = "image_s"; lowcol = "image_lower_s"; highcol = "image_upper_s"
xlabel_text = T("total time of one image")
load plots."/lib/network_rows.gp"
