/* Groups of methods that a definition can name instead of single methods: method = literal @vector.
 * The tables of methods (kernels/methods.h) decide which group a method belongs to, so that a new
 * method needs no change of definitions. */
#ifndef MAXPOOL_METHOD_GROUPS_H
#define MAXPOOL_METHOD_GROUPS_H

enum method_group {
    GROUP_ALL,     /* "all" */
    GROUP_PRODUCT, /* "@product": computes the operator's product, for any right operand */
    GROUP_MAXIMUM, /* "@maximum": does not compute the product */
    GROUP_VECTOR,  /* "@vector": uses vector instructions */
    METHOD_GROUPS  /* no group: the name of a method */
};

/* Returns the group that a value of the axis `method` names, or METHOD_GROUPS. */
enum method_group method_group_find(const char *value);

#endif
