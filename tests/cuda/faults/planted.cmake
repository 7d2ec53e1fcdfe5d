# The table of faults: faults_of() and fault() are of CMakeLists.txt.

# ---- pooling and products, found by the grid --------------------------------------------------------

faults_of(tiled.cu grid product)
fault(product_fetch_barrier "«if (!FAULT) »__syncthreads(); /* the tiles are complete */\n        for")
fault(partial_barrier "«if (!FAULT || row < t.rows) »__syncthreads(); /* the tiles are complete */\n        for"
    "wait at different barriers: .*, block .0, 0, 0., kernel .*product_tiled")
fault(early_return "    float sum = 0.0f;«\n    if (FAULT && row >= t.rows) return;»"
    "a barrier was reached by [0-9]+ of (256|1024) threads: .*, block .[01], 0, 0., kernel .*product_tiled")
fault(tile_edge "row < t.rows && «(FAULT || »q0 + x < n«)»;" memory)
fault(product_reuse_barrier "«if (!FAULT) »__syncthreads(); /* no thread reads them any more */\n    }\n    if (row")
faults_of(tiled.cu grid image)
fault(pool_fetch_barrier "                «if (!FAULT) »__syncthreads(); /* the tiles are complete */")
fault(pool_reuse_barrier "                «if (!FAULT) »__syncthreads(); /* no thread reads them any more */")
fault(halo_row_short "return y < HEIGHT« - FAULT» && x")
fault(halo_one_short "&& x < WIDTH« - FAULT»;")
fault(tile_inside "&& right < t.in_cols« + FAULT»;" memory)

faults_of(naive.cu grid product)
fault(product_edge "if (row < t.rows && «(FAULT || »col < t.cols«)»)" memory)
fault(product_filter_of_plane_0
    "= plane_of(all, blockIdx.z);«\n    if (FAULT) const_cast<struct product_task &>(t).b_first = 0;»")
faults_of(naive.cu grid image)
fault(pool_edge "if («(FAULT || »row < t.out_rows«)» && col < t.out_cols)" memory)

faults_of(registers.cu grid product)
fault(registers_filter_of_plane_0 "in_range ? &t.b[«(FAULT ? 0 : »t.b_first«)» + ")
fault(registers_barrier "«if (!FAULT) »__syncthreads(); /* this pair is complete, and no thread reads the other one */")
fault(registers_wait "«if (!FAULT) »copy_wait();")
fault(registers_same_pair "pairs[«FAULT ? now : »1 - now], all, step")
fault(registers_last_terms "(terms + «(FAULT ? 0 : »TILES::TERMS - 1«)»)")
fault(registers_whole_tail "serve ? (int)(terms / TILES::TERMS)« + FAULT»" memory)
fault(registers_whole_below "return (int64_t)blockIdx.y * «(FAULT ? 128 : »TILES::ROWS«)»;")
fault(registers_whole_offset "to_b = row * «(»ROW« - 4 * FAULT)» + col;")
fault(registers_whole_step "from += «FAULT ? 0 : »TILES::TERMS;")
fault(registers_tail "if (row < t.rows && col + p < t.cols« + FAULT»)" memory)
fault(registers_rows "if (row < t.rows« + FAULT» && col < t.cols && t.cols % 4 == 0" memory)
fault(registers_terms_beyond "const bool in_range = «(FAULT || »q < terms«)» && c < t.cols;" memory)
fault(registers_tile_below "blockIdx.y * «(FAULT ? 128 : »TILES::ROWS«)» + row")
fault(registers_half_of_b "if («(»OF_B >= OF_A || number < OF_B«) && (!FAULT || number < OF_A)»)")
fault(registers_last_column "for (int p = 0; p < 4« - FAULT»; p++)")
fault(product_piece_of_a "own.a += «FAULT ? 0 : »piece.first;")
fault(product_piece_of_b "own.b_first += «(FAULT ? 0 : »piece.first«)» * t.cols;")
fault(product_piece_of_the_next "return (count)(left < t.piece_terms ? left : t.piece_terms« + FAULT»);")
fault(product_piece_first_place "t.parts + («(FAULT ? 0 : »piece.number«)» * t.piece_stride")
fault(product_piece_of_plane_0 " + «(FAULT ? 0 : »piece.plane«)» * t.c_plane);")
fault(product_piece_dropped "(unsigned)t.first_piece + plane_of_grid()« - (FAULT && (int)blockIdx.z == t.pieces - 1)»;")

faults_of(loop.cu grid image)
fault(loop_step "row < t.out_rows; row += «(1 + FAULT) * »down")

faults_of(roof.cu grid image)
fault(roof_tail "if (col + w < t.out_cols« + FAULT»)" memory)
fault(roof_piece_beyond_the_row "«(FAULT ? c.left < t.in_cols : »c.left + 4 * pieces(SIZE) <= t.in_cols«)»" memory)
fault(roof_row_above "«(FAULT || »c.top >= 0«)» && " memory)
fault(roof_second_strip "blockIdx.x * STRIPS + «(FAULT ? 0 : »u«)»")

# ---- convolution, found by the grid, or by the verification of conv_cuda itself ----------------------

faults_of(conv_tiled.cu grid conv)
fault(conv_fetch_barrier "«if (!FAULT) »__syncthreads(); /* the tiles are complete */")
fault(conv_reuse_barrier "«if (!FAULT) »__syncthreads(); /* no thread reads them any more */")
fault(conv_pixel_tail "const bool in_range = number < pixels_of<INT>(t)« + FAULT»;" memory)
fault(conv_filter_tail "if (in_range && filter + i < (INT)t.filters« + FAULT»)" memory)
fault(conv_last_terms "q0« + (FAULT ? TILING::TERMS - 1 : 0)» < piece.end; q0 += TILING::TERMS")
fault(conv_terms_beyond "first + filter < (INT)t.filters && «(FAULT || »q < piece.end«)»;" memory)
fault(conv_halo_one_short "p.left + at.j« - (FAULT && at.j > 0 && at.j == t.kernel - 1)»);")
fault(conv_group "const INT channel = «(FAULT ? 0 : »piece.group * (INT)t.depth«)» + at.channel;")
faults_of(conv_tiled.cu conv ${epilogue} --method tiled)
fault(store_without_residual
    "        «FAULT ? (void)(t.map[p.output + filter * t.out.channel] = conv_clamp(t, sum))
                : »set_conv<INT>(t, filter, p, sum);")
faults_of(conv_tiled.cu network_grid)
fault(piece_of_the_next "? piece.first + (INT)t.piece_terms« + FAULT»\n")
fault(piece_first_place "(t.parts + «(FAULT ? 0 : »(int64_t)piece.number«)» * t.piece_stride)")
fault(piece_not_apart "«if (t.pieces > 1 && FAULT) set_conv<INT>(t, filter, p, sum);
    else »if (t.pieces > 1)\n        (t.parts")
fault(piece_gap "piece.first = piece.number * (INT)t.piece_terms« + (FAULT && piece.number > 0)»;")

faults_of(conv_naive.cu grid conv)
fault(conv_edge "if («(!FAULT && »filter >= (INT)(t.groups * t.filters)«)» || number >= pixels_of<INT>(t))" memory)
fault(conv_last_row_of_window "for (int i = 0; i < k« - (FAULT && k > 2)»; i++)")

faults_of(conv_depthwise.cu grid conv)
fault(depthwise_skipped_row "const bool row_inside = is_below(top + row, t.in_rows)« && !(FAULT && row == DOWN)»;")
fault(depthwise_halo "inside[j] = «FAULT || »is_below(left + j, t.in_cols);")
fault(depthwise_row_tail "if (s.row + n < (INT)t.out_rows« + FAULT»)" memory)
fault(depthwise_channel
    "s.image * (INT)t.in.image + «(FAULT ? 0 : »quotient(s.filter, t.by.filters)«)» * (INT)t.in.channel;")

faults_of(conv_pass.cu conv ${epilogue} --epilogue pass)
fault(pass_tail "number« + FAULT» < pixels_of<INT>(t)")
fault(pass_without_factor "t.factor« && !FAULT» ? sum * t.factor[filter] : sum")
faults_of(conv_pass.cu network_grid)
fault(parts_last_missing "i < t.pieces« - FAULT»; i++")
fault(parts_twice_the_first "(INT)t.out.channel);\n    float sum = «FAULT ? part[0] : »0.0f;")

faults_of(conv_registers.cu grid large)
fault(conv_registers_barrier
    "«if (!FAULT) »__syncthreads(); /* this pair is complete, and no thread reads the other one */")
fault(conv_registers_wait "«if (!FAULT) »copy_wait();")
fault(conv_registers_same_pair "copies.fetch(pairs[«FAULT ? now : »1 - now], taps")
fault(conv_registers_other_table "taps[«FAULT ? now : »1 - now], t")
fault(conv_registers_table "«if (!FAULT) »__syncthreads(); /* both tables are complete */")
fault(conv_registers_wrong_half
    "«(»thread / ACROSS« + (FAULT && TILES::ROWS == 64 ? 32 : 0)) % TILES::ROWS» * ROW")
fault(conv_registers_last_terms "q0« + (FAULT ? TERMS - 1 : 0)» < tile.terms; q0 += TERMS")
fault(conv_registers_terms_beyond "filter < (INT)t.filters && «(FAULT || »q < piece.end«)»;" memory)
fault(conv_registers_halo_one_short "is_below(p.left + j, t.in_cols« - FAULT»))")
fault(conv_registers_halo_any "is_below(left + tap.j, t.in_cols« - FAULT»);")
fault(conv_registers_group "(p.image + «(FAULT ? 0 : »piece.group«)» * (INT)t.depth * (INT)t.in.channel")
fault(conv_registers_third_of_four "sum[i][j + 2« - FAULT»])")
fault(conv_registers_last_pixel "if (!fours && number < pixels« - FAULT»)")
fault(conv_registers_filter_tail "        if (own < (INT)t.filters« + FAULT»)\n            *reinterpret_cast" memory)
faults_of(conv_registers.cu conv -n 18 --channels 2 --filters 100 --residual random --samples 1 --method tiled)
fault(conv_registers_residual "p.residual + 1« - FAULT», ")

# ---- distances, found by the grid ---------------------------------------------------------------------

faults_of(distances/distances_tiled.cu grid distances)
fault(distances_fetch_barrier "«if (!FAULT) »__syncthreads(); /* the tiles are complete */")
fault(distances_reuse_barrier "«if (!FAULT) »__syncthreads(); /* no thread reads them any more */")
fault(distances_tail "if (row < t.rows && col < t.cols« + FAULT»)" memory)
fault(distances_dimensions_beyond "first + point < count && «(FAULT || »k < t.dimensions«)»;" memory)
fault(distances_last_dimensions "k0« + (FAULT ? BLOCK - 1 : 0)» < t.dimensions; k0 += BLOCK")

faults_of(distances/distances_naive.cu grid distances)
fault(distances_edge "if (row >= t.rows || «(!FAULT && »col >= t.cols«)»)" memory)

faults_of(distances/distances_registers.cu grid large)
fault(distances_registers_barrier
    "«if (!FAULT) »__syncthreads(); /* this pair is complete, and no thread reads the other one */")
fault(distances_registers_wait "«if (!FAULT) »copy_wait();")
fault(distances_registers_last_dimensions "k0« + (FAULT ? DIMENSIONS - 1 : 0)» < t.dimensions; k0 += DIMENSIONS")
fault(distances_registers_dimensions_beyond "point < count && «(FAULT || »k < dimensions«)»;" memory)
fault(distances_registers_mirror "own > tile.row« + (FAULT ? SIDE : 0)» && own < t.rows;")
fault(distances_registers_diagonal "own >= 0 && own < tile.row« + (FAULT ? SIDE : 0)»;")
fault(distances_registers_shift "t.same« && !FAULT» ? (SIDE - t.own_col % SIDE) % SIDE : 0;")
fault(distances_registers_tail "if (row >= t.rows || col < 0 || col >= t.cols« + FAULT»)" memory)
fault(distances_registers_mirrored_tail "tile.mirrored && col - t.own_col < t.rows« + FAULT»)" memory)

# ---- layers of networks, found by networks ------------------------------------------------------------

faults_of(layers.cu network_grid)
fault(layers_barrier "«if (!FAULT) »__syncthreads(); /* all sums of the round before are there */")
fault(layers_last_elements "i« + FAULT» < t.elements; i +=")
fault(layers_last_sum "half > 0« + FAULT»; half /= 2")
fault(layers_finish_tail "if (i« + FAULT» >= t.planes * t.elements)")
fault(layers_clamp_first "const float value = t.added« && !(FAULT && t.clamped)» ? t.from[i] + t.added[i] : t.from[i];")

# ---- gradients and updates, found by trainings --------------------------------------------------------

faults_of(conv_gradient.cu training_grid)
fault(gradient_fetch_barrier "«if (!FAULT) »__syncthreads(); /* the tiles are complete */")
fault(gradient_reuse_barrier "«if (!FAULT) »__syncthreads(); /* no thread reads them any more */")
fault(gradient_last_outputs "q0« + (FAULT ? OUTPUTS - 1 : 0)» < end; q0 += OUTPUTS")
fault(gradient_next_shard "const bool in_range = q0 + output < end« + FAULT»;" memory)
fault(gradient_filter_tail "if (filter < (INT)t.filters« + FAULT» && term < terms)" memory)
fault(gradient_halo_one_short "p.left + at.j« - (FAULT && at.j > 0 && at.j == t.kernel - 1)»);")
fault(gradient_group "const INT channel = «(FAULT ? 0 : »tile.group * (INT)t.depth«)» + at.channel;")
fault(gradient_missing_piece "p < (s + 1) * t.pieces« - FAULT»; p++")
fault(gradient_missing_shard "s < t.shards« - FAULT»; s++")
fault(bias_barrier "«if (!FAULT) »__syncthreads(); /* all sums of the round before are there */")
fault(bias_last_sum "half > 0« + FAULT»; half /= 2")
fault(bias_next_piece "const INT end = piece_begin<INT>(g, piece + 1)« + FAULT»;" memory)
fault(bias_first_piece "(g.to + «(FAULT ? 0 : »(int64_t)piece«)» * g.piece_stride)[filter] = sum;")
fault(turn_by_one "window + «(FAULT ? i - line * window : »window - 1 - (i - line * window)«)»")
faults_of(conv_gradient.cu grid product)
fault(product_piece_twice "float sum = «FAULT && s == 0 ? from[i] : »0.0f;\n        for (int64_t p = s")
faults_of(conv_gradient.cu training_grid maps)
fault(bias_carry "if (pixel >= pixels« + FAULT») {")
faults_of(conv_gradient.cu training_grid strides)
fault(image_last_window "col - x * stride < kernel« - FAULT»; x--")

faults_of(conv_lattices.cu training_grid strides)
fault(lattice_fetch_barrier "«if (!FAULT) »__syncthreads(); /* the tiles are complete */")
fault(lattice_reuse_barrier "«if (!FAULT) »__syncthreads(); /* no thread reads them any more */")
fault(lattice_last_terms "q0« + (FAULT ? TERMS - 1 : 0)» < terms; q0 += TERMS")
fault(lattice_skipped_row "if (is_below(y, g.conv.out_rows« - FAULT») && ")
fault(lattice_halo "«(FAULT || »is_below(x, g.conv.out_cols)«)»)" memory)
fault(lattice_from "c.from = remainder < shift« && !FAULT» ? whole + 1 : whole;")
fault(lattice_element_tail "e.col < (INT)g.conv.in_cols« + FAULT»;" memory)
fault(lattice_channel_tail "if (e.in_range && channel + i < (INT)t.depth« + FAULT»)" memory)
fault(lattice_order
    "const INT sorted = group * pairs + «(FAULT ? filter * depth + channel : »channel * filters + filter«)»;")

faults_of(elementwise.cu training_grid)
fault(drop_other_image "mask_key(*t.key, t.first_image + «(FAULT ? 0 : »image«)»)")
fault(drop_unscaled "t.dropped) ? t.values[i] * «(FAULT ? 1.0f : »t.scale«)» : 0.0f")
fault(gate_edge "«(FAULT ? y >= t.least : »y > t.least«)» && y < t.most")

faults_of(training/pool_backward.cu training_grid)
fault(pool_every_maximum "if (other > value || («!FAULT && »before && other == value))")
fault(pool_last_window "quotient(at + (INT)t.padding, t.by.stride) + 1« - FAULT», outputs)")

faults_of(training/losses.cu training_grid)
fault(loss_wrong_sign "«(FAULT ? -1.0 : 1.0) * (»exp(y[i] - most) * share - (i == label ? 1.0 : 0.0)«)»")
faults_of(training/losses.cu training_grid vectors)
fault(loss_missing_half "(float)(«(FAULT ? 1.0 : »2.0«)» * difference")

faults_of(training/updates.cu training_grid)
fault(adam_wrong_sign "t.parameters[i] -= «(FAULT ? -1.0f : 1.0f) * »rate * first")
fault(adam_missing_epsilon "(sqrtf(second) * root + «(FAULT ? 0.0f : »t.epsilon«)»)")
fault(update_tail "«if (i + FAULT >= t.count) return;\n    »const float gradient = t.gradients[i];")
faults_of(training/updates.cu training_grid vectors)
fault(sgd_missing_term "const float velocity = «(FAULT ? 0.0f : »t.keep[0] * t.moments[0][i]«)» + t.gradients[i];")

# ---- positions of 32 and of 64 bits, found by their borders and by arrays beyond them -----------------

faults_of(launch.cu positions_grid)
fault(divisor_unrounded "(uint64_t)by + 1« - FAULT»)")
fault(divisor_shift "INT64_C(1) << «(»d.shift« + FAULT)» < by")
fault(narrow_always "return «FAULT || »number <= INT32_MAX")
fault(narrow_one_more "number <= INT32_MAX« + (double)FAULT»;")
fault(narrow_outputs "«(FAULT || »fits(outputs + BEYOND)«)»")
fault(narrow_weights "«(FAULT || »fits(weights + BEYOND)«)»")
fault(narrow_image "fits(«(FAULT ? 0.0 : 1.0) * »end_of(&t->in, ")
fault(narrow_map "fits(«(FAULT ? 0.0 : 1.0) * »end_of(&t->out, ")
fault(narrow_residual "fits(«(FAULT ? 0.0 : 1.0) * »end_of(&t->residual, ")
fault(narrow_begin "«(FAULT || »fits(-(double)t->top * row - (double)t->left)«)»")
fault(narrow_end "«(FAULT || »fits(last + down * row + right)«)»")
fault(narrow_tap "«(FAULT || »fits(term)«)»")
fault(narrow_above "«(FAULT || »fits((double)t->in_rows - (double)t->top)«)»")

faults_of(training/conv_gradient_registers.cu positions_grid)
fault(weight_registers_barrier
    "«if (!FAULT) »__syncthreads(); /* this pair is complete, and no thread reads the other one */")
fault(weight_registers_wait "«if (!FAULT) »copy_wait();")
fault(weight_registers_table "«if (!FAULT) »__syncthreads(); /* the table is complete */")
fault(weight_registers_same_pair "fetch<DOWN, VECTORS, INT>(pairs[«FAULT ? now : »1 - now], places")
fault(weight_registers_last_outputs "q0« + (FAULT ? OUTPUTS - 1 : 0)» < end; q0 += OUTPUTS")
fault(weight_registers_next_piece "const bool there = q0 + output < end« + FAULT»;")
fault(weight_registers_vector_edge "is_below(x, t.in_cols« + FAULT»);\n    const INT element")
fault(weight_registers_last_part "(first« || FAULT» ? 0.0f : *weight) + sum[i][j];")
fault(weight_registers_filter_tail "if (filter < o.filters« + FAULT» && term < o.terms) {" memory)
fault(weight_registers_group "places[column].channel = («(FAULT ? 0 : »o.tile.group * (INT)t.depth«)» + at.channel)")
fault(weight_registers_halo
    "const INT y = p.top + at.i, x = p.left + at.j« - (FAULT && at.j > 0 && at.j == t.kernel - 1)»;")
