#include "experiments/analysis/trust/reasons.h"

#include <stdio.h>
#include <string.h>

const char *const trust_names[TRUSTS] = {"PRECISE", "ROUGH", "SIMULATED", "SUSPECT", "INVALID"};

static const char *const spanish_words[TRUSTS] = {"PRECISO", "APROXIMADO", "SIMULADO", "SOSPECHOSO",
                                                  "INVÁLIDO"};

const char *trust_word(enum trust trust, enum language l)
{
    return say(l, trust_names[trust], spanish_words[trust]);
}

/* What helps where workers share cores, whatever they are. */
static const char fewer_workers[] =
    "beyond the cores there is no speedup: use as many workers as cores, or a larger machine";
static const char fewer_workers_es[] =
    "más allá de los núcleos no hay aceleración: use tantos trabajadores como núcleos, o una "
    "máquina mayor";

/* Both texts of what was seen take the same two numbers; trailing ones may go unused. */
static const struct {
    const char *code;
    enum trust trust;
    const char *name[LANGUAGES], *cause[LANGUAGES], *remedy[LANGUAGES];
} causes[CAUSES] = {
    [CAUSE_WRONG] = {"wrong",
                     TRUST_INVALID,
                     {"wrong results", "resultados incorrectos"},
                     {"wrong result in %.0f of %.0f launches",
                      "resultado incorrecto en %.0f de %.0f ejecuciones"},
                     {"run the point alone with --verify full: it names the first wrong output",
                      "ejecute el punto solo con --verify full: nombra la primera salida "
                      "incorrecta"}},
    [CAUSE_TOO_FAST] = {"too_fast",
                        TRUST_INVALID,
                        {"faster than the least work allows",
                         "más rápido de lo que permite el trabajo mínimo"},
                        {"faster than its least work allows: %.3g s, at least %.3g s are needed",
                         "más rápido de lo que permite su trabajo mínimo: %.3g s, hacen falta al "
                         "menos %.3g s"},
                        {"measure it again; if it stays, the program leaves out work",
                         "mídalo de nuevo; si persiste, el programa omite trabajo"}},
    [CAUSE_CLOCK_STOOD] = {"clock",
                           TRUST_INVALID,
                           {"no time seen to pass", "sin paso de tiempo"},
                           {"the clock saw no time pass", "el reloj no vio pasar el tiempo"},
                           {"measure a larger image", "mida una imagen mayor"}},
    [CAUSE_UNVERIFIED] = {"unverified",
                          TRUST_SUSPECT,
                          {"results not verified", "resultados sin verificar"},
                          {"result not verified in %.0f of %.0f launches",
                           "resultado sin verificar en %.0f de %.0f ejecuciones"},
                          {"measure with --verify full or sampled",
                           "mida con --verify full o sampled"}},
    [CAUSE_ROOF_UNCERTAIN] = {"roof_uncertain",
                              TRUST_SUSPECT,
                              {"an uncertain roof", "techo incierto"},
                              {"%.0f methods of this problem are above the roof: the roof is "
                               "uncertain",
                               "%.0f métodos de este problema superan el techo: el techo es "
                               "incierto"},
                              {"measure the ceilings again: study roofline",
                               "mida de nuevo los techos: study roofline"}},
    [CAUSE_TWO_MODES] = {"two_modes",
                         TRUST_SUSPECT,
                         {"times in two modes", "tiempos en dos modos"},
                         {"the times lie in two modes, one %.3g times as long as the other, with "
                          "%.0f %% in the slower",
                          "los tiempos van en dos modos, uno %.3g veces más largo que el otro, con "
                          "el %.0f %% en el más lento"},
                         {"look for other programs that come and go; on a virtual machine "
                          "neighbours do this: measure at a quieter hour",
                          "busque programas que van y vienen; en una máquina virtual lo causan los "
                          "vecinos: mida a otra hora"}},
    [CAUSE_FAR_ABOVE] =
        {"far_above",
         TRUST_SUSPECT,
         {"a median far above the shortest time", "mediana muy por encima del tiempo más corto"},
         {"the median is %.2f times the shortest time: something else was running",
          "la mediana es %.2f veces el tiempo más corto: algo más se ejecutaba"},
         {"end the other programs; on a virtual machine neighbours do this: measure "
          "at a quieter hour",
          "termine los otros programas; en una máquina virtual lo causan los "
          "vecinos: mida a otra hora"}},
    [CAUSE_LOAD] = {"load",
                    TRUST_SUSPECT,
                    {"other load before the run", "carga ajena antes de la corrida"},
                    {"other load: %.2g of %.0f cores were busy before the run",
                     "carga ajena: %.2g de %.0f núcleos ocupados antes de la corrida"},
                    {"end the other programs and run the experiment again",
                     "termine los otros programas y repita el experimento"}},
    [CAUSE_STOLEN] = {"stolen",
                      TRUST_PRECISE,
                      {"time stolen by the host", "tiempo robado por el anfitrión"},
                      {"while it was measured the hypervisor gave %.1f %% of the processors' busy "
                       "time to other machines",
                       "mientras se medía, el hipervisor dio a otras máquinas el %.1f %% del "
                       "tiempo ocupado de los procesadores"},
                      {"nothing here helps: measure at a quieter hour, or on a machine that is "
                       "not shared",
                       "aquí nada ayuda: mida a una hora más tranquila, o en una máquina no "
                       "compartida"}},
    [CAUSE_INTERRUPTED] = {"interrupted",
                           TRUST_PRECISE,
                           {"interrupted launches", "ejecuciones interrumpidas"},
                           {"%.0f launches did not finish and are left out of the %.0f",
                            "%.0f ejecuciones no terminaron y quedan fuera de las %.0f"},
                           {"run the experiment again: what is missing is made up for",
                            "repita el experimento: lo que falta se completa"}},
    [CAUSE_CLOCK_COARSE] = {"clock",
                            TRUST_SUSPECT,
                            {"times too short for the clock",
                             "tiempos demasiado cortos para el reloj"},
                            {"clock too coarse: a sample is %.3g of its steps, wanted %.0f",
                             "reloj demasiado grueso: una muestra es de %.3g pasos, se piden %.0f"},
                            {"measure a larger image", "mida una imagen mayor"}},
    [CAUSE_WORKERS] = {"workers",
                       TRUST_SUSPECT,
                       {"more workers than cores", "más trabajadores que núcleos"},
                       {"%.0f workers share %.0f cores",
                        "%.0f trabajadores comparten %.0f núcleos"},
                       {fewer_workers, fewer_workers_es}},
    [CAUSE_RANKS] = {"workers",
                     TRUST_SUSPECT,
                     {"more workers than cores", "más trabajadores que núcleos"},
                     {"%.0f ranks share %.0f cores", "%.0f procesos comparten %.0f núcleos"},
                     {fewer_workers, fewer_workers_es}},
    [CAUSE_THREADS] = {"workers",
                       TRUST_SUSPECT,
                       {"more workers than cores", "más trabajadores que núcleos"},
                       {"%.0f threads share %.0f cores", "%.0f hilos comparten %.0f núcleos"},
                       {fewer_workers, fewer_workers_es}},
    [CAUSE_QUOTA] = {"quota",
                     TRUST_SUSPECT,
                     {"more workers than the quota", "más trabajadores que la cuota"},
                     {"%.0f workers on a quota of %.3g cores",
                      "%.0f trabajadores con una cuota de %.3g núcleos"},
                     {"use fewer workers, or raise the control group's quota",
                      "use menos trabajadores, o suba la cuota del grupo de control"}},
    [CAUSE_SHARED_CORES] = {"shared",
                            TRUST_SUSPECT,
                            {"workers that shared cores", "trabajadores que compartían núcleos"},
                            {"workers shared cores in %.0f of %.0f launches",
                             "hubo trabajadores que compartían núcleos en %.0f de %.0f "
                             "ejecuciones"},
                            {"use --bind core, and a launcher that gives each rank its cores",
                             "use --bind core, y un lanzador que dé a cada proceso sus núcleos"}},
    [CAUSE_UNBOUND] = {"unbound",
                       TRUST_SUSPECT,
                       {"binding that did not come about", "fijación que no se logró"},
                       {"binding to cores was asked for, and came about in %.0f of %.0f launches",
                        "se pidió fijación a núcleos, y se logró en %.0f de %.0f ejecuciones"},
                       {"look at what the launcher or the control group allows",
                        "mire qué permiten el lanzador o el grupo de control"}},
    [CAUSE_PAGES] = {"pages",
                     TRUST_SUSPECT,
                     {"two kinds of memory pages", "dos tipos de páginas de memoria"},
                     {"the image lay on huge pages in %.0f of %.0f launches",
                      "la imagen estuvo en páginas enormes en %.0f de %.0f ejecuciones"},
                     {"ask for one kind: --pages ordinary, or free memory for huge ones",
                      "pida un solo tipo: --pages ordinary, o libere memoria para las enormes"}},
    [CAUSE_GPU_CLOCK] = {"gpu_clock",
                         TRUST_SUSPECT,
                         {"a GPU clock held back", "reloj de la GPU limitado"},
                         {"the GPU's clock was held back in %.0f of %.0f samples",
                          "el reloj de la GPU estuvo limitado en %.0f de %.0f muestras"},
                         {"cool the GPU or raise its power limit, then measure again",
                          "enfríe la GPU o suba su límite de potencia, y mida de nuevo"}},
    [CAUSE_GPU_POWER] = {"gpu_power",
                         TRUST_SUSPECT,
                         {"a GPU at its power limit", "GPU en su límite de potencia"},
                         {"the GPU was at its power limit in %.0f of %.0f samples, which held its "
                          "clock back",
                          "la GPU estuvo en su límite de potencia en %.0f de %.0f muestras, lo que "
                          "limitó su reloj"},
                         {"small cards are so under any load: compare what had the same limit, or "
                          "raise it (nvidia-smi -pl)",
                          "las tarjetas pequeñas lo están con cualquier carga: compare lo que tuvo "
                          "el mismo límite, o súbalo (nvidia-smi -pl)"}},
    [CAUSE_COMMIT] = {"commit",
                      TRUST_SUSPECT,
                      {"two commits along a curve", "dos versiones en una curva"},
                      {"the program's commit changes along its curve",
                       "el programa cambia de versión a lo largo de su curva"},
                      {"measure the curve again with one program",
                       "mida de nuevo la curva con un solo programa"}},
    [CAUSE_MACHINE] = {"machine",
                       TRUST_SUSPECT,
                       {"two machines along a curve", "dos máquinas en una curva"},
                       {"the machine changes along its curve",
                        "la máquina cambia a lo largo de su curva"},
                       {"keep the results of each machine in a folder of its own",
                        "guarde los resultados de cada máquina en su propia carpeta"}},
    [CAUSE_ISA] = {"isa",
                   TRUST_SUSPECT,
                   {"two instruction sets along a curve",
                    "dos juegos de instrucciones en una curva"},
                   {"the instruction set changes along its curve",
                    "el juego de instrucciones cambia a lo largo de su curva"},
                   {"measure the curve with one --isa", "mida la curva con un solo --isa"}},
    [CAUSE_BINDING] = {"bind",
                       TRUST_SUSPECT,
                       {"two bindings along a curve", "dos fijaciones en una curva"},
                       {"the binding to cores changes along its curve",
                        "la fijación a núcleos cambia a lo largo de su curva"},
                       {"measure the curve with one --bind", "mida la curva con un solo --bind"}},
    [CAUSE_DEVICE] = {"device",
                      TRUST_SUSPECT,
                      {"two GPUs along a curve", "dos GPU en una curva"},
                      {"the GPU changes along its curve", "la GPU cambia a lo largo de su curva"},
                      {"measure the curve with one --device",
                       "mida la curva con un solo --device"}},
    [CAUSE_SIMULATED] = {"simulated",
                         TRUST_SIMULATED,
                         {"simulated times", "tiempos simulados"},
                         {"simulated, not measured; computed and verified in %.0f of %.0f launches",
                          "simulado, no medido; calculado y verificado en %.0f de %.0f "
                          "ejecuciones"},
                         {"a forecast: hold it against a measured point where there is one",
                          "un pronóstico: compárelo con un punto medido donde lo haya"}},
    [CAUSE_FEW_SAMPLES] = {"few_samples",
                           TRUST_ROUGH,
                           {"too few samples for an interval",
                            "muy pocas muestras para un intervalo"},
                           {"%.0f samples, fewer than the %.0f that an interval of 95 %% needs",
                            "%.0f muestras, menos de las %.0f que pide un intervalo del 95 %%"},
                           {"allow more samples or more seconds",
                            "permita más muestras o más segundos"}},
    [CAUSE_ONE_LAUNCH] = {"one_launch",
                          TRUST_ROUGH,
                          {"a single launch", "una sola ejecución"},
                          {"one launch: what differs between launches is unknown",
                           "una sola ejecución: no se sabe cuánto difieren entre sí"},
                          {"measure nine launches", "mida nueve ejecuciones"}},
    [CAUSE_DIRTY] = {"dirty",
                     TRUST_PRECISE,
                     {"uncommitted changes in the program", "cambios sin registrar en el programa"},
                     {"the program had uncommitted changes: the commit does not tell its sources",
                      "el programa tenía cambios sin registrar: la versión no dice sus fuentes"},
                     {"commit before measuring what is to be published",
                      "registre los cambios antes de medir lo que va a publicar"}},
};

static void mark_cut(char text[REASON_TEXT], int length)
{
    if (length >= REASON_TEXT)
        strcpy(text + REASON_TEXT - 4, "...");
}

struct reason reason_make(enum cause cause, double a, double b)
{
    struct reason r = {
        .kind = cause, .code = causes[cause].code, .trust = causes[cause].trust, .amount = a};
    for (int l = 0; l < LANGUAGES; l++) {
        const char *format = causes[cause].cause[l];
        mark_cut(r.cause[l], snprintf(r.cause[l], REASON_TEXT, format, a, b));
        r.name[l] = causes[cause].name[l];
        r.remedy[l] = causes[cause].remedy[l];
    }
    return r;
}

const char *reason_word(const struct reason *r, enum language l)
{
    return r->trust == TRUST_PRECISE ? say(l, "note", "nota") : trust_word(r->trust, l);
}

void reason_line(const struct reason *r, enum language l, char line[REASON_LINE])
{
    snprintf(line, REASON_LINE, "%s (%s)", r->cause[l], r->remedy[l]);
}
