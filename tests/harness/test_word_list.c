/* Words in lists: first and last ones, parts of words, empty words, several separators. And
 * integers: what is one, and what follows it. And texts that do not fit. */
#include "harness/base/failure.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/integer.h"
#include "harness/base/text/word_list.h"
#include "tests/support/unit_test.h"

#include <string.h>

TEST(words_are_counted)
{
    static const struct {
        const char *list, *between, *word;
        size_t times;
    } known[] = {{"fused,literal,fused", ",", "fused", 2},
                 {"fused,literal", ",", "literal", 1},
                 {"fused,literal", ",", "fuse", 0},
                 {"fused,literal", ",", "used", 0},
                 {"fused,literal", ",", "fused,literal", 0},
                 {"fused_twice,twice_fused", ",", "fused", 0},
                 {"one", ",", "one", 1},
                 {"one", "", "one", 1},
                 {"en es", " ", "es", 1},
                 {"en es", ",", "es", 0},
                 {"first, second third", ", ", "second", 1},
                 {"first, second third", ", ", "third", 1},
                 {"Xeon Gold,Xeon", ",", "Gold", 0},
                 {"Xeon Gold,Xeon", ",", "Xeon Gold", 1},
                 {"", ",", "", 1},
                 {"", ",", "one", 0},
                 {"one", ",", "", 0},
                 {"one,,two,", ",", "", 2}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(word_list_count(known[i].list, known[i].between, known[i].word),
                         known[i].times);
        assert_int_equal(word_list_has(known[i].list, known[i].between, known[i].word),
                         known[i].times > 0);
    }
}

/* A list has an empty item where two commas follow each other, and at its ends. */
TEST(empty_items_have_a_place)
{
    static const struct {
        const char *list;
        size_t place;
    } known[] = {{"1,2,4", 0}, {"1, 2 4", 0}, {"1,,2", 2}, {"1, ,2", 2}, {",1", 1},
                 {"1,2,", 3},  {"", 1},       {" ", 1},    {",", 1},     {"1..cores x2", 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(word_list_empty_item(known[i].list), known[i].place);
}

TEST(words_are_added)
{
    (void)state;
    char list[12] = "";
    word_list_add(list, sizeof list, ", ", "core");
    assert_string_equal(list, "core");
    word_list_add(list, sizeof list, ", ", "none");
    assert_string_equal(list, "core, none");
    word_list_add(list, sizeof list, ", ", "spread");
    assert_string_equal(list, "core, no..."); /* of 12 bytes */
}

/* A text that begins with no integer from least to most leaves place and value as they were. */
TEST(integers_are_taken)
{
    static const struct {
        const char *text, *rest; /* NULL: refused */
        int64_t least, most, value;
    } known[] = {{"12x3", "x3", 1, 100, 12},
                 {"-7,", ",", -10, 10, -7},
                 {"007", "", 0, 9, 7},
                 {"0x10", "x10", 0, 9, 0},
                 {"9223372036854775807", "", 0, INT64_MAX, INT64_MAX},
                 {"9223372036854775808", NULL, 0, INT64_MAX, 0},
                 {"18446744073709551617", NULL, 0, INT64_MAX, 0},
                 {"101", NULL, 1, 100, 0},
                 {"0", NULL, 1, 100, 0},
                 {"+1", NULL, 0, 9, 0},
                 {" 1", NULL, 0, 9, 0},
                 {"-", NULL, -9, 9, 0},
                 {"", NULL, 0, 9, 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *at = known[i].text, *end = known[i].rest ? known[i].rest : at;
        int64_t value = 77, whole = 77;
        const bool taken = integer_take(&at, known[i].least, known[i].most, &value);
        const bool read = integer_read(known[i].text, known[i].least, known[i].most, &whole);
        assert_int_equal(taken, known[i].rest != NULL);
        assert_string_equal(at, end);
        assert_int_equal(value, taken ? known[i].value : 77);
        assert_int_equal(read, taken && !*end);
        assert_int_equal(whole, read ? known[i].value : 77);
    }
}

TEST(natural_numbers_have_64_bits)
{
    static const struct {
        const char *text;
        bool read;
        uint64_t value;
    } known[] = {{"0", true, 0},
                 {"18446744073709551615", true, UINT64_MAX},
                 {"18446744073709551616", false, 77},
                 {"-1", false, 77},
                 {"+1", false, 77},
                 {" 1", false, 77},
                 {"1 ", false, 77},
                 {"", false, 77}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint64_t value = 77;
        assert_int_equal(integer_read_natural(known[i].text, &value), known[i].read);
        assert_true(value == known[i].value);
    }
}

/* Nothing before or behind fewer than 4 bytes is written. */
TEST(few_bytes_have_fewer_dots)
{
    static const char *const cut[] = {"", "", ".", "..", "..."};
    for (size_t size = 1; size < sizeof cut / sizeof *cut; size++) {
        char room[16];
        memset(room, '#', sizeof room);
        text_fit(room + 8, size, "longer");
        assert_string_equal(room + 8, cut[size]);
        assert_memory_equal(room, "########", 8);
        assert_int_equal(room[8 + size], '#');
    }
}

/* What is cut says so, also in a failure, and no character is cut in two. */
TEST(a_cut_text_ends_in_dots)
{
    char text[12];
    text_fit(text, sizeof text, "eleven text");
    assert_string_equal(text, "eleven text");
    text_fit(text, sizeof text, "twelve texts");
    assert_string_equal(text, "twelve t...");
    text_fit_format(text, sizeof text, "%s%d", "sietema\xc3\xb1", 1234);
    assert_string_equal(text, "sietema...");
    text_fit(text, sizeof text, "eight by");
    text_fit_append(text, sizeof text, " %d", 12);
    assert_string_equal(text, "eight by 12");
    text_fit_append(text, sizeof text, "%s", ", 3");
    assert_string_equal(text, "eight by...");
    text_fit_append(text, sizeof text, "%s", "more");
    assert_string_equal(text, "eight by...");
    assert_true(text_fit_append(text, sizeof text, "%s", ""));
    assert_false(text_fit_append(text, sizeof text, "%s", "x"));
    assert_string_equal(text_brief("seven by", 7).text, "seve...");
    assert_string_equal(text_brief("seven b", 7).text, "seven b");
    struct failure f = {0};
    char name[2000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    (fail)(&f, STATUS_USAGE, "no file %s", name); /* cmocka has a macro of that name */
    assert_int_equal(strlen(f.message), sizeof f.message - 1);
    assert_string_equal(f.message + sizeof f.message - 1 - strlen("n..."), "n...");
}
