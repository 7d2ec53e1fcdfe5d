# Pooling methods over k, with separate and overlapping windows, one serial worker. Needs the variables of panels.gp,
# except those of the panels themselves, and `chosen(row)`, which is false for further rows to leave out.
is_pooling(row) = stringcolumn("operator") eq "maxpool" && stringcolumn("space") eq "serial" && \
    strlen(stringcolumn("isa_limit")) == 0 && text_in("rung") && chosen(row)
panels = 2
in_panel(i) = is_pooling(0) && (i == 1 ? column("stride") == column("kernel") : column("stride") == 1)
name_of(i) = stringcolumn("method")
place_of(i) = int(column("place")) + 1
panel_title(i) = i == 1 ? T("s = k: windows apart") : \
                          T("s = 1: windows overlap")
xcol(i) = "kernel"
x_log(i) = 1
y_log(i) = 1
xlabel_of(i) = T("k, side of the window (elements)")
# Methods that take the maximum alone are dashed: they do different, lesser work.
dash_of(i) = stringcolumn("kind") eq "maximum" ? 2 : 1
load plots."/lib/panels.gp"
