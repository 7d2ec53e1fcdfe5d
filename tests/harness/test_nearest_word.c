/* "Did you mean": known distances, the allowed number of edits, ties, long words. */
#include "harness/base/nearest_word.h"
#include "tests/support/unit_test.h"

#include <string.h>

TEST(known_distances)
{
    static const struct {
        const char *a, *b;
        size_t edits;
    } known[] = {{"", "", 0},
                 {"", "abc", 3},
                 {"method", "method", 0},
                 {"metod", "method", 1},
                 {"mehtod", "method", 1},
                 {"ca", "abc", 3},
                 {"kitten", "sitting", 3},
                 {"scael", "scale", 1},
                 {"abcdef", "fedcba", 5}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(word_edits(known[i].a, known[i].b), known[i].edits);
        assert_int_equal(word_edits(known[i].b, known[i].a), known[i].edits);
    }
}

static const char *nearest(const char *typed)
{
    static const char *const words[] = {"method", "max-value", "run", "report", "size", "side"};
    struct nearest_word n = nearest_word_of(typed);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        nearest_word_offer(&n, words[i]);
    return n.word ? n.word : "";
}

TEST(the_nearest_is_suggested)
{
    assert_string_equal(nearest("metod"), "method");
    assert_string_equal(nearest("max_valeu"), "max-value");
    assert_string_equal(nearest("rnu"), "run");
    assert_string_equal(nearest("sixe"), "size"); /* "side" is as near, but comes later */
    assert_string_equal(nearest("rax"), "");      /* two edits of three letters are too many */
    assert_string_equal(nearest("frobnicate"), "");
    assert_string_equal(nearest(""), "");
}

TEST(the_sentence_has_its_dashes)
{
    struct nearest_word n = nearest_word_of("metod");
    assert_string_equal(nearest_word_suggest(&n, "--").text, "");
    nearest_word_offer(&n, "method");
    assert_string_equal(nearest_word_suggest(&n, "--").text, ", did you mean '--method'?");
    assert_string_equal(nearest_word_suggest(&n, "").text, ", did you mean 'method'?");
}

TEST(long_words_are_left_alone)
{
    char longest[NEAREST_WORD_LONGEST + 1], longer[NEAREST_WORD_LONGEST + 2];
    memset(longest, 'x', sizeof longest);
    memset(longer, 'x', sizeof longer);
    longest[NEAREST_WORD_LONGEST] = longer[NEAREST_WORD_LONGEST + 1] = '\0';
    struct nearest_word n = nearest_word_of(longest);
    nearest_word_offer(&n, longer);
    assert_null(n.word);
    nearest_word_offer(&n, longest);
    assert_ptr_equal(n.word, longest);
    assert_int_equal(strlen(nearest_word_suggest(&n, "--").text),
                     strlen(", did you mean '--'?") + NEAREST_WORD_LONGEST);
    n = nearest_word_of(longer);
    nearest_word_offer(&n, longest);
    assert_null(n.word);
}
