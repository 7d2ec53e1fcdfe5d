/* A column of the record is one line of harness/records/columns.inc: all code that uses points
 * finds it there, without a second list. */
#include "experiments/analysis/derived/derived_table.h"
#include "experiments/definition/definition.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"
#include "experiments/samples/samples.h"
#include "tests/support/unit_test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sets a column of a record to the first or second test value; neither is a usual value. */
static void set(struct record *r, const struct record_column *c, bool second)
{
    void *field = (char *)r + c->column.offset;
    if (c->column.type == COLUMN_TEXT)
        snprintf(field, RECORD_TEXT, "%s", second ? "second" : "first");
    else
        memcpy(field, second ? &(int64_t){83} : &(int64_t){71}, sizeof(int64_t));
}

static struct record image_of_rows(void)
{
    struct record r = record_empty();
    snprintf(r.program, sizeof r.program, "maxpool_omp");
    snprintf(r.operator_name, sizeof r.operator_name, "maxpool");
    snprintf(r.space, sizeof r.space, "omp");
    r.rows = r.cols = 64;
    return r;
}

/* The program's name contains operator and space. */
static bool is_in_the_program(const struct record_column *c)
{
    return c->column.offset == offsetof(struct record, operator_name) ||
           c->column.offset == offsetof(struct record, space);
}

TEST(no_two_points_read_alike)
{
    for (size_t i = 0; i < point_column_count(); i++) {
        const struct record_column *c = point_column(i);
        struct record a = image_of_rows(), b = image_of_rows();
        char one[300], other[300];
        set(&a, c, false);
        set(&b, c, true);
        point_label(&a, one, sizeof one);
        point_label(&b, other, sizeof other);
        if (!is_in_the_program(c) && strcmp(one, other) == 0)
            fail_msg("points of two %s read alike: '%s'", c->column.name, one);
    }
}

/* Labels omit values that a program uses by default. */
TEST(usual_values_are_not_reported)
{
    struct record r = image_of_rows();
    char plain[300], reported[300];
    point_label(&r, plain, sizeof plain);
    snprintf(r.bind, sizeof r.bind, "none");
    snprintf(r.input, sizeof r.input, "random");
    r.seed = 35;
    r.max_value = 9;
    point_label(&r, reported, sizeof reported);
    assert_string_equal(plain, reported);
    snprintf(r.bind, sizeof r.bind, "core");
    point_label(&r, reported, sizeof reported);
    assert_non_null(strstr(reported, " bind=core"));
}

static bool journal_has(const char *name)
{
    const struct schema *s = journal_schema();
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->columns[i].name, name) == 0)
            return true;
    return false;
}

TEST(the_journal_names_points_by_all_of_their_columns)
{
    for (size_t i = 0; i < point_column_count(); i++)
        if (!journal_has(point_column(i)->column.name))
            fail_msg("the journal has no %s", point_column(i)->column.name);
    assert_true(journal_has("time_utc")); /* the last one */
}

static void expect_meaning(const char *file, const struct record_column *c)
{
    const struct derived_column *row = dictionary_find(file, c->column.name);
    if (!row)
        fail_msg("the dictionary has no %s of %s", c->column.name, file);
    assert_string_equal(row->unit, record_column_unit(c));
}

TEST(derived_files_and_dictionary_have_the_record_s_columns)
{
    size_t identities = 0, phases = 0, problem = 0;
    for (size_t i = 0; i < RECORD_COLUMNS; i++) {
        const struct record_column *c = &record_columns[i];
        const bool point = record_column_is(c, COLUMN_POINT), phase = record_column_is_phase(c);
        assert_int_equal(derived_has(derived_points_file, c), point || phase);
        if (derived_has(derived_points_file, c))
            expect_meaning(derived_points_file, c);
        if (derived_has(derived_ratios_file, c))
            expect_meaning(derived_ratios_file, c);
        identities += point;
        phases += phase;
        problem += derived_has(derived_ratios_file, c);
    }
    assert_int_equal(identities, point_column_count());
    assert_int_equal(phases, PHASES);
    assert_true(problem > 0 && problem < identities);
}

/* The message on a mistyped axis lists all axes. */
TEST(a_definition_names_every_axis)
{
    char path[] = "/tmp/maxpool-columns-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    dprintf(fd, "[experiment]\ntitle = T\nquestion = Q\n[points]\nprograms = maxpool_omp\n"
                "no_such_axis = 1\n");
    close(fd);
    struct definition d;
    struct failure f = {0};
    assert_int_equal(definition_read(&d, path, SCALE_QUICK, 2, &f), STATUS_USAGE);
    unlink(path);
    for (size_t i = 0; i < point_column_count(); i++) {
        const struct record_column *c = point_column(i);
        char word[80];
        snprintf(word, sizeof word, ", %s", c->column.name);
        if (record_column_is(c, COLUMN_AXIS) && !strstr(f.message, word))
            fail_msg("no %s in '%s'", c->column.name, f.message);
    }
}
