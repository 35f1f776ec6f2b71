# Completion of prstat for bash. Made by UPDATE=1 cargo test -p tools; do not edit.
_prstat() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    case $before in
    -d) COMPREPLY=($(compgen -W "u d" -- "$word")) ;;
    *)
        case $word in
        -*) COMPREPLY=($(compgen -W "-m -L -p -n -s -d -V -x -h" -- "$word")) ;;
        *) COMPREPLY=($(compgen -W "" -- "$word")) ;;
        esac ;;
    esac
}
complete -F _prstat prstat
