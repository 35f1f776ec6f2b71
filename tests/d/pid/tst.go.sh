# A Go program, with its symbol table and without: entries with the arguments of Go's convention while stacks grow and
# move, returns, stacks by frame pointers. Nothing of it breaks.
# @@needs go
# @@timeout 120
. "$(dirname "$0")/lib.bash"
mkdir "$dir/src" && cd "$dir/src" || exit 1
cat >go.mod <<'G'
module target
go 1.17
G
cat >main.go <<'G'
package main

import (
	"fmt"
	"sync"
)

//go:noinline
func Deep(n int, sum int) int {
	var room [256]byte
	room[n&255] = byte(n)
	if n == 0 {
		return sum
	}
	return Deep(n-1, sum+int(room[n&255])-int(byte(n))+1)
}

//go:noinline
func Pair(a int, text string, b int) (int, int) { return a + b, len(text) }

func main() {
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		all.Add(1)
		go func() { defer all.Done(); Deep(2000, 0) }()
	}
	all.Wait()
	a, b := Pair(40, "hello", 2)
	fmt.Println(Deep(5000, 0), a, b)
}
G
HOME=$dir GOFLAGS=-mod=mod GOTOOLCHAIN=local CGO_ENABLED=0 go build -o "$dir/target" . 2>"$dir/.go" || fail "go: $(cat "$dir/.go")"
traced() {
    run -q -c "$dir/$1" -n 'pid$target:a.out:main.Deep:entry { @ = count(); @most = max(arg0); }
        pid$target:a.out:main.Deep:return { @r = count(); }
        pid$target:a.out:main.Pair:entry { printf("pair %d %s %d\n", arg0, stringof(copyin(arg1, arg2)), arg3); ustack(2); }
        pid$target:a.out:main.Pair:return { printf("returned\n"); }
        END { printa("%@d entries\n", @); printa("%@d returns\n", @r); printa("most %@d\n", @most); }'
    ended 0
    prints '5000 42 5'
    prints '21009 entries'
    prints '21009 returns'
    prints 'most 5000'
    prints 'pair 40 hello 2'
    # (At an entry the caller is not on a chain of frame pointers yet.)
    prints '`main.Pair'; prints '`runtime.main+0x'
    prints 'returned'
}
traced target
HOME=$dir GOFLAGS=-mod=mod GOTOOLCHAIN=local CGO_ENABLED=0 go build -ldflags '-s -w' -o "$dir/bare" . || fail "go"
run -q -c "$dir/bare" -n 'pid$target:a.out:main.Pair:entry { trace("found"); }'
case $status in
    0) prints found ;;
    1) says "failed to lookup 'main.Pair' in module 'a.out'" ;;
esac
