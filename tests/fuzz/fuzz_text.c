/* Any bytes as a text matrix. */
#include "harness/image/sources/source_kind.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) /* fmemopen accepts no empty text */
        return 0;
    FILE *stream = fmemopen((void *)data, size, "r");
    if (!stream)
        abort();
    struct source *s = NULL;
    struct failure f = {STATUS_OK, ""};
    enum status status = source_open_text_stream(&s, stream, "text", &f);
    fuzz_read(s, status, &f);
    fclose(stream);
    return 0;
}
