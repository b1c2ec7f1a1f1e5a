package cli

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trainvet/trainvet/internal/nearest"
)

// line is a command line taken apart.
type line struct {
	command string
	flags   []string // each as --name=value or --name
	args    []string
	help    bool
	version bool
}

// arrange takes a command line apart, so that flags may stand anywhere. It
// knows every flag, hence which words are values; values are parsed later.
func (a *App) arrange(words []string) (line, error) {
	var l line
	rest, err := a.upToName(&l, words)
	if err != nil || l.command == "" {
		return l, err
	}
	cmd, err := a.find(l.command)
	for err == nil && len(cmd.Commands) > 0 {
		if rest, err = a.untilWord(&l, cmd.Name, rest); err != nil || len(l.args) == 0 {
			return l, err // its name is missing
		}
		l.command, l.args = l.command+" "+l.args[0], nil
		cmd, err = a.find(l.command)
	}
	if err != nil {
		return l, err
	}
	w := walker{line: &l, command: cmd.Name, flags: cmd.all(), stop: cmd.Starts, arms: cmd.Arms}
	return l, w.walk(rest)
}

// upToName takes the common flags before the command's name.
func (a *App) upToName(l *line, words []string) (rest []string, err error) {
	rest, err = a.untilWord(l, "", words)
	if err != nil || len(l.args) == 0 {
		return nil, err
	}
	l.command, l.args = l.args[0], nil
	if l.command == "help" {
		l.help, l.command = true, strings.Join(rest, " ")
		return nil, nil
	}
	return rest, nil
}

// untilWord takes common flags up to the next word, which becomes the only
// argument; the words behind it are returned.
func (a *App) untilWord(l *line, command string, words []string) (rest []string, err error) {
	w := walker{line: l, command: command, flags: common([]string{"text"}), stop: true, root: true}
	// A format can only be judged when the command is known.
	i := slices.IndexFunc(w.flags, func(f Flag) bool { return f.Name == "format" })
	w.flags[i].Words = nil
	if err := w.walk(words); err != nil || len(l.args) == 0 {
		return nil, err
	}
	l.args, rest = l.args[:1], l.args[1:]
	return rest, nil
}

// walker sorts words into flags and arguments.
type walker struct {
	line    *line
	command string
	flags   []Flag
	stop    bool // at the first argument
	root    bool // before the command's name
	arms    bool // the next -- is an argument
}

func (w *walker) walk(words []string) error {
	for len(words) > 0 {
		word := words[0]
		switch {
		case word == "--" && w.arms:
			w.arms = false
			w.line.args = append(w.line.args, word)
			words = words[1:]
		case word == "--":
			w.line.args = append(w.line.args, words[1:]...)
			return nil
		case word == "-" || !strings.HasPrefix(word, "-"):
			if w.stop {
				w.line.args = append(w.line.args, words...)
				return nil
			}
			w.line.args = append(w.line.args, word)
			words = words[1:]
		default:
			taken, err := w.flag(word, words[1:])
			if err != nil {
				return err
			}
			words = words[1+taken:]
		}
	}
	return nil
}

// flag takes one word that begins with a dash, and its value if that is the
// next word.
func (w *walker) flag(word string, next []string) (taken int, err error) {
	if letters, ok := w.bundle(word); ok {
		w.line.flags = append(w.line.flags, letters...)
		return 0, nil
	}
	name, value, hasValue := strings.Cut(word, "=")
	switch {
	case name == "--help" || name == "-h":
		w.line.help = true
		return 0, nil
	case name == "--version" && w.root:
		w.line.version = true
		return 0, nil
	}
	f, ok := w.lookup(name)
	if !ok {
		return 0, w.unknown(name)
	}
	if f.Kind == Switch && !hasValue {
		w.line.flags = append(w.line.flags, "--"+f.Name)
		return 0, nil
	}
	if !hasValue {
		if len(next) == 0 || w.isFlag(next[0]) {
			return 0, w.usage("flag --%s needs a value: --%s %s", f.Name, f.Name, f.Value)
		}
		value, taken = next[0], 1
	}
	if err := w.check(f, value); err != nil {
		return 0, err
	}
	w.line.flags = append(w.line.flags, "--"+f.Name+"="+value)
	return taken, nil
}

// check judges a value early, so that the error can say what would be right.
func (w *walker) check(f Flag, value string) error {
	switch f.Kind {
	case Switch:
		if _, err := strconv.ParseBool(value); err != nil {
			return w.usage("--%s takes no value, or true or false", f.Name)
		}
	case Integer:
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			return w.usage("--%s %s: it must be a whole number, 0 or more", f.Name, value)
		}
	case Period:
		if d, err := time.ParseDuration(value); err != nil || d < 0 {
			return w.usage("--%s %s: it must be a duration such as 2s or 500ms", f.Name, value)
		}
	}
	if len(f.Words) > 0 && !slices.Contains(f.Words, value) {
		return w.badWord(f, value)
	}
	return nil
}

// bundle takes -qv for -q -v.
func (w *walker) bundle(word string) (flags []string, ok bool) {
	if len(word) < 3 || word[1] == '-' {
		return nil, false
	}
	for _, letter := range word[1:] {
		f, ok := w.lookup("-" + string(letter))
		if !ok || f.Kind != Switch {
			return nil, false
		}
		flags = append(flags, "--"+f.Name)
	}
	return flags, true
}

func (w *walker) lookup(word string) (Flag, bool) {
	for _, f := range w.flags {
		if word == "--"+f.Name || f.Short != "" && word == "-"+f.Short {
			return f, true
		}
	}
	return Flag{}, false
}

// isFlag reports a word that can hardly be meant as a value.
func (w *walker) isFlag(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	_, known := w.lookup(name)
	return known || name == "--help" || name == "-h" || word == "--"
}

func (w *walker) unknown(name string) error {
	names := []string{"--help"}
	for _, f := range w.flags {
		names = append(names, "--"+f.Name)
	}
	err := w.usage("there is no flag %s", name)
	if near := nearest.Word("--"+strings.TrimLeft(name, "-"), names); near != "" {
		return err.With("did you mean " + near + "?")
	}
	if w.root {
		return err.With("flags of a command stand behind its name")
	}
	return err
}

func (w *walker) badWord(f Flag, value string) error {
	err := w.usage("--%s %s: it must be one of %s", f.Name, value, strings.Join(f.Words, ", "))
	if near := nearest.Word(value, f.Words); near != "" {
		return err.With("did you mean " + near + "?")
	}
	return err
}

func (w *walker) usage(format string, args ...any) *UsageError {
	if w.command != "" {
		format = w.command + ": " + format
	}
	return Usage(format, args...)
}

// find returns the named command, or says which one was meant. A subcommand is
// named by all its words, "ledger update", and so is what is returned.
func (a *App) find(name string) (*Command, error) {
	here, path := a.Commands, ""
	for {
		word, rest, deeper := strings.Cut(name, " ")
		i := slices.IndexFunc(here, func(c Command) bool { return c.Name == word })
		if i < 0 {
			return nil, a.noCommand(path, word, here)
		}
		cmd := here[i]
		cmd.Name = strings.TrimSpace(path + " " + word)
		if !deeper || len(cmd.Commands) == 0 {
			return &cmd, nil
		}
		here, path, name = cmd.Commands, cmd.Name, rest
	}
}

func (a *App) noCommand(path, word string, here []Command) error {
	var names []string
	for i := range here {
		names = append(names, strings.TrimSpace(path+" "+here[i].Name))
	}
	full := strings.TrimSpace(path + " " + word)
	list := "the commands are " + strings.Join(names, ", ")
	err := Usage("there is no command %q", full)
	if path == "" {
		names = append(names, "help")
	}
	if near := nearest.Word(full, names); near != "" {
		return err.With("did you mean " + near + "?")
	}
	return err.With(list)
}
