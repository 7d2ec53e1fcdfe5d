#include "experiments/lab/guard/protection.h"

#include "experiments/common/text/messages.h"

#include <cJSON.h>
#include <stddef.h>

const struct lab_protection_row lab_protections[LAB_PROTECTIONS] = {
    {LAB_CALLS, "system calls", N_("system calls: it can change files and start programs")},
    {LAB_FILES, "reading files", N_("reading files of yours")},
    {LAB_THREADS_LIMITED, "hidden threads", N_("hidden threads")},
    {LAB_OWN_PROCESSES, "other processes", N_("finding other processes of yours")},
    {LAB_OWN_NETWORK, "network devices", N_("the network and shared memory of other programs")}};

void lab_protection_json(struct cJSON *object, int protection)
{
    cJSON *words = cJSON_AddArrayToObject(object, "not_protected_against");
    for (size_t i = 0; words && i < LAB_PROTECTIONS; i++)
        if (!(protection & lab_protections[i].bit))
            cJSON_AddItemToArray(words, cJSON_CreateString(lab_protections[i].word));
}
