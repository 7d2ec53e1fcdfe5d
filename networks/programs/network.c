/* network_serial, network_omp: one batch through a network. */
#include "networks/point/network_run.h"
#include "networks/point/peers.h"
#include "networks/programs/work.h"

const struct work work = {.name = "network",
                          .kind = &network_row,
                          .subject = &network_subject,
                          .peers = &network_peers,
                          .open = network_open,
                          .space = {.join = network_join,
                                    .poison = network_poison,
                                    .execute = network_execute,
                                    .execute_batch = network_execute_batch,
                                    .hold = network_hold,
                                    .check_guards = network_check_guards,
                                    .map = network_map,
                                    .close = network_close}};
