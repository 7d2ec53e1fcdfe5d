#include "harness/limits/cards.h"

#include "harness/base/text/word_list.h"

#include <ctype.h>
#include <string.h>

#define GUIDE "limits: CUDA C++ Programming Guide, technical specifications per compute capability"

/* Blocks take 1 KiB of shared memory for the system from compute capability 8.0 on (the same
 * guide). */
static const struct card cards[] = {
    {"K20", "3.5", 13, 2048, 16, 65536, 49152, 4, 0, 706, 208,
     "NVIDIA, Tesla K20 GPU Active Accelerator, board specification BD-06455 (2013); " GUIDE, 0, 0,
     NULL},
    {"GTX 1050", "6.1", 5, 2048, 32, 65536, 98304, 4, 0, 1455, 112,
     "NVIDIA, GeForce GTX 1050 specifications (2016); " GUIDE, 0, 0, NULL},
    {"T4", "7.5", 40, 1024, 16, 65536, 65536, 4, 0, 1590, 320,
     "NVIDIA, Tesla T4 data sheet (2018); NVIDIA Turing architecture whitepaper; " GUIDE, 0, 0,
     NULL},
    {"V100", "7.0", 80, 2048, 32, 65536, 98304, 4, 0, 1530, 900,
     "NVIDIA, Tesla V100 architecture whitepaper WP-08608 (SXM2, 2017); " GUIDE, 0, 0, NULL},
    {"A100", "8.0", 108, 2048, 32, 65536, 167936, 4, 1024, 1410, 1555,
     "NVIDIA, A100 Tensor Core GPU architecture whitepaper (SXM4, 40 GB, 2020); " GUIDE, 19.5, 312,
     "A100-SXM4-40GB|A100-SXM4-80GB|A100-PCIE-40GB|A100 80GB PCIe"},
    {"RTX 4060", "8.9", 24, 1536, 24, 65536, 102400, 4, 1024, 2460, 272,
     "NVIDIA, GeForce RTX 4060 specifications (2023); " GUIDE, 0, 0, NULL},
    {"H100", "9.0", 132, 2048, 32, 65536, 233472, 4, 1024, 1980, 3350,
     "NVIDIA, H100 Tensor Core GPU data sheet and architecture whitepaper (SXM5, 2022); " GUIDE, 67,
     989, "H100 80GB HBM3"},
    {"H200", "9.0", 132, 2048, 32, 65536, 233472, 4, 1024, 1980, 4800,
     "NVIDIA, H200 Tensor Core GPU data sheet (SXM, 2024); " GUIDE, 67, 989, "H200"},
};

const struct card *card_at(size_t i)
{
    return i < sizeof cards / sizeof cards[0] ? &cards[i] : NULL;
}

/* The next character that counts. */
static const char *skip(const char *text)
{
    while (*text == ' ' || *text == '-' || *text == '_')
        text++;
    return text;
}

static int same(const char *a, const char *b)
{
    for (;; a++, b++) {
        a = skip(a);
        b = skip(b);
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return 0;
        if (!*a)
            return 1;
    }
}

const struct card *card_find(const char *name)
{
    for (size_t i = 0; card_at(i); i++)
        if (same(card_at(i)->name, name))
            return card_at(i);
    return NULL;
}

const struct card *card_of_device(const char *device)
{
    static const char maker[] = "NVIDIA ";
    const size_t length = sizeof maker - 1;
    const char *name = strncmp(device, maker, length) == 0 ? device + length : device;
    for (size_t i = 0; *name && card_at(i); i++)
        if (card_at(i)->devices && word_list_has(card_at(i)->devices, "|", name))
            return card_at(i);
    return NULL;
}
