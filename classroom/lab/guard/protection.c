#include "classroom/lab/guard/protection.h"

#include "harness/base/text/messages.h"
#include "harness/base/text/word_list.h"

#include <cJSON.h>
#include <stdio.h>
#include <string.h>

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

int lab_protection_lacking(const struct cJSON *object)
{
    const cJSON *words = cJSON_GetObjectItemCaseSensitive(object, "not_protected_against"), *word;
    int lacking = 0;
    if (!cJSON_IsArray(words))
        return -1;
    cJSON_ArrayForEach(word, words)
    {
        for (size_t i = 0; i < LAB_PROTECTIONS && cJSON_IsString(word); i++)
            if (strcmp(word->valuestring, lab_protections[i].word) == 0)
                lacking |= lab_protections[i].bit;
    }
    return lacking;
}

void lab_protection_words(int lacking, char *text, size_t size)
{
    snprintf(text, size, "%s", lacking < 0 ? "not known" : "");
    for (size_t i = 0; lacking > 0 && i < LAB_PROTECTIONS; i++)
        if (lacking & lab_protections[i].bit)
            word_list_add(text, size, "; ", lab_protections[i].word);
}

void lab_protection_sentence(const struct language *l, int lacking, char *text, size_t size)
{
    char all[600] = "";
    for (size_t i = 0; lacking > 0 && i < LAB_PROTECTIONS; i++)
        if (lacking & lab_protections[i].bit)
            word_list_add(all, sizeof all, ", ", message(l, lab_protections[i].against));
    text[0] = '\0';
    if (all[0])
        message_format(text, size, l, "not protected against %{what}", WITH({"what", all}));
}
