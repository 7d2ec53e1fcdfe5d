# Sourced by the scripts that write a page of docs/ from what the programs say.

# put_page CHECK NEW PAGE COMPLAINT: where CHECK is 1, fails with the difference and the complaint unless the page
# has the new text; otherwise writes it there.
put_page() {
    if [ "$1" != 1 ]; then
        cat "$2" >"$3"
    elif ! diff -u "$3" "$2"; then
        echo "$4" >&2
        return 1
    fi
}
