# Where the kernel reads the filter from, against the cells that it has.
load plots."/style.gp"
set title L("Filter in global or in constant memory, against its size", \
            "Filtro en memoria global o constante, según su tamaño")
load plots."/time_over_kernel.gp"
