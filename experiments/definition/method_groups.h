/* Groups of methods that a definition names instead of each: method = literal @vector. Who is in a
 * group the tables of methods name (kernels/methods.h), so that a new method needs no definition.
 */
#ifndef MAXPOOL_METHOD_GROUPS_H
#define MAXPOOL_METHOD_GROUPS_H

enum method_group {
    GROUP_ALL,     /* "all" */
    GROUP_PRODUCT, /* "@product": does the operator's product, for any right operand */
    GROUP_MAXIMUM, /* "@maximum": does not */
    GROUP_VECTOR,  /* "@vector": computes in vectors */
    METHOD_GROUPS  /* none of them: the name of a method */
};
extern const char *const method_group_names[METHOD_GROUPS];

/* The group that a value of the axis `method` names. */
enum method_group method_group_find(const char *value);

#endif
