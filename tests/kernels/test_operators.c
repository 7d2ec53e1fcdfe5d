/* Tests the operators' rows: they are complete; an operator that only this file defines runs and is
 * verified; no source outside its folder compares operators, subjects that stand for one, spaces,
 * devices or phases; and none numbers operands. */
#include "harness/point/point.h"
#include "harness/point/verify/verify.h"
#include "harness/records/columns.h"
#include "harness/space/spaces.h"
#include "kernels/matmul/explain.h"
#include "kernels/matmul/matmul.h"
#include "kernels/operators.h"
#include "serial/serial.h"
#include "tests/support/cases.h"
#include "tests/support/unit_test.h"

#include <ctype.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

TEST(rows_are_whole)
{
    for (size_t i = 0; i < operator_count; i++) {
        const struct operator_row *o = operators[i];
        assert_ptr_equal(operator_find(o->name), o); /* no other row has its name */
        assert_true(o->words.subject && o->words.measures && o->words.map && o->words.units &&
                    o->words.parts && o->words.example && o->words.examples);
        assert_true(o->words.with_product.id || o->words.without.id);
        assert_true(o->parameters && o->shape && o->method && o->is_built && o->run && o->need &&
                    o->terms && o->parts && o->rows_needed && o->begin && o->region_needed &&
                    o->expect && o->strip && o->steps && o->is_exact && o->largest && o->describe);
        assert_true(!o->explain == !o->explained_elements);
        for (const struct operand_row *const *row = o->operands; *row; row++)
            assert_true((*row)->option && (*row)->column && (*row)->noun && (*row)->shape &&
                        (*row)->argument && (*row)->fallback && (*row)->help);
        assert_true(!o->operands[0] == !operator_right(o));
    }
    assert_null(operator_find("no such operator"));
}

TEST(methods_are_found_by_name_and_kind)
{
    for (size_t i = 0; i < operator_count; i++) {
        const struct operator_row *o = operators[i];
        for (size_t j = 0; j < operator_method_count(o); j++) {
            const struct method *m = o->method(j);
            assert_ptr_equal(operator_method(o, m->kind, m->name), m);
            assert_int_equal(operator_rung(o, m->kind, m->name), j);
            assert_true(m->idea && m->cost);
            assert_true(m->kind != SPACE_HOST || o->is_built(m, ISA_BASELINE));
            assert_true(m->kind == SPACE_HOST || o->device != DEVICE_NONE);
        }
        assert_int_equal(o->method(0)->kind, SPACE_HOST);
        assert_true(o->method(0)->operations_per_s == SCALAR_OPERATIONS_PER_S);
        assert_non_null(operator_method(o, SPACE_HOST, o->words.example));
    }
}

static int64_t rows_in_sources;

/* Counts the lines of a file with that text: at the beginning of the line if `first`, else
 * anywhere. */
static int64_t count_lines(const char *path, const char *text, bool first)
{
    char line[512];
    int64_t count = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        const char *found = strstr(line, text);
        count += first ? found == line : found != NULL;
    }
    fclose(file);
    return count;
}

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcmp(path + length - tail, ending) == 0;
}

/* Counts the rows of a table of methods: maxpool/methods.inc, conv/gradients/data_methods.c, ... */
static int count_rows(const char *path, const struct stat *facts, int type, struct FTW *where)
{
    (void)facts;
    (void)where;
    if (type == FTW_F && ends_with(path, "methods.c"))
        rows_in_sources += count_lines(path, ".name = \"", false);
    if (type == FTW_F && ends_with(path, "methods.inc"))
        rows_in_sources += count_lines(path, "METHOD(", true);
    return 0;
}

/* No row of a table is left out, however rows are counted. Those of a GPU are last. */
TEST(every_row_of_a_table_is_a_method)
{
    int64_t methods = 0;
    for (size_t i = 0; i < operator_count; i++) {
        methods += (int64_t)operator_method_count(operators[i]);
        assert_null(operators[i]->method(operator_method_count(operators[i])));
    }
    assert_int_equal(nftw(MAXPOOL_SOURCE_DIR "/kernels", count_rows, 16, FTW_PHYS), 0);
    assert_int_equal(methods, rows_in_sources);
}

/* The options of one program select one of three operators. Each word selects one of them. All
 * three list the parameter, so that each of them selects the same one. */
TEST(choices_select_operators)
{
    static const char *const names[] = {"conv", "conv_data_gradient", "conv_weight_gradient"};
    for (size_t i = 0; i < 3; i++) {
        const struct operator_row *of = operator_find(names[i]);
        const struct parameter *choice = operator_parameter(of, "gradient");
        assert_non_null(choice);
        assert_ptr_equal(operator_variant(of, 0), of);
        for (size_t j = 0; j < 3; j++) {
            struct parameters values = {0};
            parameter_set(choice, &values, (int64_t)j);
            assert_ptr_equal(operator_selected(of, &values), operator_find(names[j]));
        }
        assert_non_null(operator_variant(of, 2));
        assert_null(operator_variant(of, 3));
    }
    const struct operator_row *plain = operator_find("matmul");
    assert_ptr_equal(operator_selected(plain, &(struct parameters){.gradient = 2}), plain);
    assert_null(operator_variant(plain, 1));
    assert_null(operator_any_operand(plain, "output-gradient"));
    assert_non_null(operator_any_operand(operator_find("conv"), "output-gradient"));
}

/* The table's field `vectors` matches what was built. */
TEST(vector_methods_are_built_for_each_instruction_set)
{
#ifdef MAXPOOL_HAVE_ISA_X86
    for (size_t i = 0; i < operator_count; i++)
        for (size_t j = 0; j < operator_method_count(operators[i]); j++) {
            const struct method *m = operators[i]->method(j);
            if (m->kind == SPACE_HOST)
                assert_int_equal(m->vectors, operators[i]->is_built(m, ISA_AVX2));
        }
#else
    skip();
#endif
}

/* Each parameter is a column of the record, and sets only its own field. */
TEST(parameters_are_columns)
{
    for (size_t i = 0; parameter_at(i); i++) {
        const struct parameter *p = parameter_at(i);
        struct parameters values = {0};
        const struct record_column *column = record_column_find(p->column);
        assert_non_null(column);
        assert_int_equal(column->column.type, p->choice ? COLUMN_TEXT : COLUMN_INT);
        parameter_set(p, &values, 7);
        for (size_t j = 0; parameter_at(j); j++)
            assert_int_equal(parameter_get(parameter_at(j), &values), i == j ? 7 : 0);
    }
}

/* An operand is found by its own column, and by no other's. */
TEST(operands_are_found_by_column)
{
    int found = 0;
    for (size_t i = 0; i < operator_count; i++) {
        for (const struct operand_row *const *row = operators[i]->operands; *row; row++, found++)
            assert_ptr_equal(operator_operand_of_column(operators[i], (*row)->column), *row);
        assert_null(operator_operand_of_column(operators[i], "no such column"));
    }
    assert_true(found > 0);
}

/* Element (1, 0) of the second plane: row (4, 5, 6) of its A times column (1, 3, 5) of its own B.
 */
TEST(every_term_of_a_product_is_explained)
{
    static const float a[] = {0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6};
    static const float b[] = {9, 9, 9, 9, 9, 9, 1, 2, 3, 4, 5, 6};
    static const double terms[] = {4, 5, 6, 1, 3, 5, 4, 15, 30, 4, 19, 49};
    double values[sizeof terms / sizeof *terms];
    const struct operation op = {
        .kind = &matmul_operator,
        .image = {2, 2, 3},
        .map = {2, 2, 2},
        .operands[OPERAND_FILTER] = {.values = (float *)b, .shape = {2, 3, 2}}};
    const struct view plane = {.data = a + 6, .row_stride = 3, .rows = 2};
    assert_int_equal(matmul_explained_elements(&op), sizeof terms / sizeof *terms);
    const struct explanation e = matmul_explain(&op, &plane, 1, 1, 0, values);
    assert_int_equal(e.rows, 3);
    assert_memory_equal(values, terms, sizeof terms);
    assert_string_equal(e.title, "Element (1, 0): row 1 of A times column 0 of B");
    assert_string_equal(e.result, "sum 49");
}

static bool is_kernel_size(const struct parameter *p, const void *context)
{
    (void)context;
    return strcmp(p->option, "kernel-size") == 0;
}

TEST(what_is_not_given_is_settled)
{
    struct parameters values = {.kernel = 5, .stride = 99, .padding = 99, .pad_mode = 1};
    operator_fill_defaults(&maxpool_operator, &values, is_kernel_size, NULL);
    assert_int_equal(values.kernel, 5);
    assert_int_equal(values.stride, 5); /* as wide as the window */
    assert_int_equal(values.padding, 0);
    assert_int_equal(values.pad_mode, PAD_ZERO);
}

/* ---- an operator that only this file knows --------------------------------------------------- */

/* The sum over all planes of an image: one output reads several planes. */

static struct refusal sum_shape(struct operation *op)
{
    op->map = (struct image_shape){1, op->image.rows, op->image.cols};
    return (struct refusal){.kind = REFUSAL_NONE};
}

static double sum_cost(const struct operation *op)
{
    return (double)op->image.planes;
}

static const struct method sum_method = {
    .name = "plain", .kind = SPACE_HOST, .idea = "plane by plane", .cost = sum_cost};

static void sum_run(const struct operation *op, const struct portion *portion, enum stage stage)
{
    const struct block *b = &portion->block;
    assert_int_equal(stage, STAGE_ALL);
    for (int64_t row = b->row; row < b->row + b->rows; row++)
        for (int64_t col = b->col; col < b->col + b->cols; col++) {
            float sum = 0.0f;
            for (int64_t plane = 0; plane < op->image.planes; plane++)
                sum += view_row(&portion->image, row)[plane * portion->image.plane_stride + col];
            map_row(&portion->map, row)[col] = sum;
        }
}

static struct region sum_begin(const struct operation *op, int64_t plane, int64_t row, int64_t col)
{
    (void)op;
    return (struct region){.plane = plane, .row = row, .col = col};
}

static struct region sum_region(const struct operation *op, int64_t plane, int64_t row, int64_t col,
                                int64_t cols, bool narrow)
{
    (void)plane;
    (void)narrow;
    return (struct region){0, op->image.planes, row, 1, col, cols};
}

static void sum_expect(const struct operation *op, const struct region *held, const float *data,
                       const struct block *outputs, struct expectation *out)
{
    (void)op;
    for (int64_t i = 0; i < outputs->cols; i++) {
        out[i] = (struct expectation){0.0, 0.0};
        for (int64_t plane = 0; plane < held->planes; plane++)
            out[i].value += data[plane * held->rows * held->cols + i];
    }
}

static int64_t sum_strip(const struct operation *op, int64_t most)
{
    return most / op->image.planes;
}

static bool sum_is_exact(const struct operation *op, bool integers, double max_abs)
{
    (void)op;
    (void)max_abs;
    return integers;
}

static double sum_largest(const struct operation *op, double max_abs)
{
    return (double)op->image.planes * max_abs;
}

static const struct operand_row *const no_operands[] = {NULL};
static const struct operator_row sum_operator = {.name = "sum",
                                                 .operands = no_operands,
                                                 .many_planes = true,
                                                 .shape = sum_shape,
                                                 .run = sum_run,
                                                 .begin = sum_begin,
                                                 .region_needed = sum_region,
                                                 .expect = sum_expect,
                                                 .strip = sum_strip,
                                                 .steps = sum_cost,
                                                 .is_exact = sum_is_exact,
                                                 .largest = sum_largest};

/* Runs it in the serial space, which does not know it. */
TEST(an_unknown_operator_runs_and_is_verified)
{
    const struct pool_case elements = {"", 5, 13, 17, 1, 1, 0, PAD_ZERO, false};
    struct operation op = {.kind = &sum_operator, .method = &sum_method, .image = {5, 13, 17}};
    float *image = case_image(&elements, 3);
    struct failure f = {0};
    struct resources resources = {0};
    struct instance *instance;
    struct phases phases;
    struct verifier *v;
    assert_int_equal(op.kind->shape(&op).kind, REFUSAL_NONE);
    struct source *source = case_source(op.image, image);
    const struct job job = {.operation = &op, .source = source, .min_cost = 1.0};
    assert_int_equal(serial_space.open(&job, &instance, &resources, &f), STATUS_OK);
    assert_int_equal(serial_space.execute(instance, &phases, &f), STATUS_OK);
    struct verify_scope scope = {.partitions = &resources.partition, .partition_count = 1};
    const float *map = serial_space.map(instance, &scope.first, &scope.count);
    assert_int_equal(scope.count, 13 * 17);
    for (int64_t i = 0; i < scope.count; i++) {
        float sum = 0.0f;
        for (int64_t plane = 0; plane < 5; plane++)
            sum += image[plane * 13 * 17 + i];
        assert_true(map[i] == sum);
    }
    float changed[13 * 17];
    memcpy(changed, map, sizeof changed);
    changed[100] += 1.0f;
    assert_int_equal(verifier_make(&v, &op, source, &resources.facts, &scope, VERIFY_FULL, 1, &f),
                     STATUS_OK);
    assert_string_equal(verifier_verdict(v), "exact");
    assert_int_equal(verifier_check(v, map, &f), STATUS_OK);
    assert_int_equal(verifier_check(v, changed, &f), STATUS_WRONG);
    verifier_free(v);
    serial_space.close(instance);
    source_close(source);
    free(image);
}

/* ---- who compares ---------------------------------------------------------------------------- */

/* True if text[at ..] is `word`, and not a part of a longer name. */
static bool is_word_at(const char *text, size_t at, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(text + at, word, length) != 0)
        return false;
    const bool before = at > 0 && (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_');
    const char after = text[at + length];
    return !before && !isalnum((unsigned char)after) && after != '_';
}

/* Subjects that stand for an operator: NAME_row. */
static const char *const subjects[] = {"network", "faces"};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* Returns the i-th name of an operator, of a subject, of a space or of a phase, or NULL. */
static const char *name_at(size_t i)
{
    if (i < operator_count)
        return operators[i]->name;
    i -= operator_count;
    if (i < SUBJECTS)
        return subjects[i];
    i -= SUBJECTS;
    if (i < space_count)
        return spaces[i].name;
    i -= space_count;
    return i < SAMPLE_PHASES ? phase_rows[i].column : NULL;
}

/* Returns the end of the parentheses that open at `open`. */
static size_t end_of_call(const char *text, size_t open)
{
    int depth = 0;
    size_t end = open;
    do {
        depth += (text[end] == '(') - (text[end] == ')');
        end++;
    } while (depth > 0 && text[end]);
    return end;
}

static bool call_has(const char *text, size_t open, const char *what)
{
    const char *found = strstr(text + open, what);
    return found && found < text + end_of_call(text, open);
}

/* True for strcmp(x, "maxpool"), phase_find("total_s") and similar calls: a name is within the
 * parentheses that open at `open`. A column may have the name of an operator. */
static bool call_names(const char *text, size_t open)
{
    for (size_t i = 0; name_at(i); i++) {
        char quoted[64];
        snprintf(quoted, sizeof quoted, "\"%s\"", name_at(i));
        if (call_has(text, open, quoted))
            return !call_has(text, open, "column->");
    }
    return false;
}

static bool is_comparison(const char *two)
{
    return (two[0] == '=' || two[0] == '!') && two[1] == '=';
}

/* True if the name at `at` is compared, on either side of it: == &maxpool_operator. */
static bool compares_row(const char *text, size_t at, size_t length)
{
    size_t before = at, after = at + length;
    while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '&'))
        before--;
    while (text[after] == ' ')
        after++;
    return (before > 1 && is_comparison(text + before - 2)) || is_comparison(text + after);
}

/* True if the row of an operator, or of a subject, is compared here. */
static bool is_row_compared(const char *text, size_t at)
{
    for (size_t i = 0; i < operator_count + SUBJECTS; i++) {
        char row[64];
        if (strncmp(text + at, name_at(i), strlen(name_at(i))) != 0)
            continue;
        snprintf(row, sizeof row, i < operator_count ? "%s_operator" : "%s_row", name_at(i));
        if (is_word_at(text, at, row) && compares_row(text, at, strlen(row)))
            return true;
    }
    return false;
}

/* True if a constant of an enum is compared here: DEVICE_POOL begins with "DEVICE_". */
static bool is_constant_compared(const char *text, size_t at, const char *beginning)
{
    size_t end = at;
    if (strncmp(text + at, beginning, strlen(beginning)) != 0 ||
        (at > 0 && (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_')))
        return false;
    while (isupper((unsigned char)text[end]) || text[end] == '_')
        end++;
    return compares_row(text, at, end - at) || (at > 4 && strncmp(text + at - 5, "case ", 5) == 0);
}

/* True for OPERATOR_MAXPOOL: numbers that stand for operators, even if nothing is compared. */
static bool is_number_of_an_operator(const char *text, size_t at)
{
    static const char begin[] = "OPERATOR_";
    const bool begins = strncmp(text + at, begin, strlen(begin)) == 0;
    for (size_t i = 0; begins && i < operator_count; i++) {
        char word[64];
        snprintf(word, sizeof word, "%s%s", begin, operators[i]->name);
        for (char *c = word; *c; c++)
            *c = (char)toupper((unsigned char)*c);
        if (is_word_at(text, at, word))
            return true;
    }
    return false;
}

/* True if a comparison of an operator, a space or a phase begins here. */
static bool is_offence(const char *text, size_t at)
{
    static const char *const calls[] = {"cmp(", "phase_find("};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strncmp(text + at, calls[i], strlen(calls[i])) == 0 &&
            call_names(text, at + strlen(calls[i]) - 1))
            return true;
    return is_row_compared(text, at) || is_number_of_an_operator(text, at) ||
           is_constant_compared(text, at, "SAMPLE_");
}

/* True if what a GPU does for an operator is compared here, which is the operator in disguise. */
static bool is_disguised(const char *text, size_t at)
{
    return is_constant_compared(text, at, "DEVICE_");
}

/* Returns the line of the first such place, counted from 1, or 0 if there is none. */
static int first_line(const char *text, bool (*is_so)(const char *text, size_t at))
{
    int line = 1;
    for (size_t at = 0; text[at]; at++) {
        if (is_so(text, at))
            return line;
        line += text[at] == '\n';
    }
    return 0;
}

/* True for a member that is an operand's number, not its name: op->second. */
static bool is_ordinal(const char *text, size_t at)
{
    static const char *const ordinals[] = {"second", "third", "fourth", "fifth", "sixth"};
    const bool member =
        at > 0 && (text[at - 1] == '.' || (at > 1 && text[at - 2] == '-' && text[at - 1] == '>'));
    for (size_t i = 0; member && i < sizeof ordinals / sizeof *ordinals; i++)
        if (is_word_at(text, at, ordinals[i]))
            return true;
    return false;
}

TEST(planted_ordinals_are_seen)
{
    assert_int_equal(first_line("\n\nif (op->fifth.values)", is_ordinal), 3);
    assert_int_equal(first_line("\nstruct operation op = {.second = {.values = b}};", is_ordinal),
                     2);
    assert_int_equal(
        first_line("double second = op->seconds + a.second_s; /* its third. */", is_ordinal), 0);
}

TEST(planted_comparisons_are_seen)
{
    static const char *const bad[] = {
        "\n\nif (strcmp(r->operator_name, \"maxpool\") == 0)",
        "\n\nreturn strcmp(\"cuda\", space) != 0;",
        "\n\nreturn strncmp(name(x, 3),\n    \"mpi\", 3);",
        "\n\nif (op->kind == &matmul_operator)",
        "\n\nif (&maxpool_operator != op->kind)",
        "\n\nswitch (kind) { case OPERATOR_COPY: break; }",
        "\n\nreturn o == &faces_row ? pictures : images;",
        "\n\nif (&network_row != o)",
        "\n\nif (strcmp(r->operator_name, \"faces\") == 0)",
        "\n\nif (strcmp(row->word, \"total_s\") == 0)",
        "\n\nmeasurement_phase(m, phase_find(\"compute_s\"))",
        "\n\nif (phase != SAMPLE_TOTAL)",
        "\n\nif (SAMPLE_TOTAL == phase)",
        "\n\nreturn o->device == DEVICE_POOL;",
        "\n\nswitch (task) { case DEVICE_CONV: break; }",
    };
    static const char *const good[] = {
        "strcmp(r->method, \"literal\") == 0",
        "strcmp(program, \"maxpool_pytorch\")",
        "strcmp(a, b) == 0; call(\"maxpool\")",
        "const struct operator_row *o = &maxpool_operator;",
        "if (mymaxpool_operator == 3)",
        "add_text(to, \"mpi\", text)",
        "strcmp(column->name, \"network\") == 0",
        ".device = DEVICE_POOL, .row = faces_row",
        "measurement_phase(m, SAMPLE_TOTAL) == 0",
        "ON_DEVICE_TOO != 3",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (first_line(bad[i], is_offence) != 3 && first_line(bad[i], is_disguised) != 3)
            fail_msg("not seen: %s", bad[i]);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (first_line(good[i], is_offence) != 0 || first_line(good[i], is_disguised) != 0)
            fail_msg("seen: %s", good[i]);
}

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t length = 0, room = 1 << 20;
    char *text = malloc(room);
    assert_non_null(file);
    assert_non_null(text);
    length = fread(text, 1, room - 1, file);
    assert_true(length < room - 1);
    fclose(file);
    text[length] = '\0';
    return text;
}

static bool is_source(const char *path)
{
    static const char *const endings[] = {".c", ".h", ".cu", ".cuh"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

/* True below kernels/maxpool and its siblings, where everything is about that operator. */
static bool is_in_an_operators_folder(const char *path)
{
    for (size_t i = 0; i < operator_count; i++) {
        char folder[64];
        snprintf(folder, sizeof folder, "/kernels/%s/", operators[i]->name);
        if (strstr(path, folder))
            return true;
    }
    return false;
}

/* True for the GPU's own room, which finds its kernels by the task that a row names. */
static bool is_on_device(const char *path)
{
    return strstr(path, "/cuda/") != NULL;
}

/* True for rooms that compute and measure. In other rooms such a member is not an operand but a
 * second of time. */
static bool is_of_operands(const char *path)
{
    return !strstr(path, "/experiments/") && !strstr(path, "/classroom/") &&
           !strstr(path, "/theses/") && !strstr(path, "/networks/data/");
}

/* True if it asks for a choice that selects operators. The operator is selected already, so its row
 * should be asked. */
static bool is_mode(const char *text, size_t at)
{
    return at > 0 && (text[at - 1] == '.' || text[at - 1] == '>') &&
           is_word_at(text, at, "parameters.gradient");
}

TEST(planted_modes_are_seen)
{
    assert_int_equal(first_line("\n\nif (op->parameters.gradient != 0)", is_mode), 3);
    assert_int_equal(first_line("\ns->op.parameters.gradient = 1;", is_mode), 2);
    assert_int_equal(first_line("p->gradient_parts; op->parameters.gradients", is_mode), 0);
}

static int sources_seen, offences;

static void describe_offence(const char *path, int line, const char *what)
{
    if (line > 0) {
        print_error("%s:%d: %s\n", path, line, what);
        offences++;
    }
}

static int look_into(const char *path, const struct stat *facts, int type, struct FTW *where)
{
    (void)facts;
    (void)where;
    if (type != FTW_F || !is_source(path))
        return 0;
    char *text = read_whole(path);
    sources_seen++;
    if (!is_in_an_operators_folder(path))
        describe_offence(path, first_line(text, is_offence),
                         "compares an operator, a space or a phase: ask its row");
    if (!is_on_device(path))
        describe_offence(path, first_line(text, is_disguised),
                         "compares what a GPU does: ask the operator's row");
    if (is_of_operands(path))
        describe_offence(path, first_line(text, is_ordinal),
                         "numbers an operand: operands have names");
    describe_offence(path, first_line(text, is_mode),
                     "asks for a mode: ask the operator that it selects");
    free(text);
    return 0;
}

TEST(no_source_compares_operators_or_numbers_operands)
{
    static const char *const folders[] = {
        "kernels",     "harness", "serial",   "openmp",  "mpi",       "cuda",  "peers",
        "experiments", "simgrid", "networks", "library", "classroom", "theses"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", MAXPOOL_SOURCE_DIR, folders[i]);
        assert_int_equal(nftw(path, look_into, 16, FTW_PHYS), 0);
    }
    assert_true(sources_seen > 200);
    assert_int_equal(offences, 0);
}
