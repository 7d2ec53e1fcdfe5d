/* Descriptors 0, 1 and 2. A process may be started with one of them closed. The next file that it
 * opens would then become its standard output, and printed text would land in that file. */
#ifndef MAXPOOL_DESCRIPTORS_H
#define MAXPOOL_DESCRIPTORS_H

/* Opens every closed one of them on something that can be neither read nor written, so that using
 * it still fails as if it were closed. To be called before anything else is opened. */
void descriptors_secure(void);

#endif
