# A batch through a network, by image size, device and workers.
load plots."/lib/style.gp"
is_counted(row) = text_in("network")
load plots."/lib/workers.gp"
xcol = "total_s"; lowcol = "total_lower_s"; highcol = "total_upper_s"
xlabel_text = L("total time of a batch", "tiempo total de un lote")
load plots."/lib/network_rows.gp"
