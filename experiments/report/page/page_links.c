/* The files and titles of the pages, and the links to them. */
#include "experiments/report/report.h"
#include "harness/base/text/messages.h"

static const struct {
    const char *file, *title; /* in R; message id */
} pages[PAGES] = {
    [PAGE_FIRST] = {"report.html", N_("At a glance")},
    [PAGE_KERNEL] = {"report-pooling.html", N_("Max pooling")},
    [PAGE_OPERATORS] = {"report-operators.html", N_("Convolution, product, distances")},
    [PAGE_NETWORKS] = {"report-networks.html", N_("Networks")},
    [PAGE_TRAINING] = {"report-training.html", N_("Networks: training")},
    [PAGE_REPRODUCTION] = {"reproduction.html", N_("The theses, reproduced")},
    [PAGE_METHOD] = {"report-method.html", N_("How it was measured")},
};

const char *report_page_file(enum report_page page)
{
    return pages[page].file;
}

const char *report_page_title(enum report_page page, const struct language *l)
{
    return message(l, pages[page].title);
}

void report_page_links(const struct report_format *format, const struct document *d,
                       const char *title, enum report_page here)
{
    format_part(format->pages_begin, d);
    for (enum report_page i = 0; i < PAGES; i++)
        if (d->pages[i])
            format->pages_item(d, pages[i].file, report_page_title(i, d->language), i == here);
    format->pages_end(d, title);
}
