# Completion of calibrate for bash. Made by UPDATE=1 cargo test -p tools; do not edit.
_calibrate() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    case $before in
    *)
        case $word in
        -*) COMPREPLY=($(compgen -W "-n -t -m -h" -- "$word")) ;;
        *) COMPREPLY=($(compgen -W "" -- "$word")) ;;
        esac ;;
    esac
}
complete -F _calibrate calibrate
