# Shows the curves of one offload, `shown`, and those of programs without one beside them.
wanted(row) = strlen(stringcolumn(ycol)) > 0 && strlen(stringcolumn(series)) > 0 && \
              (stringcolumn("offload") eq shown || strlen(stringcolumn("offload")) == 0)
