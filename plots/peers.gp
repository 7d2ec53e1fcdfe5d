# Other libraries beside our methods.
load plots."/style.gp"
set title L("Our methods and other libraries", "Nuestros métodos y otras bibliotecas")
load plots."/total_over_size.gp"
