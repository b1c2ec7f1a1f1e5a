package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/trainvet/trainvet/analyzers"
)

// fullVersion is how the go command asks for the key of its cache.
const fullVersion = "-V=full"

// vettool reports whether the go command started this program as its vet tool:
// the protocol's words all begin with a dash or name a unit's file.
func vettool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	for _, a := range args[:len(args)-1] {
		if !strings.HasPrefix(a, "-") {
			return false
		}
	}
	return len(args) == 1 && (last == fullVersion || last == "-flags") ||
		!strings.HasPrefix(last, "-") && strings.HasSuffix(last, ".cfg")
}

// answerGo answers the go command; it does not return where the answer is a
// unit's.
func answerGo(args []string) (exit int) {
	if args[0] != fullVersion {
		unitchecker.Main(analyzers.All()...)
	}
	id, err := analyzers.ToolID("")
	if err != nil {
		fmt.Fprintln(os.Stderr, "trainvet:", err)
		return 1
	}
	fmt.Printf("trainvet version devel buildID=%s\n", id)
	return 0
}
