/* The control groups of this process: the folders in which the kernel shows their limits. */
#ifndef MAXPOOL_CGROUP_H
#define MAXPOOL_CGROUP_H

/* Called with the folder of a control group. */
typedef void cgroup_visitor(const char *folder, void *context);

/* Visits this process's group and its ancestors up to the root, the process's own first. Version 1
 * has a tree for each controller ("memory", "cpu"); version 2 has one tree for all, named "".
 * Visits nothing if the process is in no such group. A visited folder may not exist, as within a
 * container. */
void cgroup_visit(const char *controller, cgroup_visitor *visit, void *context);

/* The same within a folder with copies of the system's files, which begins every path. */
void cgroup_visit_in(const char *root, const char *controller, cgroup_visitor *visit,
                     void *context);

#endif
