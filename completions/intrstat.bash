# Completion of intrstat for bash. Made by UPDATE=1 cargo test -p tools; do not edit.
_intrstat() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    case $before in
    -T) COMPREPLY=($(compgen -W "u d" -- "$word")) ;;
    *)
        case $word in
        -*) COMPREPLY=($(compgen -W "-c -T -H -V -x -h" -- "$word")) ;;
        *) COMPREPLY=($(compgen -W "" -- "$word")) ;;
        esac ;;
    esac
}
complete -F _intrstat intrstat
