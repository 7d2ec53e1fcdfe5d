#include "classroom/class/name_order.h"

#include <string.h>

/* The letters as which U+00C0 to U+017F are sorted. Source: The Unicode Standard 15.0, charts
 * "Latin-1 Supplement" and "Latin Extended-A". */
enum { FIRST = 0xc0, LARGE_ENYE = 0xd1, SMALL_ENYE = 0xf1 };
static const char letters[] = "aaaaaaaceeeeiiiidnooooo*ouuuuyts"
                              "aaaaaaaceeeeiiiidnooooo/ouuuuyty"
                              "aaaaaaccccccccddddeeeeeeeeeegggg"
                              "gggghhhhiiiiiiiiiiiijjkkklllllll"
                              "lllnnnnnnnnnoooooooorrrrrrssssss"
                              "ssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

/* The rank of the character at the beginning of the text, which is moved behind it; 0 at the end.
 */
static int take(const char **text)
{
    const unsigned char *at = (const unsigned char *)*text;
    if (at[0] >= 0xc3 && at[0] <= 0xc5 && (at[1] & 0xc0) == 0x80) {
        const int code = ((at[0] & 0x1f) << 6) | (at[1] & 0x3f);
        *text += 2;
        return 2 * letters[code - FIRST] + (code == LARGE_ENYE || code == SMALL_ENYE);
    }
    *text += at[0] != '\0';
    return 2 * (at[0] >= 'A' && at[0] <= 'Z' ? at[0] - 'A' + 'a' : at[0]);
}

int name_order(const char *a, const char *b)
{
    const char *rest_of_a = a, *rest_of_b = b;
    int p, q;
    do {
        p = take(&rest_of_a);
        q = take(&rest_of_b);
    } while (p == q && p != 0);
    return p != q ? p - q : strcmp(a, b);
}
