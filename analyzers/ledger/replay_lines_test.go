package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	goparser "go/parser"
	"go/printer"
	"go/token"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// replayCalls are calls that look like sites: for the ladder it matters how
// calls come and go, not whether these are ones.
const replayCalls = `\.(Decode|DecodeBatch|DecodeErr|Detokenize|I[dD]ToToken|TokenToPiece|Step|BackwardStep|TrainStep|RunSteps|RunEpochs|Backward|MustBackward)\(`

func kindByName(name string) site.Kind {
	switch {
	case strings.HasPrefix(name, "Decode"), name == "Detokenize", strings.EqualFold(name, "IDToToken"), name == "TokenToPiece":
		return site.Decode
	case strings.HasSuffix(name, "Step"), strings.HasPrefix(name, "Run") && (name == "RunSteps" || name == "RunEpochs"), strings.HasSuffix(name, "Backward"):
		return site.Step
	}
	return ""
}

// readCalls finds the calls of a file; one that does not parse has none.
func readCalls(path, text string) (out []placed) {
	set := token.NewFileSet()
	f, err := goparser.ParseFile(set, path, text, goparser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	for _, d := range f.Decls {
		name := "<package>"
		if fn, ok := d.(*ast.FuncDecl); ok {
			name = fn.Name.Name
			if fn.Recv != nil && len(fn.Recv.List) > 0 {
				name = printed(fn.Recv.List[0].Type) + "." + name
			}
		}
		ast.Inspect(d, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if s, ok := c.Fun.(*ast.SelectorExpr); ok && kindByName(s.Sel.Name) != "" {
				hash := sha256.Sum256([]byte(printed(c)))
				out = append(out, placed{
					call: call{kind: kindByName(s.Sel.Name), path: path, fn: name, callee: receiver(s.X) + "." + s.Sel.Name, shape: hex.EncodeToString(hash[:4])},
					line: set.Position(c.Pos()).Line, last: set.Position(c.End()).Line,
				})
			}
			return true
		})
	}
	return out
}

// printed is code without its line breaks and blanks.
func printed(n ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), n); err != nil {
		return fmt.Sprintf("%T", n)
	}
	return strings.Join(strings.Fields(b.String()), "")
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.CallExpr:
		return receiver(e.Fun)
	case *ast.IndexExpr:
		return receiver(e.X)
	}
	return ""
}

// lineMap is what git says of the lines of two commits, by old file.
type lineMap map[string]*fileLines

type fileLines struct {
	to    string // empty: gone
	hunks []hunkLines
}

// hunkLines is from, count in the old file, count in the new one.
type hunkLines struct{ from, minus, plus int }

func (h history) lineMap(a, b string) lineMap {
	out := lineMap{}
	var at *fileLines
	for _, line := range h.git("diff", "--unified=0", "--find-renames=50%", "--no-color", a, b, "--", "*.go") {
		switch {
		case strings.HasPrefix(line, "diff --git "):
			at = nil
		case strings.HasPrefix(line, "rename from "):
			at = &fileLines{}
			out[line[len("rename from "):]] = at
		case strings.HasPrefix(line, "rename to "):
			at.to = line[len("rename to "):]
		case at == nil && strings.HasPrefix(line, "--- a/"):
			at = &fileLines{to: line[len("--- a/"):]}
			out[at.to] = at
		case strings.HasPrefix(line, "+++ /dev/null") && at != nil:
			at.to = ""
		case strings.HasPrefix(line, "@@ ") && at != nil:
			at.hunks = append(at.hunks, readHunk(line))
		}
	}
	return out
}

func readHunk(line string) hunkLines {
	h, start := hunkLines{minus: 1, plus: 1}, 0
	words := strings.Fields(line)
	if n, _ := fmt.Sscanf(words[1], "-%d,%d", &h.from, &h.minus); n == 0 {
		return hunkLines{}
	}
	if n, _ := fmt.Sscanf(words[2], "+%d,%d", &start, &h.plus); n == 0 {
		return hunkLines{}
	}
	return h
}

// follow says where the first line of a call is now; false: one of its lines
// was changed, or its file is gone.
func (m lineMap) follow(p placed) (path string, line int, ok bool) {
	f := m[p.path]
	switch {
	case f == nil:
		return p.path, p.line, true
	case f.to == "":
		return "", 0, false
	}
	shift := 0
	for _, h := range f.hunks {
		from, last := h.from, h.from+h.minus-1
		if h.minus == 0 { // added behind line from
			from, last = h.from+1, h.from
		}
		switch {
		case last < p.line && from <= p.line:
			shift += h.plus - h.minus
		case from <= p.last:
			return "", 0, false
		}
	}
	return f.to, p.line + shift, true
}
