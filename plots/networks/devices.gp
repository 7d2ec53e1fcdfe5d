# A batch through a network, by image size, device and workers.
load plots."/lib/style.gp"
is_counted(row) = text_in("network")
load plots."/lib/workers.gp"
xcol = "total_s"; lowcol = "total_lower_s"; highcol = "total_upper_s"
xlabel_text = T("total time of a batch")
load plots."/lib/network_rows.gp"
