#include "experiments/common/wording.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { NAMED_MAX = 4 };

/* A % stands for what is named; both texts name the same, in the same order. The first that fits is
 * taken, so that those that say more stand before those that say less. */
static const struct {
    const char *english, *spanish;
} wordings[] = {
    {"skipped", "omitido"},
    {"failed", "falló"},
    {"timeout", "fuera de tiempo"},
    {"interrupted", "interrumpido"},
    /* of plans */
    {"% cannot run here: %: built without CUDA: build where nvcc is",
     "% no puede correr aquí: %: compilado sin CUDA: compile donde haya nvcc"},
    {"% cannot run here: %", "% no puede correr aquí: %"},
    {"% workers on % cores, more than % on each",
     "% trabajadores en % núcleos, más de % en cada uno"},
    {"too many workers", "demasiados trabajadores"},
    {"needs % of memory, % are free", "necesita % de memoria, hay % libres"},
    {"smpirun is not installed (%)", "smpirun no está instalado (%)"},
    {"no program % here: built without SimGrid", "aquí no hay programa %: compilado sin SimGrid"},
    {"no program % here: %", "aquí no hay programa %: %"},
    {"a simulated rank makes its own image and has one thread",
     "un proceso simulado hace su propia imagen y tiene un hilo"},
    {"% ranks on the % cores of %", "% procesos en los % núcleos de %"},
    {"% has no method % here: %", "% no tiene aquí el método %: %"},
    {"% has no method % here", "% no tiene aquí el método %"},
    {"% is not installed", "% no está instalado"},
    {"n = % is beyond this sweep's limit of %, where a sample takes too long",
     "n = % pasa el límite de este barrido, %, desde el que una muestra tarda demasiado"},
    {"% has no build for %", "% no está compilado para %"},
    {"there is no instruction set '%'", "no existe el juego de instrucciones '%'"},
    /* of runs */
    {"its samples could not be written", "sus muestras no se pudieron escribir"},
    {"the program cannot run it here: %", "el programa no puede correrlo aquí: %"},
    {"a result was wrong", "un resultado fue incorrecto"},
    {"exit status 0, but %", "estado de salida 0, pero %"},
    {"exit status %", "estado de salida %"},
    {"ended from outside", "terminado desde fuera"},
    {"asked to stop", "se pidió parar"},
    {"not done within its time limit, after %", "no terminó dentro de su límite de tiempo, tras %"},
    {"could not be started", "no se pudo iniciar"},
    {"ended by signal %", "terminado por la señal %"},
    /* of files */
    {"%: cannot be read: it is packed and cut off",
     "%: no se puede leer: está comprimido y truncado"},
    {"%: cannot be read: it is packed and damaged",
     "%: no se puede leer: está comprimido y dañado"},
    {"%: cannot be read: No such file or directory", "%: no se puede leer: no existe"},
    {"%: cannot be read: Permission denied", "%: no se puede leer: sin permiso"},
    {"%: cannot be read: %", "%: no se puede leer: %"},
    {"%: it and % are both there; remove the one that is older",
     "%: están tanto él como %; borre el más viejo"},
    {"%: this build cannot unpack it, it lacks zlib (%); gunzip it",
     "%: esta compilación no puede descomprimirlo, le falta zlib (%); use gunzip"},
    {"%: holds no samples yet", "%: aún no tiene muestras"},
    {"%: has no header line", "%: no tiene línea de encabezado"},
    {"%: its header has none of our columns, it begins with '%'",
     "%: su encabezado no tiene ninguna de nuestras columnas, comienza con '%'"},
    {"%: column '%' stands twice in the header",
     "%: la columna '%' está dos veces en el encabezado"},
    {"%: this cannot be the name of an experiment",
     "%: este no puede ser el nombre de un experimento"},
    {"%: is no JSON object", "%: no es un objeto JSON"},
    {"%: is a directory, not a regular file", "%: es un directorio, no un archivo regular"},
    {"%: is a FIFO, not a regular file", "%: es una FIFO, no un archivo regular"},
    {"%: is %, not a regular file", "%: es %, no un archivo regular"},
    {"%: holds no timed sample", "%: no tiene muestras cronometradas"},
    {"%: gnuplot failed: %", "%: gnuplot falló: %"},
    {"%: gnuplot could not write it whole: %", "%: gnuplot no pudo escribirlo completo: %"},
    {"gnuplot is missing (%); where there is one: %", "falta gnuplot (%); donde lo haya: %"},
    {"%: there is no %", "%: no hay %"},
};

struct named {
    const char *text;
    size_t length;
};

/* Whether the text is the pattern's, and what it names. */
static bool fits(const char *pattern, const char *text, struct named named[NAMED_MAX])
{
    size_t count = 0;
    while (*pattern) {
        const bool names = *pattern == '%';
        pattern += names;
        const size_t length = strcspn(pattern, "%");
        const char *at = text;
        while (names && *at && (length == 0 || strncmp(at, pattern, length) != 0))
            at++;
        if (strncmp(at, pattern, length) != 0 || (names && count == NAMED_MAX))
            return false;
        if (names)
            named[count++] = (struct named){text, (size_t)(at - text)};
        text = at + length;
        pattern += length;
    }
    return *text == '\0';
}

/* The pattern with what is named in its places. */
static void fill(const char *pattern, const struct named *named, char *text, size_t size)
{
    size_t length = 0;
    for (; *pattern && length + 1 < size; pattern++) {
        if (*pattern != '%') {
            text[length++] = *pattern;
            continue;
        }
        const size_t room = size - 1 - length;
        const size_t taken = named->length < room ? named->length : room;
        memcpy(text + length, named->text, taken);
        length += taken;
        named++;
    }
    text[length] = '\0';
}

void wording_tell(enum language l, const char *english, char *text, size_t size)
{
    for (size_t i = 0; l == SPANISH && i < sizeof wordings / sizeof *wordings; i++) {
        struct named named[NAMED_MAX];
        if (fits(wordings[i].english, english, named)) {
            fill(wordings[i].spanish, named, text, size);
            return;
        }
    }
    snprintf(text, size, "%s", english);
}
