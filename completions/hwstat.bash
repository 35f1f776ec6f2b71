# Completion of hwstat for bash. Made by UPDATE=1 cargo test -p tools; do not edit.
_hwstat() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    case $before in
    *)
        case $word in
        -*) COMPREPLY=($(compgen -W "-a -c -k -u -h" -- "$word")) ;;
        *) COMPREPLY=($(compgen -W "" -- "$word")) ;;
        esac ;;
    esac
}
complete -F _hwstat hwstat
