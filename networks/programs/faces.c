/* faces_serial, faces_omp: pictures embedded and compared with each other. */
#include "networks/faces/faces.h"
#include "networks/programs/work.h"

const struct work work = {.name = "faces",
                          .kind = &faces_row,
                          .subject = &faces_subject,
                          .open = faces_open,
                          .space = {.join = faces_join,
                                    .poison = faces_poison,
                                    .execute = faces_execute,
                                    .map = faces_map,
                                    .close = faces_close}};
