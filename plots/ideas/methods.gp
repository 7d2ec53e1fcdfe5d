# Every method: time of one window over n, a panel for one worker and one for several.
load plots."/lib/style.gp"
# The image sizes at which an image of floats fills a cache of one worker.
caches = 0
array cache_name[8]; array cache_n[8]
take_cache(name, bytes) = caches < 8 ? (caches = caches + 1, cache_name[caches] = name, cache_n[caches] = sqrt(bytes / 4.0), 0) : 0
set table $unused
plot ceilings using (text_in("bytes") && column("workers") == 1 ? take_cache(stringcolumn("label"), column("bytes")) : 0):(0) with table
unset table
panels = 2
in_panel(i) = text_in("rung") && text_in("size") && (i == 1) == (column("workers") == 1)
name_of(i) = stringcolumn("method")
place_of(i) = int(column("place")) + 1
panel_title(i) = i == 1 ? T("one worker") : T("all workers")
xcol(i) = "size"
xlabel_of(i) = T("n, rows and columns")
ycol(i) = "window_ns"; lowcol(i) = "window_lower_ns"; highcol(i) = "window_upper_ns"
ylabel_of(i) = T("ns per window")
y_format(i) = "%g"
x_log(i) = 1
y_log(i) = 1
dash_of(i) = stringcolumn("kind") eq "maximum" ? 2 : 1
load plots."/lib/panels.gp"
