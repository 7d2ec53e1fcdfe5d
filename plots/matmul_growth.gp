# The tesina's figure 4: time of one n x n product against n.
load plots."/style.gp"
set title L("Time of one n × n matrix product", "Tiempo de un producto de matrices n × n")
load plots."/time_over_size.gp"
