package child

import (
	_ "embed"
	"path"
	"regexp"
	"slices"
	"strings"
)

//go:embed trainers.tsv
var trainerText string

// hole stands in a word for what is not known of it.
const hole = "\x00"

// trainers is the table of trainers.tsv.
type trainers struct {
	programs, runners, shells, probes map[string]bool
	modules, scripts                  []*regexp.Regexp
}

func readTrainers() *trainers {
	t := &trainers{programs: map[string]bool{}, runners: map[string]bool{}, shells: map[string]bool{}, probes: map[string]bool{}}
	for line := range strings.Lines(trainerText) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(cells) < 2 {
			continue
		}
		switch pattern := cells[1]; cells[0] {
		case "program":
			t.programs[pattern] = true
		case "runner":
			t.runners[pattern] = true
		case "shell":
			t.shells[pattern] = true
		case "probe":
			t.probes[pattern] = true
		case "module":
			t.modules = append(t.modules, regexp.MustCompile("^(?:"+pattern+")$"))
		case "script":
			t.scripts = append(t.scripts, regexp.MustCompile("^(?:"+pattern+")$"))
		}
	}
	return t
}

// starts says by which of its words a command line starts a trainer; empty: it
// does not, or nothing says so.
func (t *trainers) starts(argv []string) string {
	if len(argv) == 0 || slices.ContainsFunc(argv[1:], func(w string) bool { return t.probes[w] }) {
		return ""
	}
	name := base(argv[0])
	switch {
	case t.programs[name]:
		return name
	case len(argv) > 1 && t.programs[name+" "+argv[1]]:
		return name + " " + argv[1]
	case t.shells[name]:
		return t.line(argv[1:])
	case t.runners[name], strings.HasSuffix(argv[0], hole):
		return t.run(argv[1:])
	case t.script(argv[0]):
		return name
	}
	return ""
}

// line looks into the command line that a shell is given; without -c its
// argument is a script.
func (t *trainers) line(args []string) string {
	for i, word := range args {
		if strings.HasPrefix(word, "-") && strings.HasSuffix(word, "c") && i+1 < len(args) {
			return t.anyOf(args[i+1])
		}
	}
	for _, word := range args {
		if t.script(word) {
			return base(word)
		}
	}
	return ""
}

// anyOf looks for a trainer among the commands of a line of shell.
func (t *trainers) anyOf(line string) string {
	for _, part := range regexp.MustCompile(`[;&|\n()]+`).Split(line, -1) {
		words := strings.Fields(part)
		for len(words) > 0 && strings.Contains(words[0], "=") {
			words = words[1:] // NAME=value before the command
		}
		if by := t.starts(words); by != "" {
			return by
		}
	}
	return ""
}

// run looks at what a runner is told to start.
func (t *trainers) run(args []string) string {
	for i, word := range args {
		switch {
		case word == "-c":
			return "" // a line of Python: a probe, as a rule
		case word == "-m" && i+1 < len(args):
			for _, m := range t.modules {
				if m.MatchString(args[i+1]) {
					return args[i+1]
				}
			}
			return ""
		case t.script(word):
			return base(word)
		case strings.HasPrefix(word, "-"), word == "run", strings.Contains(word, "="):
			continue
		case t.programs[base(word)], t.runners[base(word)], t.shells[base(word)]:
			return t.starts(args[i:])
		case strings.HasSuffix(word, ".py"), strings.HasSuffix(word, ".sh"):
			return "" // another script, whatever its arguments are called
		}
	}
	return ""
}

func (t *trainers) script(word string) bool {
	return slices.ContainsFunc(t.scripts, func(s *regexp.Regexp) bool { return s.MatchString(base(word)) })
}

// base is the last element of a path, holes in it kept.
func base(word string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(word, "\\", "/")), ".exe")
}
