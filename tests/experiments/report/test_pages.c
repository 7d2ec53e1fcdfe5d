/* The pages of a report on made-up samples: what is collected in one place, what is left out, what
 * is in Spanish, what LaTeX can read, and several machines in comparison. */
#include "experiments/common/results.h"
#include "experiments/report/page/terms.h"
#include "experiments/samples/journal.h"
#include "harness/base/text/wording.h"
#include "tests/experiments/support/made_results.h"
#include "tests/experiments/support/maker.h"
#include "tests/experiments/support/spanish.h"
#include "tests/support/expect_part.h"
#include "tests/support/run_program.h"
#include "tests/support/unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9, SAMPLES = 6 };

/* ---- made-up studies ------------------------------------------------------------------------- */

/* Writes the samples of a point; if it has two modes, every third round is slow and takes twice as
 * long. */
static void write_point(struct maker *m, struct record r, double seconds, bool two_modes)
{
    static int runs;
    struct failure f = {0};
    for (int round = 0; round < ROUNDS; round++, runs++)
        for (int sample = 0; sample < SAMPLES; sample++) {
            snprintf(r.experiment, sizeof r.experiment, "%s", m->experiment);
            snprintf(r.run_id, sizeof r.run_id, "run-%d", runs);
            snprintf(r.stop_reason, sizeof r.stop_reason, "%s",
                     sample + 1 < SAMPLES ? "" : "samples");
            r.round = round;
            r.sample = sample;
            r.warmup = 0;
            r.total_s = r.compute_s = seconds * (two_modes && round % 3 == 0 ? 2.0 : 1.0) *
                                      (1.0 + 0.002 * ((round + sample) % 5));
            assert_int_equal(record_append(m->writer, &r, &f), STATUS_OK);
        }
}

/* Three methods, `factor` times as slow as usual; two of them have two modes. */
static void make_study(const char *name, double factor)
{
    char place[200];
    snprintf(place, sizeof place, "%s/%s", folder, name);
    assert_int_equal(run("mkdir -p %s", place), 0);
    struct maker m = {.folder = place};
    maker_begin(&m, "methods");
    write_point(&m, maker_blank("serial", "literal"), 1e-2 * factor, true);
    write_point(&m, maker_blank("serial", "fused"), 2e-3 * factor, true);
    write_point(&m, maker_blank("serial", "simd"), 1e-3 * factor, false);
    maker_end(&m);
    maker_begin(&m, "cuda_growth"); /* a separate point: shared ones have the launches of both */
    write_point(&m, maker_blank("serial", "staged"), 1e-2 * factor, false);
    maker_end(&m);
}

/* simd is the fastest and has two modes; the others have them too if `all`. `fused`: it was
 * measured; literal is otherwise the only other method. */
static void make_doubted(const char *name, bool all, bool fused)
{
    char place[200];
    snprintf(place, sizeof place, "%s/%s", folder, name);
    assert_int_equal(run("mkdir -p %s", place), 0);
    struct maker m = {.folder = place};
    maker_begin(&m, "methods");
    write_point(&m, maker_blank("serial", "literal"), 1e-2, all);
    if (fused)
        write_point(&m, maker_blank("serial", "fused"), 3e-3, all);
    write_point(&m, maker_blank("serial", "simd"), 1e-3, true);
    maker_end(&m);
}

/* Points that a plan left out: one reason with several numbers, and another one. */
static void make_journal(const char *name)
{
    static const char *const reasons[] = {"4 workers on 2 cores, more than 1 on each",
                                          "16 workers on 2 cores, more than 1 on each",
                                          "64 workers on 2 cores, more than 1 on each",
                                          "smpirun is not installed (Debian: libsimgrid-dev)"};
    char place[200];
    snprintf(place, sizeof place, "%s/%s", folder, name);
    FILE *stream = fopen(results_own_journal(place, "methods").text, "wb");
    assert_non_null(stream);
    table_print_header(journal_schema(), stream);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        struct journal_row row = journal_blank();
        row.point = maker_blank("omp", "fused");
        row.point.threads = 4;
        strcpy(row.status, "skipped");
        snprintf(row.reason, sizeof row.reason, "%s", reasons[i]);
        table_print(journal_schema(), stream, &row);
    }
    assert_int_equal(fclose(stream), 0);
}

static void make_environment(const char *name, const char *cpu)
{
    assert_int_equal(run("printf '{\"machine\": {\"cpu\": \"%s\"}}' > %s/%s/environment.json", cpu,
                         folder, name),
                     0);
}

static int make_studies(NO_STATE)
{
    if (!mkdtemp(folder))
        return -1;
    make_study("a", 1.0);
    make_study("b", 2.0);
    make_journal("a");
    make_environment("a", "Abacus 9");
    return 0;
}

/* Makes the report of study `a` and returns the text of `file`, or of all "pages"; the caller frees
 * it. */
static char *report(const char *language, const char *file)
{
    assert_int_equal(
        run("cd %s && %s/bin/study report --charts none --lang %s --results a > out 2> "
            "err",
            folder, MAXPOOL_BINARY_DIR, language),
        0);
    return strcmp(file, "pages") == 0 ? read_pages("a") : read_file(file);
}

/* ---- the first screen ------------------------------------------------------------------------ */

/* The governor and the frequencies that it may choose from, as far as environment.json reports
 * them. */
static void the_governor_is_reported(NO_STATE)
{
    static const struct {
        const char *conditions, *english, *spanish;
    } cases[] = {{"\"governor\": \"powersave\", \"frequency_least_mhz\": 800, "
                  "\"frequency_most_mhz\": 3700",
                  "Abacus 9, governor powersave from 800 to 3700 MHz. Measured until",
                  "Abacus 9, gobernador powersave de 800 a 3700 MHz. "},
                 {"\"governor\": \"powersave\", \"frequency_least_mhz\": null",
                  "Abacus 9, governor powersave. Measured until",
                  "Abacus 9, gobernador powersave. "},
                 {"\"governor\": null, \"frequency_most_mhz\": 3700", "Abacus 9. Measured until",
                  "Abacus 9. "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(
            run("printf '{\"machine\": {\"cpu\": \"Abacus 9\"}, \"conditions\": {%s}}' > "
                "%s/a/environment.json",
                cases[i].conditions, folder),
            0);
        char *page = report("en", "a/report.md");
        expect_part(page, cases[i].english);
        free(page);
        page = report("es", "a/report.md");
        expect_part(page, cases[i].spanish);
        free(page);
    }
    make_environment("a", "Abacus 9");
}

/* Committed samples that have a speedup, times, growth and limits. */
static void unpack_committed(const char *name)
{
    assert_int_equal(
        run("mkdir %s/%s && cd %s/results/reference/amd-epyc-zen4-2-cores && for i in speedup "
            "serial_growth roofline ceilings; do gzip -dc $i.csv.gz > %s/%s/$i.csv || exit 1; done "
            "&& cp environment.json %s/%s",
            folder, name, MAXPOOL_SOURCE_DIR, folder, name, folder, name),
        0);
}

/* The page starts with the speedup, the best times, growth and the share of the limit, and then
 * states how far they can be trusted. */
static void the_first_screen_has_its_order(NO_STATE)
{
    static const struct {
        const char *language, *parts[7];
    } pages[] = {
        {"en",
         {" times as fast as with one worker of the same program", "; the baseline\n",
          "as fast as the baseline", "\n- Growth: ", "\n- Limits of the machine: ", " PRECISE, ",
          "| Amdahl's bound |"}},
        {"es",
         {"veces la velocidad de un trabajador del mismo programa", "; la base\n",
          "la velocidad de la base",
          "\n- Crecimiento: ", "\n- Límites de la máquina: ", " PRECISO, ", "| cota de Amdahl |"}}};
    need_program("gzip");
    unpack_committed("ordered");
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(run("cd %s && %s/bin/study report --charts none --lang %s --results "
                             "ordered > out 2> err",
                             folder, MAXPOOL_BINARY_DIR, pages[i].language),
                         0);
        char *page = read_file("ordered/report.md");
        const char *section = strstr(page, "\n## "), *before = page;
        assert_non_null(section);
        for (size_t j = 0; j < sizeof pages[i].parts / sizeof *pages[i].parts; j++) {
            const char *at = strstr(page, pages[i].parts[j]);
            if (!at || at < before || at > section)
                fail_msg("%s: '%s' is not in its place", pages[i].language, pages[i].parts[j]);
            before = at;
        }
        free(page);
    }
}

/* ---- what is collected, what is left out ----------------------------------------------------- */

static void causes_are_reported_once_each(NO_STATE)
{
    char *page = report("en", "pages");
    expect_part(page, "are doubtful: times in two modes (2 points).");
    assert_int_equal(count_of(page, "<li>SUSPECT"), 1);
    expect_part(page,
                "<li>SUSPECT: times in two modes, 2 points (end programs that start and stop");
    expect_part(page, "The worst is maxpool_serial ");
    free(page);
    page = report("es", "pages");
    expect_part(page, "tiempos en dos modos (2 puntos).");
    expect_part(page, "SOSPECHOSO: tiempos en dos modos, 2 puntos (");
    free(page);
}

static void a_section_without_an_answer_is_among_what_was_not_measured(NO_STATE)
{
    char *page = report("en", "pages");
    const char *end = strstr(page, "<section id=\"missing\"");
    assert_non_null(end);
    assert_null(strstr(page, "href=\"#gpu\""));
    assert_null(strstr(page, "<section id=\"gpu\""));
    expect_part(page, "href=\"#ideas\"");
    expect_part(end, "GPU: no GPU was measured.");
    expect_part(end, "CUDA kernels against n"); /* its points are still listed, folded */
    free(page);
}

static void what_differs_in_numbers_alone_is_one_line(NO_STATE)
{
    char *page = report("en", "a/report.md");
    assert_int_equal(count_of(page, "workers on 2 cores"), 1);
    expect_part(page, "4 workers on 2 cores, more than 1 on each (and similar reasons)");
    expect_part(page, "| 3 | skipped |");
    expect_part(page, "| 1 | skipped | smpirun is not installed");
    free(page);
}

/* ---- Spanish --------------------------------------------------------------------------------- */

static void reasons_are_in_the_language_of_the_page(NO_STATE)
{
    char *page = report("es", "a/report.md");
    expect_part(
        page,
        "| 3 | omitido | 4 trabajadores en 2 núcleos, más de 1 en cada uno (y razones parecidas)");
    expect_part(page, "smpirun no está instalado (Debian: libsimgrid-dev)");
    assert_null(strstr(page, "skipped"));
    assert_null(strstr(page, "workers"));
    free(page);
}

static void what_is_named_stays_as_it_is(NO_STATE)
{
    static const struct {
        const char *english, *spanish;
    } cases[] = {
        {"a/b.csv: cannot be read: it is packed and cut off",
         "a/b.csv: no se puede leer: está comprimido y truncado"},
        {"x: cannot be read: Is a directory", "x: no se puede leer: Es un directorio"},
        {"x: cannot be read:", "x: cannot be read:"},
        {"maxpool_cuda cannot run here: maxpool_cuda: built without CUDA: build where nvcc is",
         "maxpool_cuda no puede correr aquí: maxpool_cuda: compilado sin CUDA: compile donde haya "
         "nvcc"},
        {"exit status 3", "estado de salida 3"},
        {"something that nobody put into the table", "something that nobody put into the table"},
        {"", ""},
    };
    char text[300];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wording_translate(spanish(), "reason", cases[i].english, text, sizeof text);
        assert_string_equal(text, cases[i].spanish);
        wording_translate(&language_english, "reason", cases[i].english, text, sizeof text);
        assert_string_equal(text, cases[i].english);
    }
    wording_translate(spanish(), "reason", "4 workers on 2 cores, more than 1 on each", text, 12);
    assert_string_equal(text, "4 trabajado");
}

/* ---- the glossary ---------------------------------------------------------------------------- */

/* Each word has an entry on the page, and docs/glossary.md has a row with the same text. */
static void words_of_the_page_are_explained(NO_STATE)
{
    char *page = report("en", "pages");
    assert_int_equal(run("cp %s/docs/glossary.md %s/glossary.md", MAXPOOL_SOURCE_DIR, folder), 0);
    char *docs = read_file("glossary.md");
    for (size_t i = 0; i < term_count; i++) {
        char text[400];
        snprintf(text, sizeof text, "<dt id=\"term-%s\">%s</dt>", terms[i].key, terms[i].term);
        expect_part(page, text);
        snprintf(text, sizeof text, "\n| %s | %s |\n", terms[i].term, terms[i].meaning);
        expect_part(docs, text);
    }
    free(page);
    free(docs);
}

/* Links mark whole words, including plurals, the first of each in a paragraph, and no part of a
 * word. */
static void words_lead_to_the_glossary(NO_STATE)
{
    size_t length;
    const char *text = "two intervals, background";
    assert_string_equal(term_at(text, text + 4, &language_english, &length)->key, "interval");
    assert_int_equal(length, strlen("intervals"));
    assert_null(term_at(text, strstr(text, "round"), &language_english, &length));
    assert_string_equal(term_at("rounds", "rounds", &language_english, &length)->key, "round");
    text = "Amdahl's bound";
    assert_string_equal(term_at(text, text, &language_english, &length)->key, "bound");
    char *page = report("en", "pages");
    expect_part(page, "<a class=\"term\" href=\"report-method.html#term-suspect\">SUSPECT</a>");
    for (const char *at = page; (at = strstr(at, "#term-")) != NULL;) {
        char place[80];
        at += strlen("#");
        snprintf(place, sizeof place, "<dt id=\"%.*s\">", (int)strcspn(at, "\""), at);
        expect_part(page, place);
    }
    free(page);
    page = report("es", "pages");
    expect_part(page, "<dt id=\"term-round\">ronda</dt>");
    expect_part(page, "#term-point\">puntos</a>");
    free(page);
}

/* ---- LaTeX ----------------------------------------------------------------------------------- */

/* Every environment ends, every brace is closed, and no character is left that TeX would
 * interpret. */
static void latex_is_whole(NO_STATE)
{
    static const char *const environments[] = {"longtable", "table", "tabular", "itemize",
                                               "figure"};
    const char *const languages[] = {"en", "es"};
    for (size_t i = 0; i < 2; i++) {
        char *page = report(languages[i], "a/report.tex");
        int depth = 0;
        for (size_t j = 0; j < sizeof environments / sizeof *environments; j++) {
            char begin[40], end[40];
            snprintf(begin, sizeof begin, "\\begin{%s}", environments[j]);
            snprintf(end, sizeof end, "\\end{%s}", environments[j]);
            assert_int_equal(count_of(page, begin), count_of(page, end));
        }
        for (const char *at = page; *at && depth >= 0; at++) {
            const bool escaped = at > page && at[-1] == '\\';
            depth += !escaped && *at == '{' ? 1 : !escaped && *at == '}' ? -1 : 0;
            if (strchr("_#", *at) && !escaped)
                fail_msg("'%.20s' is not escaped", at);
        }
        assert_int_equal(depth, 0);
        assert_true(count_of(page, "\\begin{tabular}") > 0);
        assert_int_equal(count_of(page, "\\resizebox"), count_of(page, "\\begin{tabular}"));
        assert_int_equal(count_of(page, "\\usepackage[spanish,es-tabla,es-noshorthands]{babel}"),
                         i);
        free(page);
    }
}

/* ---- what is SUSPECT ------------------------------------------------------------------------- */

static void what_is_suspect_is_never_the_best(NO_STATE)
{
    make_doubted("doubted", false, true);
    make_doubted("doubtful", true, true);
    assert_int_equal(
        run("cd %s && %s/bin/study report --charts none --results doubted > out 2> err", folder,
            MAXPOOL_BINARY_DIR),
        0);
    char *page = read_file("doubted/report.md");
    expect_part(page, "with one worker fused takes 3.0");
    expect_part(page, "; simd with 1 worker (");
    expect_part(page, " is left out: SUSPECT, times in two modes");
    expect_part(page, "**3.01 ms** fused, 1 worker"); /* the first screen */
    expect_part(page, "| left out: SUSPECT |");
    assert_int_equal(count_of(page, "| **the best** |"), 1);
    const char *best = strstr(page, "| **the best** |");
    while (best > page && best[-1] != '\n')
        best--;
    assert_non_null(strstr(best, "fused"));
    assert_true(strstr(best, "fused") < strchr(best, '\n'));
    free(page);
    assert_int_equal(run("cd %s && %s/bin/study report --charts none --lang es --results doubted > "
                         "out 2> err",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
    page = read_file("doubted/report.md");
    expect_part(page, " queda fuera: SOSPECHOSO, tiempos en dos modos");
    free(page);
    assert_int_equal(run("cd %s && %s/bin/study report --charts none --results doubtful > out 2> "
                         "err",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
    page = read_file("doubtful/report.md");
    expect_part(page, "(SUSPECT)");
    assert_null(strstr(page, "the best"));
    free(page);
}

/* Three points of two threads on two cores; beside all launches of the first `loaded` ones, others
 * kept 0.97 cores busy. */
static void make_loaded(const char *name, int loaded)
{
    char place[200];
    snprintf(place, sizeof place, "%s/%s", folder, name);
    assert_int_equal(run("mkdir -p %s && printf '{\"machine\": {\"allowed_cores\": 2}}' > "
                         "%s/environment.json",
                         place, place),
                     0);
    struct maker m = {.folder = place};
    maker_begin(&m, "methods");
    for (int i = 0; i < 3; i++) {
        struct record r = maker_blank("omp", "fused");
        r.threads = 2;
        r.rows = r.cols = 1024 + 1024 * i;
        r.launch_others_cores = i < loaded ? 0.97 : 0.0;
        write_point(&m, r, 1e-3 * (i + 1), false);
    }
    maker_end(&m);
}

/* With its command, on the page and at the end of the output; the lists of the experiments refer to
 * it. Less than half of the points make no such sentence. */
static void a_cause_of_most_points_stands_once_at_the_top(NO_STATE)
{
    static const char start[] = "2 of 3 points are SUSPECT for one cause: other programs beside "
                                "the launches. The worst is maxpool_omp fused ";
    static const char seen[] = "while 9 of 9 launches ran, other programs kept 0.97 of 2 cores "
                               "busy. What to do: end the other programs, then: study run --again "
                               "suspect --results loaded";
    make_loaded("loaded", 2);
    make_loaded("nearly", 1);
    assert_int_equal(run("cd %s && for r in loaded nearly; do %s/bin/study report --charts none "
                         "--results $r > $r.out 2> err || exit 1; done",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
    char *page = read_pages("loaded"), *text = read_file("loaded/report.md"),
         *end = read_file("loaded.out");
    assert_int_equal(count_of(page, "other programs kept 0.97 of 2"), 1);
    expect_part(page, ", 2 of the points: see the top of the page");
    expect_part(page, "What to do about it");
    expect_part(text, "launches. The worst is maxpool\\_omp fused ");
    expect_part(text, seen);
    assert_true(strstr(text, seen) < strstr(text, "\n## "));
    assert_null(strstr(text, "Why some points are doubtful"));
    expect_part(end, start);
    expect_part(end, seen);
    free(page);
    free(text);
    free(end);
    page = read_file("nearly/report.md");
    end = read_file("nearly.out");
    assert_null(strstr(page, "for one cause"));
    assert_null(strstr(end, "for one cause"));
    expect_part(page, "Why some points are doubtful: other programs beside the launches (1 point)");
    free(page);
    free(end);
}

static void the_only_trusted_method_is_not_called_the_fastest(NO_STATE)
{
    make_doubted("one_trusted", false, false);
    assert_int_equal(
        run("cd %s && %s/bin/study report --charts none --results one_trusted > out 2> err", folder,
            MAXPOOL_BINARY_DIR),
        0);
    char *page = read_file("one_trusted/report.md");
    expect_part(page,
                "with one worker literal takes 10.0 ms; simd with 1 worker (1.00 ms) is left out");
    expect_part(page, "Faster methods were measured too, but their times are doubtful.");
    assert_null(strstr(page, "needs the least time of all methods"));
    free(page);
}

/* ---- several machines ------------------------------------------------------------------------ */

static void several_machines_find_the_faster_one(NO_STATE)
{
    assert_int_equal(run("cd %s && %s/bin/study report --results a --results b --label 'the desk' "
                         "--label lap > out 2> err",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
    char *page = read_file("a/machines.html");
    expect_part(page, "the desk: Abacus 9. Measured until");
    expect_part(page, "the desk is 2");
    expect_part(page, " times as fast as lap (simd, n = 1024, k = 2, 1 ");
    free(page);
    assert_int_equal(run("cd %s && %s/bin/study report --results a --results a --label x --label y "
                         "--lang es > out 2> err",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
    page = read_file("a/machines.html");
    expect_part(page, "x y y: no se ve diferencia (simd");
    expect_part(page, "sin diferencia visible");
    free(page);
}

static void a_folder_of_machines_is_a_page_of_them(NO_STATE)
{
    assert_int_equal(run("cd %s && mkdir class && cp -r a class/ana && cp -r b class/ben && mkdir "
                         "class/notes && %s/bin/study report --results class > out 2> err",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
    char *page = read_file("class/machines.html");
    expect_part(page, "ana: Abacus 9. Measured until");
    expect_part(page, "ana is 2");
    expect_part(page, " times as fast as ben (simd");
    assert_null(strstr(page, "notes"));
    free(page);
    assert_int_equal(run("cd %s && %s/bin/study report --results class/notes > out 2> err", folder,
                         MAXPOOL_BINARY_DIR),
                     STATUS_USAGE);
    assert_int_equal(run("grep -q 'holds no samples' %s/err", folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_governor_is_reported),
        cmocka_unit_test(the_first_screen_has_its_order),
        cmocka_unit_test(causes_are_reported_once_each),
        cmocka_unit_test(a_section_without_an_answer_is_among_what_was_not_measured),
        cmocka_unit_test(what_differs_in_numbers_alone_is_one_line),
        cmocka_unit_test(reasons_are_in_the_language_of_the_page),
        cmocka_unit_test(what_is_named_stays_as_it_is),
        cmocka_unit_test(words_of_the_page_are_explained),
        cmocka_unit_test(words_lead_to_the_glossary),
        cmocka_unit_test(latex_is_whole),
        cmocka_unit_test(what_is_suspect_is_never_the_best),
        cmocka_unit_test(a_cause_of_most_points_stands_once_at_the_top),
        cmocka_unit_test(the_only_trusted_method_is_not_called_the_fastest),
        cmocka_unit_test(several_machines_find_the_faster_one),
        cmocka_unit_test(a_folder_of_machines_is_a_page_of_them),
    };
    return cmocka_run_group_tests(tests, make_studies, remove_folder);
}
