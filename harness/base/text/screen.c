#include "harness/base/text/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct language *chosen;

/* The language's code in a locale such as es_MX.UTF-8. */
static const struct language *of_environment(void)
{
    static const char *const names[] = {"MAXPOOL_LANG", "LC_ALL", "LC_MESSAGES", "LANG"};
    const struct language *l = &language_english;
    struct failure unused = {0};
    char code[sizeof l->code];
    const char *locale = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !(locale && *locale); i++)
        locale = getenv(names[i]);
    if (!locale)
        return l;
    snprintf(code, sizeof code, "%.*s", (int)strcspn(locale, "_.@"), locale);
    if (language_find(&l, code, &unused) != STATUS_OK)
        return &language_english;
    return l;
}

const struct language *screen_language(void)
{
    if (!chosen)
        chosen = of_environment();
    return chosen;
}

enum status screen_choose(const char *code, struct failure *f)
{
    const struct language *l;
    const enum status status = language_find(&l, code, f);
    if (status == STATUS_OK)
        chosen = l;
    return status;
}

void screen_choose_early(int argc, char **argv)
{
    static const char option[] = "--lang";
    const size_t length = sizeof option - 1;
    struct failure unused = {0};
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strncmp(argv[i], option, length) == 0) {
            const char *code = argv[i][length] == '='    ? argv[i] + length + 1
                               : argv[i][length] == '\0' ? argv[i + 1]
                                                         : NULL;
            if (code)
                (void)screen_choose(code, &unused);
        }
}

void screen_children_speak_english(void)
{
    (void)screen_language(); /* this program keeps its own */
    setenv("MAXPOOL_LANG", "en", 1);
}

const char *screen_text(const char *id)
{
    return message(screen_language(), id);
}

const char *screen_help(const char *id)
{
    return message_in(screen_language(), "help", id);
}

enum { SCREEN_TEXT = 2048 };

void screen_say(FILE *out, const char *id, const struct argument *values)
{
    char text[SCREEN_TEXT];
    message_fill(text, sizeof text, screen_text(id), values);
    fputs(text, out);
}

void screen_say_plural(FILE *out, const char *one, const char *many, size_t count,
                       const struct argument *values)
{
    char pattern[SCREEN_TEXT], text[SCREEN_TEXT];
    message_fill(pattern, sizeof pattern, message_plural(screen_language(), one, many, count),
                 WITH({"n", integer_text((int64_t)count).text}));
    message_fill(text, sizeof text, pattern, values);
    fputs(text, out);
}

int screen_columns(const char *text)
{
    int columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80; /* not a continuation byte */
    return columns;
}

void screen_left(FILE *out, const char *text, int width)
{
    const int used = screen_columns(text);
    fprintf(out, "%s%*s", text, used < width ? width - used : width > 0, "");
}

void screen_right(FILE *out, const char *text, int width)
{
    const int used = screen_columns(text);
    fprintf(out, "%*s%s", used < width ? width - used : 1, "", text);
}
