# Completion of plockstat for bash. Made by UPDATE=1 cargo test -p tools; do not edit.
_plockstat() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    case $before in
    -p) COMPREPLY=($(cd /proc && compgen -W "$(echo [0-9]*)" -- "$word")) ;;
    *)
        case $word in
        -*) COMPREPLY=($(compgen -W "-A -C -H -e -n -p -s -v -V -x -h" -- "$word")) ;;
        *) COMPREPLY=($(compgen -c -- "$word")) ;;
        esac ;;
    esac
}
complete -F _plockstat plockstat
