/* The style sheet of all pages: light and dark, desktop, phone and paper. Drawings take their
 * colours from it, too. page_style_places, for wide screens, phones and paper, must follow
 * page_style. */
#ifndef MAXPOOL_PAGE_STYLE_H
#define MAXPOOL_PAGE_STYLE_H

extern const char page_style[], page_style_places[];

#endif
