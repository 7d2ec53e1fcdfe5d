#include "experiments/report/claims/claims.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct chart_kind chart_kinds[] = {
    {"brain", "total time of every method, largest image",
     "tiempo total de cada método, imagen mayor", claim_methods},
    {"methods", "compute time of one window against n", "tiempo de cómputo de una ventana según n",
     claim_methods},
    {"ladder", "compute time against the first rung, one worker",
     "tiempo de cómputo frente al primer peldaño, un trabajador", claim_methods},
    {"ladder_roof", "share of the roof, one worker", "fracción del techo, un trabajador",
     claim_roof},
    {"methods_by_shape", "compute time against the first rung of each shape, one worker",
     "tiempo de cómputo frente al primer peldaño de cada forma, un trabajador", claim_methods},
    {"roof_by_shape", "share of the roof of each shape, one worker",
     "fracción del techo de cada forma, un trabajador", claim_roof},
    {"conv_epilogue", "compute time, outputs finished in the store or in a pass",
     "tiempo de cómputo, con las salidas terminadas al guardar o en un recorrido aparte",
     claim_epilogue},
    {"isa", "times as fast as in the baseline instruction set",
     "veces más rápido que con el juego de instrucciones base", claim_isa},
    {"serial_growth", "compute time against n, and of one window",
     "tiempo de cómputo según n, y de una ventana", claim_growth},
    {"matmul_growth", "arithmetic rate of one n × n product against n",
     "tasa aritmética de un producto n × n según n", claim_rate},
    {"hyperparameters", "compute time of a window against k",
     "tiempo de cómputo de una ventana según k", claim_kernel},
    {"stride_padding", "compute time against s and p", "tiempo de cómputo según s y p",
     claim_stride},
    {"conv_hyperparameters", "compute time against k, s and n", "tiempo de cómputo según k, s y n",
     claim_filters},
    {"distances_growth", "compute time of all pairs against n",
     "tiempo de cómputo de todos los pares según n", claim_methods},
    {"window_count", "windows extracted, and time to compute, against n",
     "ventanas extraídas y tiempo de cómputo según n", claim_windows},
    {"speedup", "total time of one worker / total time of p workers of the same program",
     "tiempo total de un trabajador / tiempo total de p trabajadores del mismo programa",
     claim_speedup},
    {"threads", "total time of one thread / total time of p threads",
     "tiempo total de un hilo / tiempo total de p hilos", claim_speedup},
    {"strong_scaling", "total time of one rank / total time of p ranks",
     "tiempo total de un proceso / tiempo total de p procesos", claim_speedup},
    {"spaces", "total time of the serial baseline over that of each program",
     "tiempo total de la base serial sobre el de cada programa", claim_spaces},
    {"weak_scaling", "scaled speedup p T(1) / T(p), work growing with the workers",
     "aceleración escalada p T(1) / T(p), con trabajo proporcional a los trabajadores", claim_weak},
    {"hybrid", "total time by ranks × threads", "tiempo total por procesos × hilos", claim_hybrid},
    {"overhead", "total time of one rank above the serial program's, %",
     "tiempo total de un proceso por encima del programa serial, %", claim_overhead},
    {"communication", "total time by phase", "tiempo total por fase", claim_messages},
    {"distribution", "total time, image handed out or made by the ranks",
     "tiempo total, imagen repartida o hecha por los procesos", claim_distribution},
    {"roofline", "arithmetic rate against operations per byte",
     "tasa aritmética según operaciones por byte", claim_roof},
    {"roofline_share", "share of the roof against the working set",
     "fracción del techo según el conjunto de trabajo", claim_roof},
    {"peers", "time of the library / time of our fastest method, one worker",
     "tiempo de la biblioteca / tiempo de nuestro método más rápido, un trabajador", claim_peers},
    {"peers_planes", "time of the fastest library / ours, single planes, one worker",
     "tiempo de la biblioteca más rápida / el nuestro, un plano, un trabajador", claim_planes},
    {"devices", "total time of one batch, by device and workers",
     "tiempo total de un lote, según dispositivo y trabajadores", claim_devices},
    {"lighter", "total time of one image", "tiempo total de una imagen", claim_lighter},
    {"batch", "total time of one image against the batch",
     "tiempo total de una imagen según el lote", claim_batch},
    {"layers", "share of each step in the time of the network, its seconds and share of its roof",
     "fracción de cada paso en el tiempo de la red, sus segundos y fracción de su techo",
     claim_layers},
    {"training_course", "loss and accuracy by epoch", "pérdida y aciertos según la época",
     claim_course},
    {"confusion", "images that were not trained with, by class and by answer",
     "imágenes con las que no se entrenó, según clase y respuesta", claim_confusion},
    {"learning_rate", "loss of a step, as a moving average, against its learning rate",
     "pérdida de un paso, como media móvil, según su tasa de aprendizaje", claim_learning_rate},
    {"training_size", "total time of a training step against the bytes of the parameters",
     "tiempo total de un paso de entrenamiento según los bytes de los parámetros",
     claim_training_size},
    {"training_batch", "total time of one image of a training step against the batch",
     "tiempo total de una imagen de un paso de entrenamiento según el lote", claim_training_batch},
    {"training_layers", "share of each layer in the time of a training step, forward and backward",
     "fracción de cada capa en el tiempo de un paso de entrenamiento, hacia delante y hacia atrás",
     claim_layers},
    {"training_phases", "total time of a training step by phase",
     "tiempo total de un paso de entrenamiento por fase", claim_training_phases},
    {"training_ranks", "time of a training step against ranks, measured and simulated",
     "tiempo de un paso de entrenamiento según los procesos, medido y simulado",
     claim_training_ranks},
    {"faces", "processors and memory over time, by structure of the program",
     "procesadores y memoria en el tiempo, según la estructura del programa", claim_faces},
    {"peers_networks", "time of the library / ours, whole networks, one worker",
     "tiempo de la biblioteca / el nuestro, redes enteras, un trabajador", claim_planes},
    {"gpu_window", "total time, one window at a time", "tiempo total, una ventana a la vez",
     claim_gpu_window},
    {"gpu_lean", "total time, one window at a time, arrays kept",
     "tiempo total, una ventana a la vez, con arreglos fijos", claim_gpu_lean},
    {"gpu_image", "total time, the whole image at once",
     "tiempo total, la imagen completa de una vez", claim_gpu_image},
    {"gpu_kernel", "compute time, the image on the device",
     "tiempo de cómputo, con la imagen en el dispositivo", claim_gpu_image},
    {"offload", "total time, data movement included", "tiempo total, con movimiento de datos",
     claim_offload},
    {"transfers", "share of the total time spent moving data",
     "fracción del tiempo total dedicada a mover datos", claim_transfers},
    {"gpu_phases", "shares of the total time", "fracciones del tiempo total", claim_transfers},
    {"gpu_pinned", "total time, whole image, pinned memory and overlapping streams",
     "tiempo total, imagen completa, memoria fijada y flujos solapados", claim_pinned},
    {"filter_window", "total time, filter transferred with every window, or constant",
     "tiempo total, filtro transferido con cada ventana, o constante", claim_filter_window},
    {"filter_image", "total time, filter transferred with the image, or constant",
     "tiempo total, filtro transferido con la imagen, o constante", claim_filter_image},
    {"filter_kernel", "compute time against the side of the window",
     "tiempo de cómputo según el lado de la ventana", claim_filter_image},
    {"scale", "total time over ranks", "tiempo total según los procesos", claim_scale},
};
const size_t chart_kind_count = sizeof chart_kinds / sizeof *chart_kinds;

const struct chart_kind *chart_kind_find(const char *name)
{
    for (size_t i = 0; i < chart_kind_count; i++)
        if (strcmp(chart_kinds[i].name, name) == 0)
            return &chart_kinds[i];
    return NULL;
}

void claim_make(const struct experiment *e, const char *chart, enum language l, struct claim *c)
{
    const struct chart_kind *kind = chart_kind_find(chart);
    *c = (struct claim){0};
    if (kind)
        kind->claim(e, l, c);
    else
        claim_title(c, "%s", experiment_title(e, l));
    c->told = c->told || !kind;
}

void claim_refuse(struct claim *c, enum language l, const char *english, const char *spanish)
{
    c->told = false;
    snprintf(c->why, sizeof c->why, "%s", say(l, english, spanish));
}

void claim_title(struct claim *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->title, sizeof c->title, format, arguments);
    va_end(arguments);
}

void claim_say(struct claim *c, const char *format, ...)
{
    const size_t length = strlen(c->answer);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->answer + length, sizeof c->answer - length, format, arguments);
    va_end(arguments);
    c->told = true;
}
