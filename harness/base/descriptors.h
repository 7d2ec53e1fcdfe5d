/* Descriptors 0, 1 and 2. A process may be started with one of them closed; the next file that it
 * opens would then be its standard output, and what it prints would land in that file. */
#ifndef MAXPOOL_DESCRIPTORS_H
#define MAXPOOL_DESCRIPTORS_H

/* Occupies those that are closed by what can be neither read nor written, so that using them fails
 * as it does while they are closed. To be called before anything else is opened. */
void descriptors_secure(void);

#endif
