/* Catalogues, plural rules, values in their places, and sentences that were composed in English. */
#include "experiments/report/page/terms.h"
#include "harness/base/text/catalogue.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/plural.h"
#include "harness/base/text/wording.h"
#include "tests/experiments/support/spanish.h"
#include "tests/support/unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TEST(plural_rules_are_read)
{
    static const char polish[] = "Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 "
                                 "&& (n%100<10 || n%100>=20) ? 1 : 2);\n";
    static const char japanese[] = "nplurals=1; plural=0;";
    static const struct {
        const char *header;
        unsigned long count;
        size_t form;
    } cases[] = {{NULL, 1, 0},
                 {NULL, 2, 1},
                 {NULL, 0, 1},
                 {polish, 1, 0},
                 {polish, 2, 1},
                 {polish, 12, 2},
                 {polish, 22, 1},
                 {polish, 5, 2},
                 {japanese, 5, 0},
                 {"nplurals=2; plural=n>1;", 0, 0},
                 {"nplurals=2; plural=n>1;", 2, 1},
                 {"nplurals=2; plural=!(n==1);", 3, 1},
                 {"nplurals=2; plural=n/0;", 3, 0},
                 {"nplurals=2; plural=7;", 3, 0},
                 {"nplurals=2; plural=(n;", 3, 0},
                 {"nplurals=9; plural=2+n*3-1;", 2, 7},
                 {"", 3, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(plural_form(cases[i].header, cases[i].count), cases[i].form);
}

TEST(values_stand_in_their_places)
{
    char text[64], brief[8];
    const size_t length = message_fill(text, sizeof text, "100 % of %{a}, %{b}%{a}, %{c} %{",
                                       WITH({"a", "x"}, {"b", "yy"}, {"unused", "z"}));
    assert_string_equal(text, "100 % of x, yyx, %{c} %{");
    assert_int_equal(length, strlen(text));
    assert_int_equal(message_fill(brief, sizeof brief, "%{a}%{a}", WITH({"a", "12345"})), 7);
    assert_string_equal(brief, "1234...");
    message_fill(text, sizeof text, "%{a}", NULL);
    assert_string_equal(text, "%{a}");
}

TEST(languages_are_values)
{
    const struct language *l = spanish(), *again;
    struct failure f = {0};
    assert_int_equal(language_find(&again, "es", &f), STATUS_OK);
    assert_ptr_equal(l, again);
    assert_string_equal(message(l, "Workers"), "Trabajadores");
    assert_string_equal(message(&language_english, "Workers"), "Workers");
    assert_string_equal(message(l, "no catalogue has this"), "no catalogue has this");
    assert_string_equal(message_in(l, "row", "left out"), "fuera");
    assert_string_equal(message_in(l, "number", "."), ",");
    static const char one[] = "Not drawn: one chart; the page gives the reason",
                      many[] = "Not drawn: %{charts} charts; the page gives each reason";
    assert_string_equal(message_plural(l, one, many, 1),
                        "No dibujada: una gráfica; la página da la razón");
    assert_string_equal(message_plural(l, one, many, 0),
                        "No dibujadas: %{charts} gráficas; la página da la razón de cada una");
    assert_string_equal(message_plural(&language_english, "one", "many", 2), "many");
    assert_int_equal(language_find(&again, "xx", &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "en or es"));
}

TEST(finished_sentences_are_found)
{
    char text[200];
    const struct language *l = spanish();
    wording_translate(l, "definition", "Speedup of conv, n = 64", text, sizeof text);
    assert_string_equal(text, "Aceleración de conv, n = 64");
    wording_translate(l, "reason", "x.csv: is a directory, not a regular file", text, sizeof text);
    assert_string_equal(text, "x.csv: es un directorio, no un archivo regular");
    wording_translate(l, "reason", "x.safetensors: tensor a overlaps another", text, sizeof text);
    assert_string_equal(text, "x.safetensors: el tensor a se encima con otro");
    wording_translate(l, "reason", "nothing that is known", text, sizeof text);
    assert_string_equal(text, "nothing that is known");
}

/* A sentence with as many values as any has. */
TEST(nine_values_are_found)
{
    char text[300];
    wording_translate(
        spanish(), "reason",
        "layer 3 (conv_1) is wrong at image 0, channel 1, row 2, column 3: 4 where 5, "
        "give or take 0.1, is right",
        text, sizeof text);
    assert_string_equal(text, "la capa 3 (conv_1) es incorrecta en la imagen 0, canal 1, fila 2, "
                              "columna 3: 4 donde lo correcto es 5, con margen 0.1");
}

/* A catalogue of big-endian numbers, and the same one cut at each length. */
TEST(damaged_catalogues_are_refused)
{
    static const unsigned char good[] = {
        0x95, 0x04, 0x12, 0xde, 0, 0, 0, 0, 0, 0, 0, 1,  0, 0, 0, 28, 0, 0, 0, 36, 0,   0, 0,   0,
        0,    0,    0,    0,    0, 0, 0, 1, 0, 0, 0, 44, 0, 0, 0, 1,  0, 0, 0, 46, 'a', 0, 'b', 0};
    char path[] = "/tmp/test_messages_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    for (size_t size = 0; size <= sizeof good; size++) {
        struct catalogue *c = NULL;
        struct failure f = {0};
        assert_int_equal(ftruncate(file, 0), 0);
        assert_int_equal(pwrite(file, good, size, 0), (ssize_t)size);
        const enum status status = catalogue_read(&c, path, &f);
        assert_int_equal(status, size == sizeof good ? STATUS_OK : STATUS_USAGE);
        if (status == STATUS_OK) {
            assert_string_equal(catalogue_find(c, NULL, "a"), "b");
            assert_null(catalogue_find(c, "row", "a"));
        }
        catalogue_release(status == STATUS_OK ? c : NULL);
    }
    close(file);
    unlink(path);
}

TEST(what_is_named_stays_as_it_is)
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
    assert_string_equal(text, "4 trabaj...");
}

/* A word of the glossary is a whole word, including its plural, and no part of a word. */
TEST(terms_are_whole_words)
{
    size_t length;
    const char *text = "two intervals, background";
    assert_string_equal(term_at(text, text + 4, &language_english, &length)->key, "interval");
    assert_int_equal(length, strlen("intervals"));
    assert_null(term_at(text, strstr(text, "round"), &language_english, &length));
    assert_string_equal(term_at("rounds", "rounds", &language_english, &length)->key, "round");
    text = "Amdahl's bound";
    assert_string_equal(term_at(text, text, &language_english, &length)->key, "bound");
}
