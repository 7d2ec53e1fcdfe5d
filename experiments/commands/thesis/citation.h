/* How to cite this suite, as CITATION.cff says. */
#ifndef MAXPOOL_CITATION_H
#define MAXPOOL_CITATION_H

#include <stdio.h>

/* Key of the BibTeX entry. */
extern const char citation_key[];

/* Writes the BibTeX entry: authors, title, year, version and the commit of this build. */
void citation_bibtex(FILE *stream);

#endif
