/* Texts without the places of files on one machine: what another reader sees. */
#ifndef MAXPOOL_SHORT_PATHS_H
#define MAXPOOL_SHORT_PATHS_H

/* Shortens the absolute paths in a text: below the folder of `file`, an absolute path, they begin
 * in that folder; of all others the last part remains. A path ends at a blank, a quotation mark or
 * one of ":;,()<>". `file` may be NULL. */
void short_paths(char *text, const char *file);

#endif
