/* What protects the machine and the verdict from a kernel, in words. */
#ifndef MAXPOOL_LAB_PROTECTION_H
#define MAXPOOL_LAB_PROTECTION_H

#include "classroom/lab/call/protocol.h"

#include <stddef.h>

struct lab_protection_row {
    int bit;             /* of enum lab_protection */
    const char *word;    /* in files */
    const char *against; /* an id of a message */
};

extern const struct lab_protection_row lab_protections[LAB_PROTECTIONS];

struct cJSON;
struct language;

/* Adds the array "not_protected_against" to an object: the words of the protections that this
 * system lacks. */
void lab_protection_json(struct cJSON *object, int protection);

/* Reads that array: the bits of the protections that were lacking; -1: the object has none. */
int lab_protection_lacking(const struct cJSON *object);

/* Writes the words of the lacking protections, separated by "; "; "not known" for -1. */
void lab_protection_words(int lacking, char *text, size_t size);

/* Writes "not protected against ...", with all that is lacking; "" if nothing is. */
void lab_protection_sentence(const struct language *l, int lacking, char *text, size_t size);

#endif
