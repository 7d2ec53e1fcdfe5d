/* Numbers in JSON, for files that are built with cJSON. */
#ifndef MAXPOOL_JSON_NUMBER_H
#define MAXPOOL_JSON_NUMBER_H

#include <cjson/cJSON.h>
#include <math.h>

/* Adds a finite number, or null: JSON has neither NaN nor infinity. */
static inline void json_add_number(cJSON *object, const char *name, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, name, value);
    else
        cJSON_AddNullToObject(object, name);
}

#endif
