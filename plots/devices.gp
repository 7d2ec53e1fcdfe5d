# A batch through a network, by image size, device and workers.
load plots."/style.gp"
is_counted(row) = text_in("network")
load plots."/workers.gp"
xcol = "total_s"; lowcol = "total_lower_s"; highcol = "total_upper_s"
xlabel_text = L("total time of a batch", "tiempo total de un lote")
load plots."/network_rows.gp"
