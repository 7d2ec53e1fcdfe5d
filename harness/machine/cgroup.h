/* The control groups that this process is in: where the kernel shows their limits. */
#ifndef MAXPOOL_CGROUP_H
#define MAXPOOL_CGROUP_H

/* Called with the folder of a control group. */
typedef void cgroup_visitor(const char *folder, void *context);

/* Visits this process's group and its ancestors up to the root, the own one first: of version 1
 * those of a controller ("memory", "cpu"), and of version 2, which has one tree for all, with "".
 * Visits nothing where the process is in no such group; folders may not exist, as within a
 * container. */
void cgroup_visit(const char *controller, cgroup_visitor *visit, void *context);

#endif
