# OpenMP threads: what each thread is worth, or the curve where there are enough.
load plots."/style.gp"
is_counted(row) = text_in("one_total") && text_in("workers_series")
speed = "one_total"; efficiency = "efficiency"; ends = ""; speed_log = 1
ideal(x) = x
speed_text = L("speedup over one worker", "aceleración sobre un trabajador")
efficiency_text = L("efficiency: speedup over one worker / workers", "eficiencia: aceleración sobre un trabajador / trabajadores")
load plots."/scaling.gp"
