package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/trainvet/trainvet/analyzers"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
	"github.com/trainvet/trainvet/internal/plain"
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
	switch args[len(args)-1] {
	case fullVersion:
		id, err := analyzers.ToolID("")
		if err != nil {
			return cannotAnswer(err)
		}
		fmt.Printf("trainvet version devel buildID=%s\n", id)
		return 0
	case "-flags":
	default:
		whole, err := unit.Whole(args)
		if err != nil {
			return cannotAnswer(err)
		}
		os.Args = append(os.Args[:1:1], whole...) // where unitchecker looks for them
	}
	unitchecker.Main(analyzers.All()...)
	return 0
}

func cannotAnswer(err error) (exit int) {
	fmt.Fprintln(os.Stderr, "trainvet:", plain.Line(err.Error(), 0))
	return 1
}
