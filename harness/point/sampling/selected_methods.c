#include "harness/point/sampling/selected_methods.h"

#include "harness/base/nearest_word.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/word_list.h"
#include "harness/base/text/wording.h"
#include "kernels/precision/declared_math.h"

#include <stdlib.h>
#include <string.h>

/* ---- one method ------------------------------------------------------------------------------ */

/* Returns the operator as tables list it; a subject may make the row of its operation itself. */
static const struct operator_row *listed_operator(const struct point *p)
{
    return operator_selected(p->program->kind, &p->options.parameters);
}

static const struct peer_row *find_peer(const struct point *p, const char *name)
{
    return peers_find(p->program->peers, listed_operator(p), name);
}

/* Suggests a method of ours that the program has. */
static struct suggestion suggest_method(const struct point *p, const struct operation *op,
                                        const char *name)
{
    const enum space_kind kind = p->program->space->kind;
    struct nearest_word n = nearest_word_of(name);
    for (size_t i = 0; op->kind->method(i); i++)
        if (op->kind->method(i)->kind == kind)
            nearest_word_offer(&n, op->kind->method(i)->name);
    return nearest_word_suggest(&n, "");
}

/* Finds the method of that name, ours or a peer's. */
static enum status find_method(const struct point *p, struct operation *op, const char *name,
                               struct failure *f)
{
    const struct program *program = p->program;
    const struct peer_row *peer = find_peer(p, name);
    op->method = operator_method(op->kind, program->space->kind, name);
    if (!op->method && peer)
        op->method = &peer->method;
    if (!op->method && listed_operator(p) != program->kind)
        return fail(f, STATUS_USAGE, "--method: %s has no '%s' in %s", op->kind->words.subject,
                    name, program->name);
    if (!op->method)
        return fail(f, STATUS_USAGE, "--method: there is no '%s' in %s%s (try --list-methods)",
                    name, program->name, suggest_method(p, op, name).text);
    const char *lacks = method_lacks(op->method, program->emulated);
    if (peer && op->method == &peer->method && !program->emulated)
        lacks = peer_unavailable(peer);
    return lacks ? fail(f, STATUS_UNAVAILABLE, "--method %s: %s", name, lacks) : STATUS_OK;
}

/* ---- the names of --method ------------------------------------------------------------------- */

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* Returns how often --method names a method. */
static size_t times_named(const struct point *p, const char *name)
{
    return word_list_count(p->options.method, ",", name);
}

static struct contender *add(struct point *p, bool named)
{
    struct contender *c = &p->contenders[p->contender_count++];
    c->operation = p->operation;
    c->named = named;
    c->measurement.repeats = 1;
    return c;
}

static enum status add_named(struct point *p, const char *text, size_t length, struct failure *f)
{
    char name[RECORD_TEXT];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (times_named(p, name) > 1)
        return fail(f, STATUS_USAGE, "--method names '%s' twice", name);
    return find_method(p, &add(p, true)->operation, name, f);
}

/* Adds every method of ours that runs here, computes in the declared precision and is not named
 * itself. */
static void add_all(struct point *p)
{
    const bool rounds = p->options.parameters.math != MATH_FP32;
    const char *name;
    for (size_t i = 0; (name = options_method(p->operation.kind, p->program, i)); i++) {
        const struct method *m = operator_method(p->operation.kind, p->program->space->kind, name);
        if (times_named(p, name) == 0 && m->tensor == rounds)
            add(p, false)->operation.method = m;
    }
}

/* Returns the largest number of contenders that the list can make. */
static size_t most_contenders(const struct point *p)
{
    size_t count = 1;
    for (const char *at = p->options.method; *at; at++)
        count += *at == ',';
    for (size_t i = 0; options_method(p->operation.kind, p->program, i); i++)
        count++;
    return count;
}

enum status selected_methods_make(struct point *p, struct failure *f)
{
    const char *next = p->options.method;
    enum status status = STATUS_OK;
    p->contenders = calloc(most_contenders(p), sizeof *p->contenders);
    if (!p->contenders)
        return fail(f, STATUS_RESOURCE, "no memory for the methods");
    for (bool more = true; status == STATUS_OK && more; next++) {
        const size_t length = strcspn(next, ",");
        if (is_word(next, length, "all") && times_named(p, "all") == 1)
            add_all(p);
        else
            status = add_named(p, next, length, f);
        next += length;
        more = *next != 0;
    }
    char text[RECORD_TEXT];
    if (status != STATUS_OK)
        return status;
    selected_methods_text(p, "+", text, sizeof text);
    return p->contender_count == 0 || text[0]
               ? STATUS_OK
               : fail(f, STATUS_USAGE, "--method: the names of so many methods do not fit a row");
}

/* ---- what the methods can do ----------------------------------------------------------------- */

/* The set that --isa asks for, or the best one. */
static enum status find_isa(const struct point *p, enum isa *out, struct failure *f)
{
    *out = options_given(&p->options, "isa") ? (enum isa)p->options.isa : isa_best();
    const char *missing = isa_missing(*out);
    return missing ? fail(f, STATUS_UNAVAILABLE, "--isa %s: %s", isa_option(*out), missing)
                   : STATUS_OK;
}

static enum status choose_isa(const struct point *p, struct operation *op, struct failure *f)
{
    enum isa isa;
    const enum status status = find_isa(p, &isa, f);
    if (status == STATUS_OK)
        operation_choose_isa(op, isa);
    return status;
}

/* A peer is limited only where --isa asks for it. */
static enum status limit_peer(const struct point *p, const struct peer_row *row, struct failure *f)
{
    enum isa isa;
    if (!options_given(&p->options, "isa"))
        return STATUS_OK;
    const enum status status = find_isa(p, &isa, f);
    return status == STATUS_OK ? p->program->peers->limit(row, isa, f) : status;
}

/* Limits and loads the peer, and checks that it can do the operation. */
static enum status load_peer(const struct point *p, struct contender *c, const struct peer_row *row,
                             struct failure *f)
{
    struct failure why = {0};
    const char *name = row->method.name;
    const enum status limited = limit_peer(p, row, f);
    if (limited != STATUS_OK)
        return limited;
    if (p->program->peers->load(row, &c->peer, &why) != STATUS_OK)
        return fail(f, why.status, "--method %s: %s", name, why.message);
    const char *refusal = c->peer->refuses ? c->peer->refuses(&c->operation) : NULL;
    return refusal ? fail(f, STATUS_USAGE, "--method %s: %s", name, refusal) : STATUS_OK;
}

static enum status settle(const struct point *p, struct contender *c, struct failure *f)
{
    struct operation *op = &c->operation;
    const struct method *method = op->method;
    *op = p->operation;
    op->method = method;
    const char *refusal = method_refuses(method, op);
    if (refusal)
        return fail(f, STATUS_USAGE, "--method %s %s", method->name, refusal);
    if (p->options.parallel == PARALLEL_PRODUCT && batches_refuse(op))
        return fail(f, STATUS_USAGE, "--method %s %s (--parallel product)", method->name,
                    batches_refuse(op));
    if (operator_method(op->kind, method->kind, method->name) == method)
        return choose_isa(p, op, f);
    return load_peer(p, c, find_peer(p, method->name), f);
}

enum status selected_methods_settle(struct point *p, struct failure *f)
{
    struct failure why = {0};
    size_t kept = 0;
    for (size_t i = 0; i < p->contender_count; i++) {
        struct contender *c = &p->contenders[i];
        why = (struct failure){0};
        const enum status status = point_common_status(p, settle(p, c, &why), &why);
        if (status != STATUS_OK && c->named)
            return fail(f, status, "%s", why.message);
        if (status == STATUS_OK)
            p->contenders[kept++] = *c;
        else if (point_is_root(p))
            screen_say(
                stderr, N_("%{program}: left out: %{why}\n"),
                WITH({"program", p->program->name}, {"why", wording_on_screen(why.message).text}));
    }
    p->contender_count = kept;
    if (kept > 0)
        return STATUS_OK;
    return why.status != STATUS_OK
               ? fail(f, why.status, "%s", why.message)
               : fail(f, STATUS_UNAVAILABLE, "no method of %s runs here", p->program->name);
}

void selected_methods_text(const struct point *p, const char *between, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < p->contender_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? between : "",
                                 operation_method(&p->contenders[i].operation));
    if (used >= size)
        text[0] = 0;
}
