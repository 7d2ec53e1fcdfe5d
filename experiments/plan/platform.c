#include "experiments/plan/platform.h"

#include "experiments/common/lists.h"
#include "experiments/common/output.h"
#include "harness/base/regular_file.h"
#include "harness/base/suite_files.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/integer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t platform_cores(const struct platform *p)
{
    return (int64_t)p->host_count * p->cores;
}

/* Counts two links per level, up to the lowest switch that connects all of these hosts. */
double platform_latency(const struct platform *p, int64_t hosts)
{
    int64_t level = 1;
    while (level < p->levels && p->below[level - 1] < hosts)
        level++;
    return 2.0 * (double)level * p->link.latency_s;
}

void platform_release(struct platform *p)
{
    for (size_t i = 0; i < p->host_count; i++)
        free(p->hosts[i]);
    free(p->hosts);
    *p = (struct platform){0};
}

enum status platform_write_hosts(const struct platform *p, const char *path, struct failure *f)
{
    struct output o;
    enum status status = output_open(&o, path, f);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < p->host_count; i++)
        for (int64_t core = 0; core < p->cores; core++)
            fprintf(o.stream, "%s\n", p->hosts[i]);
    return output_close(&o, f);
}

#ifndef MAXPOOL_HAVE_EXPAT
enum status platform_read(struct platform *out, const char *name, struct failure *f)
{
    *out = (struct platform){0};
    return fail(f, STATUS_UNAVAILABLE,
                "%s: platform files cannot be read: built without expat (Debian: libexpat1-dev)",
                name);
}
#else
#include <expat.h>

enum { HOSTS_MAX = 1 << 20, LINKS_MAX = 64 };

/* A <link>, found by its name. */
struct link {
    char name[64];
    struct channel channel;
};

/* State of reading one file; expat calls back into it. */
struct platform_reading {
    struct platform *platform;
    XML_Parser parser;
    struct failure *failure;
    struct link links[LINKS_MAX];
    size_t link_count;
    bool began, on_route; /* <platform> was seen; inside the one host's own <route> */
};

static int64_t line_of(const struct platform_reading *r)
{
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9 /* the other one is deprecated there */
    return (int64_t)XML_GetCurrentLineNumber64(r->parser);
#else
    return (int64_t)XML_GetCurrentLineNumber(r->parser);
#endif
}

static void refuse(struct platform_reading *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports an error; the first one ends the reading. */
static void refuse(struct platform_reading *r, const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fail(r->failure, STATUS_USAGE, "%s:%lld: %s", r->platform->path, (long long)line_of(r), text);
    XML_StopParser(r->parser, XML_FALSE);
}

/* Notes something that SimGrid may support, but the model does not. */
static void leave_to_simgrid(struct platform_reading *r, const char *what)
{
    if (!r->platform->unknown[0])
        text_fit_format(r->platform->unknown, sizeof r->platform->unknown,
                        "%s:%lld: the model does not know %s: one <cluster>, flat or FAT_TREE, or "
                        "one <host>",
                        text_brief(r->platform->path, 150).text, (long long)line_of(r),
                        text_brief(what, 60).text);
}

/* ---- attributes ----------------------------------------------------------------------------- */

static const char *find(const XML_Char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

static const char *need(struct platform_reading *r, const char *element,
                        const XML_Char **attributes, const char *name)
{
    const char *value = find(attributes, name);
    if (!value)
        refuse(r, "<%s> has no %s", element, name);
    return value;
}

/* Units in SimGrid's notation. The last unit of each table, "", is that of a plain number and ends
 * the table. */
struct unit {
    const char *name;
    double value;
};

static const struct unit seconds_units[] = {{"ps", 1e-12}, {"ns", 1e-9}, {"us", 1e-6},
                                            {"ms", 1e-3},  {"s", 1.0},   {"", 1.0}};
static const struct unit byte_units[] = {
    {"Bps", 1.0},          {"kBps", 1e3},      {"MBps", 1e6},     {"GBps", 1e9},
    {"TBps", 1e12},        {"bps", 0.125},     {"kbps", 0.125e3}, {"Mbps", 0.125e6},
    {"Gbps", 0.125e9},     {"Tbps", 0.125e12}, {"KiBps", 1024.0}, {"MiBps", 1048576.0},
    {"GiBps", 1073741824}, {"", 1.0}};
static const struct unit speed_units[] = {{"f", 1.0},   {"kf", 1e3},  {"Mf", 1e6}, {"Gf", 1e9},
                                          {"Tf", 1e12}, {"Pf", 1e15}, {"", 1.0}};

/* Parses a number of at least 0 with a unit of the table. Otherwise reports an error and returns
 * NaN. */
static double quantity(struct platform_reading *r, const char *name, const char *text,
                       const struct unit *units, const char *example)
{
    char *end;
    const double number = strtod(text, &end);
    if (end != text && number >= 0.0)
        for (const struct unit *u = units;; u++) {
            if (strcmp(u->name, end) == 0)
                return number * u->value;
            if (!*u->name)
                break;
        }
    refuse(r, "%s: '%s' is not a quantity such as %s", name, text, example);
    return NAN;
}

static double seconds_of(struct platform_reading *r, const char *name, const char *text)
{
    return quantity(r, name, text, seconds_units, "12.5us");
}

static double bytes_of(struct platform_reading *r, const char *name, const char *text)
{
    const double bytes = quantity(r, name, text, byte_units, "1.25GBps");
    if (bytes == 0.0)
        refuse(r, "%s must be above 0", name);
    return bytes;
}

static int64_t count_of(struct platform_reading *r, const char *name, const char *text)
{
    int64_t count = 0;
    if (!integer_read(text, 1, HOSTS_MAX, &count))
        refuse(r, "%s: '%s' is not a number from 1", name, text);
    return count;
}

/* ---- hosts ---------------------------------------------------------------------------------- */

static void add_host(struct platform_reading *r, const char *prefix, long long number,
                     const char *suffix)
{
    struct platform *p = r->platform;
    char *name = NULL;
    const int length = number < 0 ? asprintf(&name, "%s", prefix)
                                  : asprintf(&name, "%s%lld%s", prefix, number, suffix);
    char **grown =
        p->host_count % 64 ? p->hosts : realloc(p->hosts, (p->host_count + 64) * sizeof *grown);
    if (grown)
        p->hosts = grown;
    if (length < 0 || !grown || p->host_count >= HOSTS_MAX) {
        if (length >= 0)
            free(name);
        refuse(r, "too many hosts");
        return;
    }
    p->hosts[p->host_count++] = name;
}

/* Adds the hosts of a list "0-31,40,50-63". */
static void add_hosts(struct platform_reading *r, const char *prefix, const char *radical,
                      const char *suffix)
{
    for (const char *at = radical;; at++) {
        int64_t first = 0, last = 0;
        bool good = integer_take(&at, 0, INT64_MAX, &first);
        last = first;
        if (good && *at == '-') {
            at++;
            good = integer_take(&at, first, INT64_MAX, &last);
        }
        if (!good || (*at && *at != ',') || last - first >= HOSTS_MAX) {
            refuse(r, "radical: '%s' is not a list such as 0-63 or 0-7,9", radical);
            return;
        }
        for (int64_t i = first; i <= last; i++)
            add_host(r, prefix, i, suffix);
        if (!*at)
            return;
    }
}

/* Takes speed and cores; all hosts must have the same number of cores. */
static void take_host(struct platform_reading *r, const char *element, const XML_Char **attributes)
{
    struct platform *p = r->platform;
    const char *speed = need(r, element, attributes, "speed"), *core = find(attributes, "core");
    if (!speed)
        return;
    const double value = quantity(r, "speed", speed, speed_units, "1Gf");
    const int64_t cores = core ? count_of(r, "core", core) : 1;
    if (value == 0.0)
        refuse(r, "speed must be above 0");
    if (p->host_count > 0)
        leave_to_simgrid(r, "a second <host> or <cluster>");
    if (p->host_count > 0 && cores != p->cores) {
        refuse(r, "hosts with different numbers of cores: ranks are distributed by the first's");
        return;
    }
    p->speed = value;
    p->cores = cores;
}

/* ---- elements ------------------------------------------------------------------------------- */

static void begin_host(struct platform_reading *r, const XML_Char **attributes)
{
    const char *name = need(r, "host", attributes, "id");
    take_host(r, "host", attributes);
    if (name)
        add_host(r, name, -1, "");
}

static void begin_link(struct platform_reading *r, const XML_Char **attributes)
{
    const char *name = need(r, "link", attributes, "id");
    const char *bytes = need(r, "link", attributes, "bandwidth");
    const char *latency = find(attributes, "latency"), *policy = find(attributes, "sharing_policy");
    if (!name || !bytes)
        return;
    if (r->link_count == LINKS_MAX) {
        leave_to_simgrid(r, "that many links");
        return;
    }
    struct link *link = &r->links[r->link_count++];
    snprintf(link->name, sizeof link->name, "%s", name);
    link->channel.alone = bytes_of(r, "bandwidth", bytes);
    link->channel.latency_s = latency ? seconds_of(r, "latency", latency) : 0.0;
    link->channel.together =
        policy && strcmp(policy, "FATPIPE") == 0 ? (double)INFINITY : link->channel.alone;
}

static bool is_named(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static void begin_route(struct platform_reading *r, const XML_Char **attributes)
{
    const char *from = need(r, "route", attributes, "src"), *to = find(attributes, "dst");
    r->on_route = is_named(from, to) && r->platform->host_count == 1;
    if (from && !r->on_route)
        leave_to_simgrid(r, "a <route> between hosts");
    if (r->on_route)
        r->platform->inside = (struct channel){0.0, (double)INFINITY, (double)INFINITY};
}

static void begin_link_ctn(struct platform_reading *r, const XML_Char **attributes)
{
    const char *name = need(r, "link_ctn", attributes, "id");
    struct channel *path = &r->platform->inside;
    if (!name || !r->on_route)
        return;
    for (size_t i = 0; i < r->link_count; i++)
        if (strcmp(r->links[i].name, name) == 0) {
            const struct channel *one = &r->links[i].channel;
            path->latency_s += one->latency_s;
            path->alone = fmin(path->alone, one->alone);
            path->together = fmin(path->together, one->together);
            return;
        }
    refuse(r, "there is no <link id=\"%s\"> above", name);
}

/* Parses "LEVELS;hosts or switches below, by level;switches above;links between". */
static void take_fat_tree(struct platform_reading *r, const char *text)
{
    struct platform *p = r->platform;
    const char *at = text;
    if (!integer_take(&at, 1, PLATFORM_LEVELS, &p->levels) || *at != ';') {
        refuse(r, "topo_parameters: '%s' does not begin with 1 to %d levels and ';'", text,
               PLATFORM_LEVELS);
        return;
    }
    int64_t below = 1;
    for (int64_t level = 0; level < p->levels; level++) {
        int64_t children;
        at++;
        if (!integer_take(&at, 1, HOSTS_MAX, &children) ||
            *at != (level + 1 < p->levels ? ',' : ';')) {
            refuse(r, "topo_parameters: '%s' does not say what %lld levels have below them", text,
                   (long long)p->levels);
            return;
        }
        below *= children;
        p->below[level] = below;
    }
    if (below != (int64_t)p->host_count)
        refuse(r, "topo_parameters: '%s' is a tree of %lld hosts, not %zu", text, (long long)below,
               p->host_count);
}

static void take_topology(struct platform_reading *r, const XML_Char **attributes)
{
    struct platform *p = r->platform;
    const char *topology = find(attributes, "topology");
    p->levels = 1;
    p->below[0] = (int64_t)p->host_count;
    if (is_named(topology, "FAT_TREE")) {
        const char *parameters = need(r, "cluster", attributes, "topo_parameters");
        if (parameters)
            take_fat_tree(r, parameters);
    } else if (topology && strcmp(topology, "FLAT") != 0) {
        leave_to_simgrid(r, "this topology");
    }
    if (find(attributes, "bb_bw") || find(attributes, "bb_lat") || find(attributes, "limiter_link"))
        leave_to_simgrid(r, "a backbone or limiter link");
    const char *policy = find(attributes, "sharing_policy");
    if (policy && strcmp(policy, "SPLITDUPLEX") != 0)
        leave_to_simgrid(r, "links that are not SPLITDUPLEX");
}

static void begin_cluster(struct platform_reading *r, const XML_Char **attributes)
{
    struct platform *p = r->platform;
    const char *const names[] = {"id", "prefix", "suffix", "radical", "bw", "lat"};
    const char *values[sizeof names / sizeof *names];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!(values[i] = need(r, "cluster", attributes, names[i])))
            return;
    take_host(r, "cluster", attributes);
    add_hosts(r, values[1], values[3], values[2]);
    const double bytes = bytes_of(r, "bw", values[4]);
    p->link = (struct channel){seconds_of(r, "lat", values[5]), bytes, bytes};
    const char *inside = find(attributes, "loopback_bw"), *delay = find(attributes, "loopback_lat");
    if (inside && delay)
        p->inside = (struct channel){seconds_of(r, "loopback_lat", delay),
                                     bytes_of(r, "loopback_bw", inside), (double)INFINITY};
    else if (p->cores > 1)
        leave_to_simgrid(r, "a cluster without loopback_bw and loopback_lat");
    take_topology(r, attributes);
}

static void begin_prop(struct platform_reading *r, const XML_Char **attributes)
{
    const char *value = need(r, "prop", attributes, "value");
    if (value && is_named(find(attributes, "id"), "memory_bandwidth"))
        r->platform->memory_bandwidth = bytes_of(r, "memory_bandwidth", value);
}

static void begin_element(void *user, const XML_Char *name, const XML_Char **attributes)
{
    static const struct {
        const char *name;
        void (*begin)(struct platform_reading *r, const XML_Char **attributes);
    } elements[] = {{"host", begin_host},         {"link", begin_link},
                    {"route", begin_route},       {"cluster", begin_cluster},
                    {"link_ctn", begin_link_ctn}, {"prop", begin_prop}};
    struct platform_reading *r = user;
    if (!r->began && strcmp(name, "platform") != 0) {
        refuse(r, "a platform file begins with <platform>, not <%s>", name);
        return;
    }
    r->began = true;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (strcmp(elements[i].name, name) == 0) {
            elements[i].begin(r, attributes);
            return;
        }
    static const char *const passed_over[] = {"platform", "zone", "AS", "config"};
    for (size_t i = 0; i < sizeof passed_over / sizeof *passed_over; i++)
        if (strcmp(passed_over[i], name) == 0)
            return;
    leave_to_simgrid(r, name);
}

static void end_element(void *user, const XML_Char *name)
{
    struct platform_reading *r = user;
    if (strcmp(name, "route") == 0)
        r->on_route = false;
}

/* ---- the file ------------------------------------------------------------------------------- */

static enum status parse(struct platform_reading *r, FILE *file)
{
    char text[8192];
    bool last = false;
    while (!last) {
        const size_t bytes = fread(text, 1, sizeof text, file);
        last = bytes < sizeof text;
        if (ferror(file))
            return fail(r->failure, STATUS_USAGE, "%s: cannot be read", r->platform->path);
        if (XML_Parse(r->parser, text, (int)bytes, last) == XML_STATUS_ERROR)
            return fail(r->failure, STATUS_USAGE, "%s:%lld: %s", r->platform->path,
                        (long long)line_of(r), XML_ErrorString(XML_GetErrorCode(r->parser)));
    }
    if (r->platform->host_count == 0)
        return fail(r->failure, STATUS_USAGE, "%s: has no <host> and no <cluster>",
                    r->platform->path);
    return STATUS_OK;
}

static enum status read_file(struct platform *p, struct failure *f)
{
    FILE *file;
    int64_t file_bytes;
    enum status status = regular_stream(p->path, &file, &file_bytes, f);
    if (status != STATUS_OK)
        return status;
    struct failure own = {0};
    struct platform_reading r = {.platform = p, .parser = XML_ParserCreate(NULL), .failure = &own};
    status = STATUS_RESOURCE;
    if (r.parser) {
        XML_SetUserData(r.parser, &r);
        XML_SetElementHandler(r.parser, begin_element, end_element);
        status = parse(&r, file);
        XML_ParserFree(r.parser);
    } else {
        fail(&own, status, "%s: not enough memory", p->path);
    }
    fclose(file);
    return status == STATUS_OK ? status : fail(f, own.status, "%s", own.message);
}

enum status platform_read(struct platform *out, const char *name, struct failure *f)
{
    const size_t length = strlen(name);
    const bool path = strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".xml") == 0);
    *out = (struct platform){.memory_bandwidth = NAN};
    char folder[PATH_MAX];
    enum status status = path ? text_compose(out->path, sizeof out->path, f, "%s", name)
                              : text_compose(out->path, sizeof out->path, f, "%s/%s.xml",
                                             suite_share(folder, "platforms"), name);
    if (status == STATUS_OK)
        status = read_file(out, f);
    if (status != STATUS_OK)
        platform_release(out);
    return status;
}
#endif
