/* What protects the machine and the verdict from a kernel, in words. */
#ifndef MAXPOOL_LAB_PROTECTION_H
#define MAXPOOL_LAB_PROTECTION_H

#include "experiments/lab/call/protocol.h"

struct lab_protection_row {
    int bit;             /* of enum lab_protection */
    const char *word;    /* in files */
    const char *against; /* an id of a message */
};

extern const struct lab_protection_row lab_protections[LAB_PROTECTIONS];

struct cJSON;

/* Adds the array "not_protected_against" to an object: the words of the protections that this
 * system lacks. */
void lab_protection_json(struct cJSON *object, int protection);

#endif
