package python

import (
	_ "embed"
	"path"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

//go:embed launchers.txt
var launcherRows string

// launchers are the lists of launchers.txt.
type launchers map[string][]string

func readLaunchers() launchers {
	l := launchers{}
	for _, line := range strings.Split(launcherRows, "\n") {
		if word, names, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			l[word] = append(l[word], strings.Split(names, ",")...)
		}
	}
	return l
}

// has looks a name up; * stands for anything in a pattern, once.
func (l launchers) has(word, name string) bool {
	for _, p := range l[word] {
		before, after, star := strings.Cut(p, "*")
		if p == name || star && len(name) >= len(p)-1 && strings.HasPrefix(name, before) && strings.HasSuffix(name, after) {
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
		if path.Base(strings.TrimLeft(w, "@-$")) == "trainvet" && i+1 < len(words) && words[i+1] == "run" {
			return true, true // poetry run trainvet run, python -m trainvet run
		}
	}
	for i, w := range words {
		base := path.Base(strings.TrimLeft(w, "@-$"))
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
