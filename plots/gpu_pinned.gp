# Pinned memory, and streams that copy beside kernels: what they save of an image at once.
load plots."/style.gp"
set title L("Whole image: pinned memory and overlapping streams", \
            "Imagen completa: memoria fijada y flujos solapados")
wanted(row) = strlen(stringcolumn(ycol)) > 0 && strlen(stringcolumn(series)) > 0 && \
              stringcolumn("method") eq "naive" && stringcolumn("offload") eq "image"
load plots."/total_over_size.gp"
