package calls

import (
	"bytes"
	"path"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// moduleOf finds what a file imports, in the folders too that it adds to sys.path
// itself. Those are read off the source: what is made of __file__, and of texts,
// which are from the folder of the file or the root, wherever the program starts.
func (t *Tree) moduleOf(f *File, level int, dotted string) (string, bool) {
	if m, ok := t.module(f.Name, level, dotted); ok || level > 0 {
		return m, ok
	}
	head, _, _ := strings.Cut(dotted, ".")
	if head == "" || t.stdlib[head] {
		return "", false
	}
	for _, folder := range f.searched() {
		if m, ok := t.at(path.Join(folder, strings.ReplaceAll(dotted, ".", "/"))); ok && m != strings.TrimSuffix(f.Name, ".py") {
			return m, true
		}
	}
	return "", false
}

// searched are the folders that a file adds to sys.path, as paths from the root.
func (f *File) searched() []string {
	f.paths.Do(func() {
		if !bytes.Contains(f.Syntax.Text(), []byte("sys.path")) {
			return // fast path: nearly all files
		}
		for n := f.Syntax.Root() + 1; int(n) < f.Syntax.Len(); n++ {
			if f.Syntax.Kind(n) == syntax.Call && f.Syntax.Parent(n) != 0 {
				f.folders = append(f.folders, f.addedBy(n)...)
			}
		}
	})
	return f.folders
}

// addedBy are the folders that sys.path.append(x) or sys.path.insert(0, x) adds.
func (f *File) addedBy(call syntax.Node) []string {
	fun := f.Syntax.First(call)
	if f.Syntax.Kind(fun) != syntax.Attribute || string(f.Syntax.Source(f.Syntax.First(fun))) != "sys.path" {
		return nil
	}
	var args []syntax.Node
	for a := range f.Syntax.ChildrenOf(call, syntax.RoleArg) {
		args = append(args, a)
	}
	switch name := string(f.Syntax.Name(fun)); {
	case name == "append" && len(args) == 1, name == "insert" && len(args) == 2:
	default:
		return nil
	}
	where, ok := f.folder(args[len(args)-1], maxHops)
	switch {
	case !ok:
		return nil
	case strings.HasPrefix(where, fromHere):
		return inTree(path.Join(".", strings.TrimPrefix(where, fromHere)))
	case path.IsAbs(where):
		return nil
	}
	return append(inTree(path.Join(path.Dir(f.Name), where)), inTree(path.Clean(where))...)
}

func inTree(folder string) []string {
	if folder == ".." || strings.HasPrefix(folder, "../") {
		return nil
	}
	return []string{folder}
}

// fromHere begins a path that is made of __file__, and so does not hang on where
// the program starts.
const fromHere = "\x00/"

// folder is the path that an expression makes; ok is false where it is not seen.
func (f *File) folder(n syntax.Node, hops int) (string, bool) {
	if n == 0 || hops == 0 {
		return "", false
	}
	switch f.Syntax.Kind(n) {
	case syntax.Constant:
		v, ok := f.Syntax.StringValue(n)
		return string(v), ok && f.Syntax.Op(n) == syntax.Str
	case syntax.Name:
		if string(f.Syntax.Name(n)) == "__file__" {
			return fromHere + f.Name, true
		}
		return f.folderOfName(n, hops)
	case syntax.BinOp: // Path(a) / "b"
		if f.Syntax.Op(n) != syntax.Div {
			return "", false
		}
		left := f.Syntax.First(n)
		return f.joined(hops, left, f.Syntax.Next(left))
	case syntax.Attribute:
		if string(f.Syntax.Name(n)) == "parent" {
			return f.above(f.Syntax.First(n), 1, hops)
		}
	case syntax.Subscript: // Path(a).parents[1]
		of := f.Syntax.First(n)
		if level, ok := f.number(f.Syntax.Next(of)); ok && f.Syntax.Kind(of) == syntax.Attribute && string(f.Syntax.Name(of)) == "parents" {
			return f.above(f.Syntax.First(of), level+1, hops)
		}
	case syntax.Call:
		return f.folderOfCall(n, hops)
	}
	return "", false
}

// folderOfName follows a name that is bound once.
func (f *File) folderOfName(n syntax.Node, hops int) (string, bool) {
	value := syntax.Node(0)
	for b := range f.Names.Lookup(n, f.Syntax.Name(n)) {
		if b.How != names.Assign || b.Part != names.Whole || value != 0 {
			return "", false
		}
		value = b.Value
	}
	return f.folder(value, hops-1)
}

// folderOfCall knows what os.path and pathlib make of paths.
func (f *File) folderOfCall(call syntax.Node, hops int) (string, bool) {
	fun := f.Syntax.First(call)
	var args []syntax.Node
	for a := range f.Syntax.ChildrenOf(call, syntax.RoleArg) {
		args = append(args, a)
	}
	switch name := string(f.Syntax.Name(fun)); {
	case name == "dirname" && len(args) == 1:
		return f.above(args[0], 1, hops)
	case name == "join" || name == "joinpath":
		if name == "joinpath" {
			args = append([]syntax.Node{f.Syntax.First(fun)}, args...)
		}
		return f.joined(hops, args...)
	case (name == "abspath" || name == "realpath" || name == "normpath" || name == "str" || name == "Path" || name == "fspath") && len(args) == 1:
		return f.folder(args[0], hops-1)
	case (name == "resolve" || name == "absolute" || name == "as_posix") && len(args) == 0 && f.Syntax.Kind(fun) == syntax.Attribute:
		return f.folder(f.Syntax.First(fun), hops-1)
	case (name == "getcwd" || name == "cwd") && len(args) == 0:
		return ".", true
	}
	return "", false
}

func (f *File) above(n syntax.Node, levels, hops int) (string, bool) {
	at, ok := f.folder(n, hops-1)
	for ; ok && levels > 0; levels-- {
		if rest, here := strings.CutPrefix(at, fromHere); here {
			at = fromHere + path.Dir(rest)
			continue
		}
		at = path.Dir(at)
	}
	return at, ok
}

func (f *File) joined(hops int, parts ...syntax.Node) (string, bool) {
	out := ""
	for _, p := range parts {
		at, ok := f.folder(p, hops-1)
		switch {
		case !ok:
			return "", false
		case strings.HasPrefix(at, fromHere) || path.IsAbs(at):
			out = at
		default:
			out = joinPath(out, at)
		}
	}
	return out, out != ""
}

// joinPath joins below what is made of __file__ too, and upwards no further than
// from the root: .. of it leaves the tree.
func joinPath(base, below string) string {
	if rest, here := strings.CutPrefix(base, fromHere); here {
		return fromHere + path.Join(rest, below)
	}
	return path.Join(base, below)
}

func (f *File) number(n syntax.Node) (int, bool) {
	if n == 0 || f.Syntax.Kind(n) != syntax.Constant || f.Syntax.Op(n) != syntax.Int {
		return 0, false
	}
	text := string(f.Syntax.Source(n))
	if len(text) != 1 || text[0] < '0' || text[0] > '9' {
		return 0, false
	}
	return int(text[0] - '0'), true
}
