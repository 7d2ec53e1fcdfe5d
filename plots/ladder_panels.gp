# Pooling methods over k, windows apart and overlapping, one serial worker; needs what panels.gp needs
# beyond the panels themselves, and `wide(row)`: further rows to leave out.
is_pooling(row) = stringcolumn("operator") eq "maxpool" && stringcolumn("space") eq "serial" && \
    strlen(stringcolumn("isa_limit")) == 0 && strlen(stringcolumn("rung")) > 0 && wide(row)
panels = 2
in_panel(i) = is_pooling(0) && (i == 1 ? column("stride") == column("kernel") : column("stride") == 1)
name_of(i) = stringcolumn("method")
place_of(i) = int(column("rung")) + 1
panel_title(i) = i == 1 ? L("s = k: windows apart", "s = k: ventanas separadas") : \
                          L("s = 1: windows overlap", "s = 1: ventanas traslapadas")
xcol(i) = "kernel"
xlabel_of(i) = L("k, side of the window (cells)", "k, lado de la ventana (celdas)")
# Methods that take the maximum alone are dashed: another, lesser work.
alone = ""
set table $unused
plot points using (stringcolumn("kind") eq "maximum" ? (alone = alone." ".stringcolumn("method")." ", 0) : 0) with table
unset table
dash_of(j) = strstrt(alone, " ".name(j)." ") > 0 ? 2 : 1
load plots."/panels.gp"
