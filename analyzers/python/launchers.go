package python

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

//go:embed launchers.txt
var launcherRows string

// launchers are the lists of launchers.txt.
type launchers map[string][]string

func readLaunchers(rows string) launchers {
	l := launchers{}
	for _, line := range strings.Split(rows, "\n") {
		if word, names, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			l[word] = append(l[word], strings.Split(names, ",")...)
		}
	}
	return l
}

func (l launchers) has(word, name string) bool {
	for _, pattern := range l[word] {
		if ok, _ := path.Match(pattern, name); ok {
			return true
		}
	}
	return false
}

// launch is a line that starts a program.
type launch struct {
	at      site.Position
	watched bool // through trainvet run
}

// launched leaves open sites to the runtime where the tree says that its
// programs are started through trainvet run, all that it starts and at least
// one.
func launched(ctx context.Context, opt Options, res *Result) {
	var open []*site.Site
	for i := range res.Sites {
		if s := &res.Sites[i]; s.State.Fails() {
			open = append(open, s)
		}
	}
	if len(open) == 0 || len(opt.Folders) == 0 {
		return
	}
	var watched, bare *launch
	l := readLaunchers(launcherRows)
	for _, name := range l.files(ctx, opt) {
		text, err := read(name, nil, maxLauncher)
		if err != nil {
			continue // what cannot be read starts nothing that is known
		}
		for _, at := range l.launches(relative(opt.Root, name), text) {
			switch {
			case at.watched && watched == nil:
				watched = &at
			case !at.watched && bare == nil:
				bare = &at
			}
		}
	}
	if watched == nil {
		return
	}
	for _, s := range open {
		if bare != nil {
			s.Why += fmt.Sprintf("; %s:%d starts a program past trainvet run", bare.at.File, bare.at.Line)
			continue
		}
		s.State, s.Why = site.Runtime, fmt.Sprintf("left to trainvet run, through which the programs are started (%s:%d)", watched.at.File, watched.at.Line)
	}
}

// maxLauncher is far more than any script of a person.
const maxLauncher = 1 << 20

// files lists what may start programs.
func (l launchers) files(ctx context.Context, opt Options) []string {
	var out []string
	for _, dir := range opt.Folders {
		listed, ok := l.git(ctx, dir)
		if !ok {
			listed = l.walk(dir)
		}
		out = append(out, listed...)
	}
	return out
}

func (l launchers) git(ctx context.Context, dir string) ([]string, bool) {
	if !inWorkTree(dir) {
		return nil, false
	}
	args := []string{"ls-files", "-z", "-co", "--exclude-standard", "--"}
	for _, pattern := range l["file"] {
		args = append(args, ":(glob)**/"+pattern)
	}
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0")
	text, err := cmd.Output()
	if err != nil {
		return nil, false
	}
	var out []string
	for _, name := range bytes.Split(bytes.TrimSuffix(text, []byte{0}), []byte{0}) {
		if len(name) > 0 {
			out = append(out, filepath.Join(dir, filepath.FromSlash(string(name))))
		}
	}
	return out, true
}

func (l launchers) walk(dir string) []string {
	var out []string
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir() && name != dir && pruned(d.Name()):
			return fs.SkipDir
		case !d.IsDir() && l.has("file", d.Name()):
			out = append(out, name)
		}
		return nil
	})
	return out
}

// brackets are what the exec form of containers puts around words.
var brackets = strings.NewReplacer(`"`, " ", "'", " ", "[", " ", "]", " ", ",", " ", "(", " ", ")", " ", ";", " ; ", "&&", " ; ", "|", " ; ", "`", " ")

// launches finds the lines that start a program of Python.
func (l launchers) launches(name string, text []byte) []launch {
	var out []launch
	line, joined, first := 0, "", 0
	for _, raw := range strings.Split(string(text), "\n") {
		line++
		if joined == "" {
			first = line
		}
		raw = strings.TrimRight(raw, " \r")
		if rest, more := strings.CutSuffix(raw, "\\"); more {
			joined += rest + " "
			continue
		}
		joined += raw
		if !strings.HasPrefix(strings.TrimSpace(joined), "#") {
			for _, command := range strings.Split(brackets.Replace(joined), " ; ") {
				if starts, watched := l.command(strings.Fields(command)); starts {
					out = append(out, launch{site.Position{File: name, Line: first}, watched})
				}
			}
		}
		joined = ""
	}
	return out
}

// command judges the words of one command.
func (l launchers) command(words []string) (starts, watched bool) {
	for i, w := range words {
		base := path.Base(strings.TrimLeft(w, "@-$"))
		if base == "trainvet" && i+1 < len(words) && words[i+1] == "run" {
			return true, true
		}
		if l.has("launcher", base) || i+1 < len(words) && l.has("launcher-pair", base+" "+words[i+1]) {
			return l.program(words[i+1:]), false
		}
	}
	return false, false
}

// program reports whether what a launcher is given is a program that may train.
func (l launchers) program(words []string) bool {
	for i, w := range words {
		switch {
		case w == "-c", w == "-":
			return false
		case w == "-m" && i+1 < len(words):
			module := words[i+1]
			if strings.HasPrefix(module, "torch.distributed") {
				continue // it starts what stands behind it
			}
			return !l.has("not-module", module) && !l.has("not-module", strings.SplitN(module, ".", 2)[0])
		case strings.HasSuffix(w, ".py"):
			for _, folder := range l["not-folder"] {
				if strings.HasPrefix(w, folder+"/") || strings.Contains(w, "/"+folder+"/") {
					return false
				}
			}
			return !l.has("not-file", path.Base(w))
		}
	}
	return false
}
