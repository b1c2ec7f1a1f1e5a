package bench

import (
	"fmt"
	"slices"
	"strings"
)

// Arm is one setting of every variable of the matrix.
type Arm struct {
	Settings []Setting `json:"settings"`
}

// Setting is a variable and its value.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (a Arm) String() string {
	var words []string
	for _, s := range a.Settings {
		words = append(words, s.Name+"="+s.Value)
	}
	return strings.Join(words, ",")
}

// Get returns the value of a variable; empty: it is none of the matrix.
func (a Arm) Get(name string) string {
	for _, s := range a.Settings {
		if s.Name == name {
			return s.Value
		}
	}
	return ""
}

// mostArms bounds a matrix: each arm runs seven times at least.
const mostArms = 12

// ParseMatrix reads device=cpu,cuda:0,dtype=float32,bfloat16,compile=off,on: a
// word with = begins a variable, the others are further values of it. All
// combinations are arms; the first one is what the others are held against.
func ParseMatrix(text string) ([]Arm, error) {
	var names []string
	values := map[string][]string{}
	for _, word := range strings.Split(text, ",") {
		word = strings.TrimSpace(word)
		name, value, begins := strings.Cut(word, "=")
		switch {
		case begins && name == "":
			return nil, fmt.Errorf("matrix: %q names no variable", word)
		case begins && slices.Contains(names, name):
			return nil, fmt.Errorf("matrix: %s stands there twice", name)
		case begins:
			names = append(names, name)
		case len(names) == 0:
			return nil, fmt.Errorf("matrix: %q belongs to no variable: name=value,value", word)
		default:
			name, value = names[len(names)-1], word
		}
		if value == "" {
			return nil, fmt.Errorf("matrix: %s has an empty value", name)
		}
		if slices.Contains(values[name], value) {
			return nil, fmt.Errorf("matrix: %s=%s stands there twice", name, value)
		}
		values[name] = append(values[name], value)
	}
	arms := []Arm{{}}
	for _, name := range names {
		var more []Arm
		for _, a := range arms {
			for _, v := range values[name] {
				more = append(more, Arm{append(slices.Clone(a.Settings), Setting{name, v})})
			}
		}
		if arms = more; len(arms) > mostArms {
			return nil, fmt.Errorf("matrix: more than %d arms", mostArms)
		}
	}
	if len(arms) < 2 {
		return nil, fmt.Errorf("matrix: %q is one arm: there is nothing to compare", text)
	}
	return arms, nil
}

// Fill puts the values of an arm into a command: {device} becomes cuda:0. An
// arm that no word of the command names would change nothing.
func (a Arm) Fill(command []string) ([]string, error) {
	out := slices.Clone(command)
	for _, s := range a.Settings {
		mark := "{" + s.Name + "}"
		if !slices.ContainsFunc(command, func(w string) bool { return strings.Contains(w, mark) }) {
			return nil, fmt.Errorf("the command does not name %s, so that it would not change", mark)
		}
		for i := range out {
			out[i] = strings.ReplaceAll(out[i], mark, s.Value)
		}
	}
	return out, nil
}
