#include "experiments/program/times_header.h"

#include "harness/base/text/csv_field.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 64 };

static const struct {
    const char *name;
    double seconds;
} units[] = {{"s", 1.0},        {"sec", 1.0},  {"secs", 1.0}, {"seg", 1.0},      {"seconds", 1.0},
             {"segundos", 1.0}, {"ms", 1e-3},  {"us", 1e-6},  {"\u00b5s", 1e-6}, {"\u03bcs", 1e-6},
             {"ns", 1e-9},      {"min", 60.0}, {"h", 3600.0}, {"minutes", 60.0}, {"minutos", 60.0}};

enum { ONE_OF_SEVERAL = 1, MEAN, MEDIAN, TIME }; /* preferences */

/* Words without blanks, and those with which they share their meaning. */
static const struct {
    enum times_role role;
    int preference;
    const char *words; /* a blank before and behind each */
} words[] = {
    {TIMES_THREADS, 0,
     " workers threads nthreads numthreads ompnumthreads cores ncores cpus ncpus p hilos nhilos "
     "nucleos n\u00facleos trabajadores "},
    {TIMES_RANKS, 0,
     " ranks nranks processes procs nprocs nproc np ntasks tasks procesos nprocesos rangos "},
    {TIMES_SECONDS, TIME,
     " seconds second secs sec s time t wall walltime wallclock wallclocktime elapsed elapsedtime "
     "real runtime executiontime exectime duration total totaltime segundos tiempo tiempototal "
     "tiempodeejecucion tiempodeejecuci\u00f3n duracion duraci\u00f3n "},
    {TIMES_SECONDS, MEDIAN, " median mediantime mediana "},
    {TIMES_SECONDS, MEAN, " mean meantime average averagetime avg promedio media "},
    {TIMES_REPETITION, 0,
     " repetition rep repeat run trial iteration iter launch sample repeticion repetici\u00f3n "
     "corrida ejecucion ejecuci\u00f3n muestra "},
    {TIMES_CURVE, 0,
     " n size problem problemsize input rows cols method program version series kernel algorithm "
     "implementation variant schedule compiler flags tama\u00f1o tamano metodo m\u00e9todo "
     "programa "
     "versi\u00f3n algoritmo serie compilador entrada filas columnas "},
    {TIMES_IGNORED, 0,
     " host hostname node nodes machine date timestamp datetime seed note notes comment job jobid "
     "user sys system stddev std sd min max error nodo maquina m\u00e1quina fecha semilla nota "
     "notas "
     "comentario command "}};

/* ---- names ----------------------------------------------------------------------------------- */

static bool unit_of(const char *text, double *seconds)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(text, units[i].name) == 0) {
            *seconds = units[i].seconds;
            return true;
        }
    return false;
}

/* Takes a unit off the end of a name: "(ms)", "[ms]", or "ms" behind a blank or a sign. */
static void take_unit(char *name, double *unit)
{
    size_t length = strlen(name);
    const bool closed = length > 0 && strchr(")]", name[length - 1]);
    if (closed)
        name[--length] = '\0';
    char *at = name + length;
    while (at > name && !strchr(closed ? "([" : " _-./", at[-1]))
        at--;
    if (at > name && unit_of(at, unit))
        at[-1] = '\0';
}

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

static void find_word(struct times_field *field, const char *word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(words[i].words, word)) {
            field->role = words[i].role;
            field->preference = words[i].preference;
            return;
        }
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
    for (size_t i = 0; i <= strlen(name); i++)
        word[i] = (char)tolower((unsigned char)name[i]);
    if (strcmp(word, "min") != 0 && unit_of(word, &field.unit)) /* "ms" alone; min: the least */
        return (struct times_field){TIMES_SECONDS, field.unit, 0, TIME};
    if (strncmp(word, "parameter_", 10) == 0) /* hyperfine --parameter-scan threads */
        memmove(word, word + 10, strlen(word + 10) + 1);
    take_unit(word, &field.unit);
    squeeze(word);
    find_word(&field, word);
    if (field.role == TIMES_OTHER)
        take_repetition(&field, word);
    return field;
}

/* ---- times ----------------------------------------------------------------------------------- */

/* Reads a number whose decimal sign is `sign` or, where that fails, the other one: next to a unit a
 * sign parts no thousands. */
static bool read_either(const char *text, char sign, double *value)
{
    return csv_read_real(text, sign, value) || csv_read_real(text, sign == ',' ? '.' : ',', value);
}

/* Reads "1:02.5" or "1:01:02.5": parts of sixty, the last with decimals. */
static bool read_colons(const char *text, char sign, double *seconds)
{
    char part[CSV_NUMBER_BYTES];
    double value;
    *seconds = 0.0;
    for (int parts = 0; parts < 3; parts++) {
        const size_t length = strcspn(text, ":");
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        if (length >= sizeof part || !read_either(part, sign, &value) || value < 0.0)
            return false;
        *seconds = 60.0 * *seconds + value;
        if (!text[length])
            return parts > 0;
        text += length + 1;
    }
    return false;
}

/* Reads a number up to its unit, as in "350 ms"; *rest: what follows the unit. */
static bool read_with_unit(const char *text, char sign, double *seconds, const char **rest)
{
    char number[CSV_NUMBER_BYTES], name[8];
    double value, unit;
    const size_t digits = strspn(text, "0123456789.,eE+-");
    const char *letters = text + digits + strspn(text + digits, " ");
    const size_t length = strcspn(letters, "0123456789 ");
    if (digits >= sizeof number || length >= sizeof name)
        return false;
    snprintf(number, sizeof number, "%.*s", (int)digits, text);
    snprintf(name, sizeof name, "%.*s", (int)length, letters);
    if (strcmp(name, "m") == 0) /* of the shell's time: 1m2.5s */
        unit = 60.0;
    else if (!unit_of(name, &unit))
        return false;
    *rest = letters + length;
    if (!read_either(number, sign, &value) || value < 0.0)
        return false;
    *seconds = unit * value;
    return true;
}

bool times_duration(const char *text, char sign, double unit, double *seconds)
{
    const char *rest = text;
    double part, sum = 0.0;
    if (csv_read_real(text, sign, seconds)) {
        *seconds *= unit;
        return *seconds > 0.0;
    }
    if (strchr(text, ':'))
        return read_colons(text, sign, seconds) && *seconds > 0.0;
    while (*rest && read_with_unit(rest, sign, &part, &rest)) {
        sum += part;
        rest += strspn(rest, " ");
    }
    *seconds = sum;
    return !*rest && sum > 0.0;
}
