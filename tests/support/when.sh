#!/bin/sh
# Runs a command and sends it a signal once a file has BYTES bytes; exits with the status of the command.
#   when.sh SIGNAL FILE BYTES COMMAND...
signal=$1 file=$2 bytes=$3
shift 3
"$@" &
command=$!
until [ -f "$file" ] && [ "$(wc -c <"$file")" -ge "$bytes" ] || ! kill -0 $command; do
    sleep 0.02
done
kill -s "$signal" $command
wait $command
