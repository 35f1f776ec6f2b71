# Completion of lockstat for bash. Made by UPDATE=1 cargo test -p tools; do not edit.
_lockstat() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    case $before in
    -o) COMPREPLY=($(compgen -f -- "$word")) ;;
    *)
        case $word in
        -*) COMPREPLY=($(compgen -W "-C -E -H -I -A -e -i -b -t -h -s -n -l -f -d -T -c -k -g -w -W -R -p -P -D -o -V -x --help" -- "$word")) ;;
        *) COMPREPLY=($(compgen -c -- "$word")) ;;
        esac ;;
    esac
}
complete -F _lockstat lockstat
