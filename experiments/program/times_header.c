#include "experiments/program/times_header.h"

#include "experiments/program/launch/duration.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 64 };

enum { ONE_OF_SEVERAL = 1, MEAN, MEDIAN, TIME }; /* preferences */

/* Words without blanks, and those with which they share their meaning. */
static const struct {
    enum times_role role;
    int preference;
    const char *words; /* a blank before and behind each */
} words[] = {
    {TIMES_THREADS, 0,
     " workers threads nthreads numthreads ompnumthreads cores ncores cpus ncpus alloccpus p hilos "
     "nhilos "
     "nucleos n\u00facleos trabajadores "},
    {TIMES_RANKS, 0,
     " ranks nranks processes procs nprocs nproc np ntasks tasks procesos nprocesos rangos "},
    {TIMES_SECONDS, TIME,
     " seconds second secs sec s time t wall walltime wallclock wallclocktime elapsed elapsedtime "
     "real realtime runtime runningtime executiontime exectime duration total totaltime timein "
     "segundos tiempo tiempoen tiempototal tiemporeal tiempodeejecucion tiempodeejecuci\u00f3n "
     "tiempotranscurrido duracion duraci\u00f3n "},
    {TIMES_SECONDS, MEDIAN, " median mediantime timemedian mediana tiempomediano elapsedraw "},
    {TIMES_SECONDS, MEAN,
     " mean meantime timemean average averagetime timeaverage avg avgtime timeavg promedio media "
     "tiempomedio tiempopromedio "},
    {TIMES_REPETITION, 0,
     " repetition rep repeat run trial iteration iter launch sample repeticion repetici\u00f3n "
     "corrida ejecucion ejecuci\u00f3n muestra "},
    {TIMES_CURVE, 0,
     " n size problem problemsize input rows cols method program version series kernel algorithm "
     "implementation variant schedule compiler flags tama\u00f1o tamano metodo m\u00e9todo "
     "programa "
     "versi\u00f3n algoritmo serie compilador entrada filas columnas "},
    {TIMES_JOB, 0, " jobid "},
    {TIMES_STATE, 0, " state status estado "},
    {TIMES_IGNORED, 0,
     " host hostname node nodes machine date timestamp datetime seed note notes comment job "
     "user sys system stddev std sd min max timestddev timestd timesd timemin timemax mintime "
     "maxtime tiempomin tiempomax tiempominimo tiempomaximo tiempom\u00ednimo tiempom\u00e1ximo "
     "error nodo maquina m\u00e1quina fecha semilla nota "
     "notas "
     "comentario command "}};

/* ---- names ----------------------------------------------------------------------------------- */

/* Removes what separates the words of a name. */
static void squeeze(char *name)
{
    char *to = name;
    for (const char *at = name; *at; at++)
        if (!strchr(" \t_-./()[]#", *at))
            *to++ = *at;
    *to = '\0';
}

/* Takes the number off the end of a name of letters; 0: there is none. */
static int take_number(char *name)
{
    char *end = name + strlen(name);
    while (end > name && isdigit((unsigned char)end[-1]))
        end--;
    const int number = end > name && strlen(end) <= 6 ? atoi(end) : 0;
    if (number > 0)
        *end = '\0';
    return number;
}

static bool is_word(const char *list, const char *word)
{
    char wanted[WORD_BYTES + 2];
    snprintf(wanted, sizeof wanted, " %s ", word);
    return word[0] && strstr(list, wanted);
}

/* Removes a text from the beginning or the end of a word. */
static bool take_affix(char *word, const char *affix)
{
    const size_t length = strlen(affix), whole = strlen(word);
    if (whole <= length)
        return false;
    if (strncmp(word, affix, length) == 0)
        memmove(word, word + length, whole - length + 1);
    else if (strcmp(word + whole - length, affix) == 0)
        word[whole - length] = '\0';
    else
        return false;
    return true;
}

static void find_word(struct times_field *field, const char *word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(words[i].words, word)) {
            field->role = words[i].role;
            field->preference = words[i].preference;
            return;
        }
}

/* Finds workers with words around them: "Number of MPI ranks", without blanks. */
static void find_counted(struct times_field *field, const char *word)
{
    static const char *const affixes[] = {
        "numberof", "countof",   "numof",     "noof", "numerode", "n\u00famerode", "cantidadde",
        "numde",    "n\u00bade", "n\u00b0de", "nde",  "num",      "nro",           "no",
        "openmp",   "omp",       "mpi",       "cpu",  "used",     "usados"};
    struct times_field counted = *field;
    char bare[WORD_BYTES];
    snprintf(bare, sizeof bare, "%s", word);
    for (size_t i = 0; i < sizeof affixes / sizeof *affixes; i++)
        take_affix(bare, affixes[i]);
    find_word(&counted, bare);
    if (counted.role == TIMES_THREADS || counted.role == TIMES_RANKS)
        *field = counted;
}

/* Makes small letters of capital ones, also of those of Spanish (U+00C0 to U+00DE). */
static void to_lower(char *word)
{
    for (unsigned char *at = (unsigned char *)word; *at; at++)
        if (at[0] == 0xc3 && at[1] >= 0x80 && at[1] <= 0x9e)
            *++at |= 0x20;
        else
            *at = (unsigned char)tolower(*at);
}

/* Makes "(ms)" of "(in ms)". */
static void take_in(char *word)
{
    static const char *const before[] = {"in ", "en "};
    char *open = strpbrk(word, "([");
    for (size_t i = 0; open && i < 2; i++)
        if (strncmp(open + 1, before[i], 3) == 0)
            memmove(open + 1, open + 4, strlen(open + 4) + 1);
}

/* A number behind a name makes a column of a repetition's times of it, and nothing else. */
static void take_repetition(struct times_field *field, char *word)
{
    field->numbered = take_number(word);
    find_word(field, word);
    if (field->role == TIMES_SECONDS || field->role == TIMES_REPETITION)
        *field = (struct times_field){TIMES_SECONDS, field->unit, field->numbered, ONE_OF_SEVERAL};
    else
        *field = (struct times_field){TIMES_OTHER, 1.0, 0, 0};
}

struct times_field times_field_of(const char *name)
{
    struct times_field field = {TIMES_OTHER, 1.0, 0, 0};
    char word[WORD_BYTES];
    if (strlen(name) >= sizeof word)
        return field;
    snprintf(word, sizeof word, "%s", name);
    to_lower(word);
    take_in(word);
    if (strcmp(word, "min") != 0 &&
        duration_unit(word, &field.unit)) /* "ms" alone; min: the least */
        return (struct times_field){TIMES_SECONDS, field.unit, 0, TIME};
    if (strncmp(word, "parameter_", 10) == 0) /* hyperfine --parameter-scan threads */
        memmove(word, word + 10, strlen(word + 10) + 1);
    duration_take_unit(word, &field.unit);
    squeeze(word);
    find_word(&field, word);
    if (field.role == TIMES_OTHER)
        find_counted(&field, word);
    if (field.role == TIMES_OTHER)
        take_repetition(&field, word);
    return field;
}
