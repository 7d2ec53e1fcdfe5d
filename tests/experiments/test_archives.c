/* Archives of a class, byte by byte: what was written is read back, names that lead out of the
 * folder are recognized, and a cut or changed byte only leads to a refusal or a reported fault. */
#include "classroom/class/package.h"
#include "classroom/class/same_source.h"
#include "classroom/class/submission.h"
#include "harness/base/sha256.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char archive[] = "archive-XXXXXX";

/* The examples of FIPS 180-4's companion (NIST, "SHA-256 example values"), and the lengths at which
 * the padding needs one more block; the expected values are those of sha256sum. */
TEST(hashes_are_known)
{
    static const struct {
        const char *text, *hex;
    } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char hex[SHA256_HEX];
        sha256_hex(known[i].text, strlen(known[i].text), hex);
        assert_string_equal(hex, known[i].hex);
    }
}

TEST(names_lead_nowhere)
{
    static const char *const bad[] = {"",     "/",   "/a",    "..",   "../a", "a/..", "a/../b",
                                      "a//b", "./a", "a/./b", "a\\b", "C:a",  "a\n",  "a/"};
    static const char *const good[] = {"a", "a/b.c", "source/mine..c", "..a", "a b", "ñ.c"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(archive_name_is_safe(bad[i]));
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(archive_name_is_safe(good[i]));
}

/* Comments and white space do not make two sources different; texts and everything else do. */
TEST(equal_sources)
{
    static const struct {
        const char *file, *one, *other;
        int same;
    } cases[] = {
        {"a.c", "int a; // x\nint b;", "int a;/* y\n */ int\tb;", 1},
        {"a.c", "int a;", "int b;", 1},
        {"a.c", "int a, b; a = b;", "int x, y; x = y;", 1},
        {"a.c", "int a, b; a = b;", "int a, b; b = a;", 0},
        {"a.c", "char *s = \"a // b\";", "char *s = \"a \";", 0},
        {"a.c", "char *s = \"a b\";", "char *s = \"ab\";", 0},
        {"a.c", "char c = '\\'' ; // x", "char c = '\\'';", 1},
        {"a.c", "int a; /* never ends", "int a;", 1},
        {"a.f90", "x = 1 ! one\n", "x = 1", 1},
        {"a.py", "x = 1 # one\n", "x = 1", 1},
        {"a.py", "x = 1 // 2\n", "x = 1 // 3\n", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char one[SHA256_HEX], other[SHA256_HEX];
        same_source_hash(cases[i].file, cases[i].one, strlen(cases[i].one), one);
        same_source_hash(cases[i].file, cases[i].other, strlen(cases[i].other), other);
        assert_int_equal(strcmp(one, other) == 0, cases[i].same);
    }
}

/* Writes the archive of a run: one method and the kernel, six rounds. */
static void make_archive(void)
{
    static const char run[] =
        "{\"file\": \"mine.c\", \"method\": \"lab:mine\", \"operator\": \"maxpool\", \"verdict\": "
        "\"correct\", \"cause\": \"\", \"machine_limit_s\": 1e-7, \"run\": {\"version\": 1, "
        "\"run_id\": \"r\", \"host\": \"h\", \"commit\": \"c\", \"cflags\": \"-O1\", "
        "\"source_sha256\": \"s\", \"samples_sha256\": \"t\", \"size\": 8, \"kernel\": 2, "
        "\"stride\": 2, \"padding\": 0, \"planes\": 1, \"threads\": 1, \"seed\": \"1\", "
        "\"rounds\": 6, \"methods\": [\"lab:mine\", \"literal\"]}}";
    char samples[2048] = "round,turn,method,began_ns,ended_ns,seconds\n";
    struct package p = {.student = "Ana"};
    for (int i = 0; i < 12; i++)
        snprintf(samples + strlen(samples), sizeof samples - strlen(samples),
                 "%d,%d,%s,%d,%d,0.000001000\n", i / 2, i % 2, i % 2 ? "literal" : "lab:mine",
                 2000 * i, 2000 * i + 1000);
    assert_int_equal(archive_add(&p.zip, "source/mine.c", "void f;", 7, NULL), STATUS_OK);
    assert_int_equal(archive_add(&p.zip, package_run, run, strlen(run), NULL), STATUS_OK);
    assert_int_equal(archive_add(&p.zip, package_samples, samples, strlen(samples), NULL),
                     STATUS_OK);
    assert_int_equal(archive_add(&p.zip, "../x", "", 0, NULL), STATUS_USAGE);
    assert_int_equal(archive_add(&p.zip, package_run, "", 0, NULL), STATUS_USAGE);
    assert_int_equal(package_write(&p, archive, NULL), STATUS_OK);
    package_release(&p);
}

TEST(written_is_read)
{
    struct submission s;
    struct failure f = {0};
    make_archive();
    assert_int_equal(submission_read(&s, archive, &f), STATUS_OK);
    assert_string_equal(s.package.student, "Ana");
    assert_int_equal(s.package.fault_count, 0);
    assert_int_equal(s.samples.count, 12);
    assert_int_equal(s.method_count, 2);
    assert_true(fabs(s.methods[0].time.median - 1e-6) < 1e-15);
    assert_true(fabs(submission_share(&s) - 0.1) < 1e-9);
    assert_int_equal(submission_step(&s), 1);
    submission_release(&s);
}

static size_t read_bytes(unsigned char *bytes, size_t room)
{
    FILE *in = fopen(archive, "rb");
    assert_non_null(in);
    const size_t count = fread(bytes, 1, room, in);
    fclose(in);
    return count;
}

static enum status read_again(const unsigned char *bytes, size_t count)
{
    struct submission s;
    struct failure f = {0};
    unlink(archive); /* some systems sync a file that is truncated to nothing and closed */
    FILE *out = fopen(archive, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, count, out), count);
    fclose(out);
    const enum status status = submission_read(&s, archive, &f);
    if (status == STATUS_OK)
        submission_release(&s);
    else
        assert_true(status == STATUS_USAGE && f.message[0]);
    return status;
}

/* Every prefix is refused. Every changed byte leads to a refusal or is read, and does nothing
 * worse. Changes that turn a name or a count into another one are among those that are read. */
TEST(no_byte_does_harm)
{
    static unsigned char whole[1 << 14];
    make_archive();
    const size_t count = read_bytes(whole, sizeof whole);
    assert_true(count > 500 && count < sizeof whole);
    for (size_t cut = 0; cut < count; cut++)
        assert_int_equal(read_again(whole, cut), STATUS_USAGE);
    size_t refused = 0;
    for (size_t i = 0; i < count; i++)
        for (unsigned flip = 1; flip < 256; flip = 5 * flip + 2) {
            whole[i] ^= (unsigned char)flip;
            refused += read_again(whole, count) == STATUS_USAGE;
            whole[i] ^= (unsigned char)flip;
        }
    assert_true(refused > count); /* dates and versions are not checked */
    unlink(archive);
}

int main(void)
{
    const int file = mkstemp(archive);
    if (file < 0)
        return 1;
    close(file);
    return tests_run();
}
