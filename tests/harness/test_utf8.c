/* Texts of arbitrary bytes are converted to valid UTF-8 without control characters for the
 * terminal. */
#include "harness/base/own_path.h"
#include "harness/base/utf8.h"
#include "tests/support/command.h"
#include "tests/support/unit_test.h"

#include <string.h>

#define BAD "\xef\xbf\xbd"

TEST(test_every_form)
{
    static const struct {
        const char *from, *kept, *printed;
    } cases[] = {
        {"", "", ""},
        {"plain", "plain", "plain"},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
         "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"a\xff\xfe", "a" BAD BAD, "a" BAD BAD},
        {"\xc3", BAD, BAD},                         /* truncated */
        {"\xc3x", BAD "x", BAD "x"},                /* truncated, then another character */
        {"\xc0\xaf", BAD BAD, BAD BAD},             /* not the shortest form */
        {"\xed\xa0\x80", BAD BAD BAD, BAD BAD BAD}, /* a surrogate */
        {"\xf4\x90\x80\x80", BAD BAD BAD BAD, BAD BAD BAD BAD}, /* beyond U+10FFFF */
        {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
        {"\033[31m", "\033[31m", "?[31m"},
        {"\xc2\x9b"
         "2J",
         "\xc2\x9b"
         "2J",
         "?2J"},
        {"\x7f\n\xc2\xa0", "\x7f\n\xc2\xa0", "??\xc2\xa0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        utf8_clean(cases[i].from, text, sizeof text, false);
        assert_string_equal(text, cases[i].kept);
        utf8_clean(cases[i].from, text, sizeof text, true);
        assert_string_equal(text, cases[i].printed);
    }
}

TEST(test_no_more_than_fits)
{
    char text[6];
    utf8_clean("abc\xff", text, sizeof text, false);
    assert_string_equal(text, "abc");
    utf8_clean("ab\xff", text, sizeof text, false);
    assert_string_equal(text, "ab" BAD);
}

/* The name of a file appears in the JSON text; iconv refuses what is not UTF-8. */
TEST(test_json_of_any_file)
{
    struct outcome o = command_run(
        "n=$DIR/$(printf 'n\\377\\303').txt; echo '1 2\n3 4' > \"$n\"; ./maxpool_serial -i \"$n\" "
        "--samples 1 --format json > $DIR/json; s=$?; iconv -f UTF-8 -t UTF-16 $DIR/json > "
        "/dev/null "
        "|| exit 9; grep -c 'n" BAD BAD ".txt' $DIR/json; exit $s");
    if (o.status == 3)
        skip();
    assert_int_equal(o.status, 0);
    assert_string_equal(o.out, "1\n");
}

TEST(test_foreign)
{
    char name[] = "N\xc3\xba\xc3\xb1"
                  "ez\t\x1b[2K\n\xe2\x80\xae\xc2\x9b\xff\xd8\x9c\xe2\x81\xa6.\xe2\x82\xac";
    char lines[] = "a\n\r\xed\xa0\x80"
                   "b";
    utf8_clean_foreign(name, false);
    assert_string_equal(name, "N\xc3\xba\xc3\xb1"
                              "ez ?[2K ?????.\xe2\x82\xac");
    utf8_clean_foreign(lines, true);
    assert_string_equal(lines, "a\n????b");
}

TEST(test_own_path)
{
    char path[PATH_MAX];
    assert_true(own_path(path));
    assert_string_equal(path, MAXPOOL_BINARY_DIR "/bin/test_utf8");
}

const struct tests_group tests_group = {command_setup, command_teardown};
