#include "experiments/program/launch/own_words.h"

#include "experiments/common/folder_files.h"
#include "harness/base/text/fit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MOST = 4096 };

/* Copies a quoted part, from after its quote; returns what follows it, NULL if it is not closed. */
static const char *copy_quoted(const char *at, char quote, FILE *to)
{
    for (; *at && *at != quote; at++) {
        if (quote == '"' && *at == '\\' && (at[1] == '"' || at[1] == '\\'))
            at++;
        putc(*at, to);
    }
    return *at ? at + 1 : NULL;
}

/* Copies one word; returns what follows it, NULL if a quote is not closed. *shell: it has a
 * character that only a shell can read. */
static const char *copy_word(const char *at, FILE *to, bool *shell)
{
    static const char of_shell[] = "|&;<>()$`*?[~#\n";
    while (at && *at && *at != ' ' && *at != '\t') {
        if (*at == '\'' || *at == '"') {
            *shell |= *at == '"' && strcspn(at + 1, "$`\"") < strcspn(at + 1, "\"");
            at = copy_quoted(at + 1, *at, to);
        } else if (*at == '\\' && at[1]) {
            putc(at[1], to);
            at += 2;
        } else {
            *shell |= strchr(of_shell, *at) != NULL;
            putc(*at++, to);
        }
    }
    return at;
}

static char *take_word(const char **at, bool *shell)
{
    char *word = NULL;
    size_t size;
    FILE *stream = open_memstream(&word, &size);
    *at = stream ? copy_word(*at, stream, shell) : NULL;
    if (stream && fclose(stream) != 0)
        *at = NULL;
    return word;
}

/* The words for /bin/sh -c TEXT. */
static char **words_of_shell(const char *text)
{
    char **words = calloc(4, sizeof *words);
    if (words) {
        words[0] = strdup("/bin/sh");
        words[1] = strdup("-c");
        words[2] = strdup(text);
    }
    return words;
}

enum status own_words_split(const char *text, char ***words, struct failure *f)
{
    bool shell = false;
    size_t count = 0;
    *words = calloc(WORDS_MOST + 1, sizeof **words);
    for (const char *at = text; *words && at;) {
        at += strspn(at, " \t");
        if (!*at)
            break;
        if (count == WORDS_MOST)
            return fail(f, STATUS_USAGE, "a command has more than %d words", WORDS_MOST);
        (*words)[count++] = take_word(&at, &shell);
        if (!at)
            return fail(f, STATUS_USAGE, "'%s': a quote is not closed", text_brief(text, 300).text);
    }
    if (shell) {
        own_words_free(*words);
        *words = words_of_shell(text);
    }
    if (!*words)
        return fail(f, STATUS_RESOURCE, "not enough memory for a command");
    return (*words)[0] ? STATUS_OK : fail(f, STATUS_USAGE, "a command is empty");
}

bool own_word_is_shell(const char *word)
{
    static const char *const shells[] = {"sh", "bash", "dash", "zsh", "ksh"};
    bool is = false;
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        is = is || strcmp(file_name(word), shells[i]) == 0;
    return is;
}

size_t own_words_number(char *const *words)
{
    size_t count = 0;
    while (words && words[count])
        count++;
    return count;
}

void own_words_free(char **words)
{
    for (char **word = words; word && *word; word++)
        free(*word);
    free(words);
}

char *own_words_line(char *const *words)
{
    static const char plain[] = "%+,-./:=@_{}";
    char *line = NULL;
    size_t size;
    FILE *stream = open_memstream(&line, &size);
    for (size_t i = 0; stream && words[i]; i++) {
        bool is_plain = words[i][0] != '\0';
        for (const char *at = words[i]; *at; at++)
            is_plain = is_plain && (isalnum((unsigned char)*at) || strchr(plain, *at));
        fprintf(stream, "%s%s", i ? " " : "", is_plain ? "" : "'");
        for (const char *at = words[i]; *at; at++)
            fputs(*at == '\'' ? "'\\''" : (char[]){*at, '\0'}, stream);
        fputs(is_plain ? "" : "'", stream);
    }
    if (stream && fclose(stream) != 0) {
        free(line);
        return NULL;
    }
    return line;
}
