# Work growing with the workers: the time should stay as it is.
load plots."/style.gp"
is_counted(row) = text_in("weak_efficiency") && text_in("weak_series")
speed = "weak_efficiency"; efficiency = "weak_efficiency"; speed_log = 0
ends = "weak"
ideal(x) = 1
speed_text = L("efficiency, T(1) / T(p)", "eficiencia, T(1) / T(p)")
efficiency_text = speed_text
load plots."/scaling.gp"
