# Sourced by the scripts that generate a page of docs/ from the programs' own output.

# put_page CHECK NEW PAGE COMPLAINT: writes the new text to the page. If CHECK is 1, it instead fails, with the
# difference and the complaint, if the page differs from the new text.
put_page() {
    if [ "$1" != 1 ]; then
        cat "$2" >"$3"
    elif ! diff -u "$3" "$2"; then
        echo "$4" >&2
        return 1
    fi
}
