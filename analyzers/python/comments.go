package python

import (
	"bytes"
	"fmt"
	"regexp"
	"sort"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

const (
	mark    = "trainvet:"
	markEnd = "vet:"
)

// maxComments bounds the work for a hostile file: each comment is held against
// each statement.
const maxComments = 1000

var (
	ignoreForm = regexp.MustCompile(`^ignore\[([^\]]*)\]\s*(.*)$`)
	untilForm  = regexp.MustCompile(`^until=(\S+)\s*`)
)

// comment is one that speaks to trainvet.
type comment struct {
	at, end int    // of the # and behind the comment
	text    string // behind the mark
	alone   bool   // nothing but blanks stands before it on its line
}

// comments reads the directives and inline exemptions of a file.
func (w *worker) comments(src *source) {
	list := commentsOf(&src.file.Tree)
	if len(list) == 0 {
		return // nearly every file
	}
	if len(list) > maxComments {
		w.res.Findings = append(w.res.Findings, site.Finding{Code: "TV907", At: src.position(list[maxComments].at), Message: fmt.Sprintf("# trainvet: a file may speak to trainvet %d times, the rest is not read", maxComments)})
		list = list[:maxComments]
	}
	spans := statements(&src.file.Tree)
	for _, c := range list {
		if word, _, _ := strings.Cut(c.text, "["); word == "ignore" || strings.HasPrefix(c.text, "ignore ") {
			w.res.Ignores = append(w.res.Ignores, ignore(src, c, spans))
			continue
		}
		w.directive(src, c)
	}
}

// commentsOf finds them: nearly no file has the mark at all.
func commentsOf(tree *syntax.Tree) []comment {
	var out []comment
	text := tree.Text()
	for i := 0; ; {
		// The rarest letter first: twice as fast as looking for the whole mark.
		j := bytes.Index(text[i:], []byte(markEnd))
		if j < 0 {
			break
		}
		i += j + len(markEnd)
		at := i - len(mark)
		if at < 0 || string(text[at:i]) != mark {
			continue
		}
		hash := at
		for hash > 0 && (text[hash-1] == ' ' || text[hash-1] == '\t') {
			hash--
		}
		if hash--; hash < 0 || text[hash] != '#' {
			continue
		}
		start := bytes.LastIndexByte(text[:hash], '\n') + 1
		end := len(text)
		if k := bytes.IndexAny(text[i:], "\r\n"); k >= 0 {
			end = i + k
		}
		out = append(out, comment{hash, end, strings.TrimSpace(string(text[i:end])), len(bytes.TrimSpace(text[start:hash])) == 0})
	}
	if len(out) == 0 {
		return nil
	}
	return outsideStrings(tree, out)
}

// outsideStrings drops what only looks like a comment: the text of a string.
func outsideStrings(tree *syntax.Tree, list []comment) []comment {
	inside := make([]bool, len(list))
	behind := func(offset int) int {
		return sort.Search(len(list), func(i int) bool { return list[i].at >= offset })
	}
	for n := tree.Root(); int(n) < tree.Len(); n++ {
		switch tree.Kind(n) {
		case syntax.Constant, syntax.JoinedStr, syntax.TemplateStr:
			for i := behind(tree.Start(n)); i < len(list) && list[i].at < tree.End(n); i++ {
				inside[i] = true
			}
		}
	}
	var out []comment
	for i, c := range list {
		if !inside[i] {
			out = append(out, c)
		}
	}
	return out
}

// span is the lines of a statement; one with a block stands for its header
// alone: an exemption of an if must not exempt whatever is written into it.
type span struct{ from, to int }

func statements(tree *syntax.Tree) []span {
	var out []span
	for n := tree.Root() + 1; int(n) < tree.Len(); n++ {
		k := tree.Kind(n)
		if tree.Parent(n) == 0 || !k.IsStatement() && k != syntax.ExceptHandler && k != syntax.MatchCase {
			continue
		}
		from, to := tree.Start(n), tree.End(n)-1
		first := true
		for c := range tree.Children(n) {
			switch tree.Role(c) {
			case syntax.RoleDecorate:
				from = min(from, tree.Start(c)-1)
			case syntax.RoleBody, syntax.RoleHandler, syntax.RoleCase, syntax.RoleOrElse, syntax.RoleFinal:
				if first {
					to, first = headerEnd(tree, n, c), false
				}
			}
		}
		out = append(out, span{tree.Position(from).Line, tree.Position(to).Line})
	}
	return out
}

// headerEnd is the last byte of what stands before the block of a statement.
func headerEnd(tree *syntax.Tree, n, block syntax.Node) int {
	text := tree.Text()[tree.Start(n):max(tree.Start(n), tree.Start(block))]
	end := tree.Start(n)
	for c := range tree.Children(n) {
		if c == block {
			break
		}
		end = max(end, tree.End(c)-1)
	}
	// A closing parenthesis and the colon stand behind the last child.
	if i := bytes.IndexByte(text[end-tree.Start(n):], ':'); i >= 0 {
		end += i
	}
	return end
}

// ignore reads # trainvet: ignore[TV201,TV203] until=2027-06-30 reason. Behind
// code it covers the statement that it stands in, on a line of its own the
// statement below.
func ignore(src *source, c comment, spans []span) site.Ignore {
	ig := site.Ignore{At: src.position(c.at)}
	m := ignoreForm.FindStringSubmatch(c.text)
	if m == nil {
		ig.Problem = "the form is # trainvet: ignore[CODE] reason"
	} else {
		ig.Reason = m[2]
		for _, code := range strings.Split(m[1], ",") {
			if code = strings.TrimSpace(code); code != "" {
				ig.Codes = append(ig.Codes, code)
			}
		}
		if u := untilForm.FindStringSubmatch(ig.Reason); u != nil {
			ig.Until, ig.Reason = u[1], ig.Reason[len(u[0]):]
		}
	}
	line := src.file.Position(c.at).Line
	from, to := covered(spans, line, c.alone, belowComment(src.file.Text(), c.end, line))
	shift := ig.At.Line - line // of a notebook, to the lines of its cell
	ig.From, ig.To = from+shift, to+shift
	return ig
}

// belowComment is the line behind a comment and those that go on below it.
func belowComment(text []byte, end, line int) int {
	for {
		line++
		i := bytes.IndexByte(text[end:], '\n')
		if i < 0 {
			return line
		}
		next := text[end+i+1:]
		if t := bytes.TrimLeft(next, " \t"); len(t) == 0 || t[0] != '#' {
			return line
		}
		end += i + 1 + len(next) - len(bytes.TrimLeft(next, " \t"))
	}
}

// covered finds the lines that an exemption means.
func covered(spans []span, line int, alone bool, below int) (from, to int) {
	best := span{}
	if alone {
		for _, s := range spans {
			if s.from == below && s.to >= best.to {
				best = s
			}
		}
		if best.from != 0 {
			return line, best.to
		}
	}
	for _, s := range spans {
		if s.from <= line && line <= s.to && (best.from == 0 || s.to-s.from < best.to-best.from) {
			best = s
		}
	}
	if best.from != 0 {
		return best.from, best.to
	}
	return line, line
}

// directive takes # trainvet: decode ids=0 and its like, above a function or
// behind its def.
func (w *worker) directive(src *source, c comment) {
	d, err := sites.ParseDirective(c.text)
	at := src.position(c.at)
	fail := func(text string) {
		w.res.Findings = append(w.res.Findings, site.Finding{Code: "TV907", Message: "# trainvet: " + text, At: at})
	}
	if err != nil {
		fail(err.Error())
		return
	}
	def := functionAt(&src.file.Tree, c, belowComment(src.file.Text(), c.end, src.file.Position(c.at).Line))
	if def == 0 {
		fail(c.text + " stands at no function: it is written above one or behind its def")
		return
	}
	method := src.file.Kind(src.file.Parent(def)) == syntax.ClassDef
	w.found = append(w.found, sites.Declaration{
		Definition: calls.Definition{File: src.name, Def: def, Method: method, Name: string(src.file.Name(def))}, Directive: d,
	})
}

// functionAt finds the function whose header a comment belongs to.
func functionAt(tree *syntax.Tree, c comment, below int) syntax.Node {
	line := tree.Position(c.at).Line
	for n := tree.Root() + 1; int(n) < tree.Len(); n++ {
		if !tree.Kind(n).IsFunction() || tree.Parent(n) == 0 {
			continue
		}
		from := tree.Start(n)
		for d := range tree.ChildrenOf(n, syntax.RoleDecorate) {
			from = min(from, tree.Start(d)-1)
		}
		first, def := tree.Position(from).Line, tree.Pos(n).Line
		if c.alone && first == below || line >= first && line <= def {
			return n
		}
	}
	return 0
}
