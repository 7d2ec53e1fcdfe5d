/* Words in lists: first and last ones, parts of words, empty words, several separators. */
#include "harness/base/text/word_list.h"
#include "tests/support/unit_test.h"

static void words_are_counted(NO_STATE)
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

static void words_are_added(void **state)
{
    (void)state;
    char list[12] = "";
    word_list_add(list, sizeof list, ", ", "core");
    assert_string_equal(list, "core");
    word_list_add(list, sizeof list, ", ", "none");
    assert_string_equal(list, "core, none");
    word_list_add(list, sizeof list, ", ", "spread");
    assert_string_equal(list, "core, none,"); /* of 12 bytes */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_are_counted),
                                       cmocka_unit_test(words_are_added)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
