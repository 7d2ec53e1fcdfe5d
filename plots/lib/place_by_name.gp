# place_of(i): a number for each name, in the order of the palette; the variants of a method are adjacent. After the
# last place, the numbers continue with the first.
array any_names[400]
do for [j = 1:400] { any_names[j] = "" }
find_any(j, text) = any_names[j] eq text ? j : strlen(any_names[j]) == 0 ? (any_names[j] = text, j) : find_any(j % 400 + 1, text)
place_of(i) = find_any(10 * int(column("place")) % 400 + 1, name_of(i))
