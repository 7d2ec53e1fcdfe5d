/* Numbers for readers: three digits, units that fit, intervals, and both decimal marks. */
#include "experiments/analysis/numbers.h"
#include "harness/base/text/messages.h"
#include "tests/experiments/support/spanish.h"
#include "tests/support/unit_test.h"

#include <math.h>

static const struct interval none = {(double)NAN, (double)NAN};

TEST(three_digits_and_a_unit)
{
    static const struct {
        double seconds;
        const char *english, *spanish;
    } cases[] = {{0.0136, "13.6 ms", "13,6 ms"},  {1.0, "1 s", "1 s"},
                 {0.99996, "1.00 s", "1,00 s"},   {1e-9, "1 ns", "1 ns"},
                 {7.3e-10, "0.73 ns", "0,73 ns"}, {4.51e-5, "45.1 \xc2\xb5s", "45,1 \xc2\xb5s"},
                 {1234.5, "1234 s", "1234 s"},    {(double)NAN, "-", "-"},
                 {(double)INFINITY, "-", "-"},    {0.5, "500 ms", "500 ms"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(number_seconds(&language_english, cases[i].seconds).text,
                            cases[i].english);
        assert_string_equal(number_seconds(spanish(), cases[i].seconds).text, cases[i].spanish);
    }
}

TEST(intervals_are_reported_where_there_are_any)
{
    const struct interval i = {18.7, 19.84};
    assert_string_equal(number_ratio(&language_english, 19.2, i).text, "19.2 [18.7, 19.8]");
    assert_string_equal(number_ratio(spanish(), 19.2, i).text, "19,2 [18,7; 19,8]");
    assert_string_equal(number_ratio(&language_english, 19.2, none).text, "19.2");
    assert_string_equal(number_ratio(&language_english, 1.0, (struct interval){1.0, 1.0}).text,
                        "1");
    assert_string_equal(number_ratio(&language_english, (double)NAN, i).text, "-");
    assert_string_equal(number_ratio(&language_english, 19.2, (struct interval){5.0, 40.0}).text,
                        "5 to 40");
    assert_string_equal(number_ratio(&language_english, 1.0, (struct interval){0.0762, 1.69}).text,
                        "0.08 to 1.69");
    assert_string_equal(number_ratio(&language_english, 2.0, (struct interval){0.0602, 27.4}).text,
                        "0.06 to 27"); /* not "0 to 27" */
    assert_string_equal(number_ratio(&language_english, 2.0, (struct interval){0.0, 27.4}).text,
                        "0 to 27");
    assert_string_equal(
        number_ratio(&language_english, 0.0778, (struct interval){0.074, 0.082}).text,
        "0.078 [0.074, 0.082]");
    assert_string_equal(
        number_compared(&language_english, 1.02, (struct interval){1.01, 1.0423}).text,
        "1.02 [1.01, 1.04]");
    assert_string_equal(number_compared(spanish(), 1.0, (struct interval){0.99996, 1.00004}).text,
                        "1,0000 [1,0000; 1,0000]");
    struct estimate e = estimate_none();
    assert_string_equal(number_estimate(&language_english, &e).text, "-");
    e.value = 2e-3;
    e.interval = (struct interval){1.9e-3, 2.15e-3};
    assert_string_equal(number_estimate(&language_english, &e).text, "2.00 [1.90, 2.15] ms");
}

TEST(shares_and_spreads_are_percents)
{
    assert_string_equal(number_percent(&language_english, 0.921).text, "92 %");
    assert_string_equal(number_percent(spanish(), 0.0456).text, "4,6 %");
    assert_string_equal(number_percent(&language_english, 0.0004).text, "0.04 %");
    assert_string_equal(number_percent(&language_english, -0.031).text, "-3.1 %");
    assert_string_equal(number_share(&language_english, 0.49, (struct interval){0.34, 0.61}).text,
                        "49 [34, 61] %");
    assert_string_equal(number_share(spanish(), 1.37, (struct interval){0.4, 2.9}).text,
                        "40 a 290 %");
    assert_string_equal(number_share(&language_english, -0.04, (struct interval){-0.41, 0.82}).text,
                        "-41 to 82 %");
    assert_string_equal(number_share(&language_english, 0.6853, none).text, "69 %");
    assert_string_equal(number_share(&language_english, (double)NAN, none).text, "-");
    assert_string_equal(number_spread(&language_english, 10.0, (struct interval){9.9, 10.3}).text,
                        "±2.0 %");
    assert_string_equal(number_spread(&language_english, 10.0, none).text, "");
    assert_string_equal(number_spread(&language_english, 1.0, (struct interval){0.1, 9.0}).text,
                        "");
    assert_true(fabs(interval_spread(10.0, (struct interval){9.0, 10.5}) - 0.075) < 1e-12);
}

/* A value never has more digits than its interval allows. */
TEST(uncertain_values_have_few_digits)
{
    const struct language *en = &language_english;
    const struct interval narrow = {389.0, 409.0}, wide = {201.0, 405.0};
    assert_string_equal(number_roughly(en, 398.0, narrow).text, "about 400");
    assert_string_equal(number_roughly(en, 398.0, wide).text, "between 201 and 405");
    assert_string_equal(number_roughly(spanish(), 398.0, wide).text, "entre 201 y 405");
    assert_string_equal(number_roughly(en, 398.0, none).text, "about 398");
    struct estimate e = {.value = 2.513e-3, .interval = {2.49e-3, 2.53e-3}};
    assert_string_equal(number_known_seconds(en, &e).text, "2.51 ms");
    e.interval = (struct interval){2.2e-3, 2.9e-3};
    assert_string_equal(number_known_seconds(spanish(), &e).text, "2,5 ms");
    e.value = 41.9e-3;
    e.interval = (struct interval){36e-3, 47e-3};
    assert_string_equal(number_known_seconds(en, &e).text, "42 ms");
    e.interval = (struct interval){32e-6, 68e-3};
    assert_string_equal(number_known_seconds(en, &e).text, "between 32 µs and 68 ms");
}

TEST(a_middle_that_is_hardly_known_is_not_reported)
{
    const struct interval narrow = {18.7, 19.8}, wide = {17.0, 20.8}, wider = {12.1, 20.8};
    assert_string_equal(number_brief(&language_english, 19.2, narrow).text, "19.2");
    assert_string_equal(number_brief(&language_english, 19.2, wide).text, "17.0 to 20.8");
    assert_string_equal(number_brief(spanish(), 19.2, wider).text, "12,1 a 20,8");
    assert_string_equal(number_brief(&language_english, 19.2, none).text, "19.2");
    assert_string_equal(number_answer(&language_english, 19.2, wide).text, "19.2 [17.0, 20.8]");
    assert_string_equal(number_answer(spanish(), 19.2, wider).text, "12,1 a 20,8");
    assert_string_equal(
        number_answer_share(&language_english, 0.89, (struct interval){0.82, 0.9}).text,
        "89 [82, 90] %");
    struct estimate e = estimate_none();
    assert_string_equal(number_brief_seconds(&language_english, &e).text, "-");
    e.value = 36.8e-3;
    assert_string_equal(number_brief_seconds(&language_english, &e).text, "36.8 ms");
    e.interval = (struct interval){16.7e-3, 143e-3};
    assert_string_equal(number_brief_seconds(spanish(), &e).text, "17 a 143 ms");
    e = estimate_none();
    assert_string_equal(number_answer_seconds(&language_english, &e).text, "-");
    e.value = 4.23e-4;
    e.interval = (struct interval){3.97e-4, 6.5e-4};
    assert_string_equal(number_answer_seconds(&language_english, &e).text, "397 to 650 \xc2\xb5s");
}

TEST(marks_are_those_of_the_language)
{
    char text[] = "1.5 [1.2, 1.75] v. x";
    number_localize(&language_english, text);
    assert_string_equal(text, "1.5 [1.2, 1.75] v. x");
    number_localize(spanish(), text);
    assert_string_equal(text, "1,5 [1,2; 1,75] v. x");
}

TEST(counts_have_separators_of_thousands)
{
    const struct language *l = &language_english;
    assert_string_equal(number_count(l, 0.0).text, "0");
    assert_string_equal(number_count(l, 9999.0).text, "9999");
    assert_string_equal(number_count(l, 12304.0).text, "12,304");
    assert_string_equal(number_count(l, 123456.0).text, "123,456");
    assert_string_equal(number_count(l, 67108864.0).text, "67,108,864");
    assert_string_equal(number_count(l, -123456.0).text, "-123,456");
    assert_string_equal(number_count(l, (double)NAN).text, "-");
    assert_string_equal(number_count(spanish(), 12304.0).text, "12\u00a0304");
}
