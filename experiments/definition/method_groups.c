#include "experiments/definition/method_groups.h"

#include <string.h>

static const char *const method_group_names[METHOD_GROUPS] = {
    [GROUP_ALL] = "all",
    [GROUP_PRODUCT] = "@product",
    [GROUP_MAXIMUM] = "@maximum",
    [GROUP_VECTOR] = "@vector",
};

enum method_group method_group_find(const char *value)
{
    enum method_group group = 0;
    while (group < METHOD_GROUPS && strcmp(value, method_group_names[group]) != 0)
        group++;
    return group;
}
