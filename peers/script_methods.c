#include "peers/script_methods.h"

#include <string.h>

/* Generated from the lines of scripts/peers/libraries/ (cmake/MaxpoolPythonPeers.cmake). */
const struct script_method script_methods[] = {
#include "script_methods.inc"
};
const size_t script_method_count = sizeof script_methods / sizeof *script_methods;

const struct script_method *script_method_row(const char *computes, const char *name)
{
    for (size_t i = 0; i < script_method_count; i++)
        if (strcmp(script_methods[i].computes, computes) == 0 &&
            strcmp(script_methods[i].method.name, name) == 0)
            return &script_methods[i];
    return NULL;
}

const struct method *script_method_find(const char *computes, const char *name)
{
    const struct script_method *row = script_method_row(computes, name);
    return row ? &row->method : NULL;
}
