# Completion of cpustat for bash. Made by UPDATE=1 cargo test -p tools; do not edit.
_cpustat() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    case $before in
    -T) COMPREPLY=($(compgen -W "u d" -- "$word")) ;;
    *)
        case $word in
        -*) COMPREPLY=($(compgen -W "-c -p -T -n -s -t -D -h" -- "$word")) ;;
        *) COMPREPLY=($(compgen -W "" -- "$word")) ;;
        esac ;;
    esac
}
complete -F _cpustat cpustat
