# Completion of cputrack for bash. Made by UPDATE=1 cargo test -p tools; do not edit.
_cputrack() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    case $before in
    -o) COMPREPLY=($(compgen -f -- "$word")) ;;
    -p) COMPREPLY=($(cd /proc && compgen -W "$(echo [0-9]*)" -- "$word")) ;;
    *)
        case $word in
        -*) COMPREPLY=($(compgen -W "-c -T -N -e -f -n -t -v -o -p -D -h" -- "$word")) ;;
        *) COMPREPLY=($(compgen -c -- "$word")) ;;
        esac ;;
    esac
}
complete -F _cputrack cputrack
