/* The rule is a C expression over n: numbers, n, !, * / %, + -, comparisons, &&, ||, ?: and
 * parentheses, as the manual of GNU gettext describes it (section "Additional functions for plural
 * forms"). */
#include "harness/base/text/plural.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 100 };

struct rule {
    const char *at;
    unsigned long n;
    int depth;
    bool broken;
};

static unsigned long read_choice(struct rule *r);

static void skip_space(struct rule *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool take(struct rule *r, const char *word)
{
    skip_space(r);
    const size_t length = strlen(word);
    if (strncmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

static unsigned long break_rule(struct rule *r)
{
    r->broken = true;
    return 0;
}

static unsigned long read_operand(struct rule *r)
{
    if (r->broken || ++r->depth > DEPTH_MAX)
        return break_rule(r);
    unsigned long value;
    if (take(r, "!")) {
        value = !read_operand(r);
    } else if (take(r, "(")) {
        value = read_choice(r);
        if (!take(r, ")"))
            return break_rule(r);
    } else if (take(r, "n")) {
        value = r->n;
    } else if (isdigit((unsigned char)*r->at)) {
        char *end;
        value = strtoul(r->at, &end, 10);
        r->at = end;
    } else {
        return break_rule(r);
    }
    r->depth--;
    return value;
}

/* A higher level binds more tightly. A longer word precedes a word that is its beginning. */
static const struct {
    const char *word;
    int level;
} operators[] = {{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4}, {">=", 4}, {"<", 4},
                 {">", 4},  {"+", 5},  {"-", 5},  {"*", 6},  {"/", 6},  {"%", 6}};

enum { OPERATORS = sizeof operators / sizeof *operators };

static unsigned long apply(struct rule *r, const char *word, unsigned long a, unsigned long b)
{
    switch (word[0]) {
    case '|':
        return a || b;
    case '&':
        return a && b;
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '<':
        return word[1] ? a <= b : a < b;
    case '>':
        return word[1] ? a >= b : a > b;
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    default:
        if (b == 0)
            return break_rule(r);
        return word[0] == '/' ? a / b : a % b;
    }
}

/* Takes the next operator if its level is at least `level`; otherwise returns OPERATORS. */
static size_t take_operator(struct rule *r, int level)
{
    for (size_t i = 0; i < OPERATORS; i++)
        if (operators[i].level >= level && take(r, operators[i].word))
            return i;
    return OPERATORS;
}

static unsigned long read_binary(struct rule *r, int level)
{
    unsigned long value = read_operand(r);
    size_t next;
    while (!r->broken && (next = take_operator(r, level)) < OPERATORS)
        value = apply(r, operators[next].word, value, read_binary(r, operators[next].level + 1));
    return value;
}

static unsigned long read_choice(struct rule *r)
{
    if (++r->depth > DEPTH_MAX)
        return break_rule(r);
    unsigned long value = read_binary(r, 1);
    if (!r->broken && take(r, "?")) {
        const unsigned long yes = read_choice(r);
        if (!take(r, ":"))
            return break_rule(r);
        const unsigned long no = read_choice(r);
        value = value ? yes : no;
    }
    r->depth--;
    return value;
}

size_t plural_form(const char *header, unsigned long count)
{
    const char *forms = header ? strstr(header, "nplurals=") : NULL;
    const char *rule = forms ? strstr(forms, "plural=") : NULL;
    if (rule == forms + 1) /* within "nplurals=" */
        rule = strstr(rule + 1, "plural=");
    if (!header)
        return count != 1;
    if (!rule)
        return 0;
    struct rule r = {.at = rule + strlen("plural="), .n = count};
    const unsigned long form = read_choice(&r);
    skip_space(&r);
    const bool whole = !r.broken && (*r.at == ';' || *r.at == '\0');
    return whole && form < strtoul(forms + strlen("nplurals="), NULL, 10) ? form : 0;
}
