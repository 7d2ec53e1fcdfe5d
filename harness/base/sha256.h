/* SHA-256 of bytes in memory: an identifier of a file's content that no other content can be given.
 * Source: NIST, FIPS 180-4 (2015), sections 5.1.1, 5.3.3 and 6.2. */
#ifndef MAXPOOL_SHA256_H
#define MAXPOOL_SHA256_H

#include <stddef.h>

enum { SHA256_HEX = 65 }; /* 64 hexadecimal digits and the final 0 */

/* Writes the hash in lower-case hexadecimal, as the program sha256sum does. */
void sha256_hex(const void *bytes, size_t count, char hex[SHA256_HEX]);

#endif
