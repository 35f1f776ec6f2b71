# Completion of dtrace for bash. Made by UPDATE=1 cargo test -p dtrace; do not edit.
_dtrace() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    case $before in
    -s|-o) COMPREPLY=($(compgen -f -- "$word")) ;;
    -I|-L) COMPREPLY=($(compgen -d -- "$word")) ;;
    -p) COMPREPLY=($(cd /proc && compgen -W "$(echo [0-9]*)" -- "$word")) ;;
    -O) COMPREPLY=($(compgen -W "text json flame heatmap trace" -- "$word")) ;;
    --dump) COMPREPLY=($(compgen -W "ast typed ir asm" -- "$word")) ;;
    -x) COMPREPLY=($(compgen -W "aggpercpu amin= argref cpp cpphdrs cpppath= define= incdir= undef= cppargs= defaultargs empty errtags droptags verbose encoding= evaltime= iregs= tregs= kdefs udefs late= lazyload libdir= syslibdir= without= linkmode= linktype= linknommap nolibs pgmax= pspec setenv= unsetenv= stdc= strip preallocate= version= zdefs aggrate= aggsize= bufpolicy= bufresize= bufsize= cleanrate= cpu= dynvarsize= jstackframes= jstackstrsize= nspec= specsize= stackframes= stackindent= statusrate= strsize= switchrate= temporal ustackframes= unwindsize= destructive quiet flowindent rawbytes agghist aggpack aggzoom aggsortkey aggsortkeypos= aggsortpos= aggsortrev maxframes= lockmem= scratchsize= printsize= bpflog bpflogsize= times noresolve progsize= demangle title= unit= quietresize" -- "$word")); [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace ;;
    -c) COMPREPLY=($(compgen -c -- "$word")) ;;
    *)
        case $word in
        -*) COMPREPLY=($(compgen -W "-n -P -m -f -i -s -c -p -l -e -q -o -O -x -v -S -w -F -Z -b -C -D -U -I -H -X -L -V -3 -6 -h -G --dump --explain --help" -- "$word")) ;;
        *) COMPREPLY=($(compgen -f -- "$word")) ;;
        esac ;;
    esac
}
complete -F _dtrace dtrace
