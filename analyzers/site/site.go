package site

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Kind of a site.
type Kind string

// The kinds of design.md. A handler is no site of its own but may need a row
// in the ledger: a place where a fault can be swallowed, exempt from a rule.
const (
	Decode   Kind = "decode"   // token ids become text
	Step     Kind = "step"     // an optimizer or scaler step
	Implicit Kind = "implicit" // either, hidden in a framework call
	Handler  Kind = "catch"    // a handler that a fault can reach
)

// State of a site.
type State string

// The states of design.md.
const (
	Guarded     State = "guarded"      // decode: a guard checks the value on every path
	Runtime     State = "runtime"      // either: guarded when launched through trainvet run
	Exempt      State = "exempt"       // either: with a written reason
	Unguarded   State = "unguarded"    // decode: nothing checks it
	Counted     State = "counted"      // step: the overflow flag is read and reported
	CountedWeak State = "counted-weak" // step: counted by comparing the scale
	Uncounted   State = "uncounted"    // step: a skip goes unseen
)

// States lists the states that a kind can have, best first. An implicit site
// hides a decode or a step and may have the states of either.
func States(k Kind) []State {
	switch k {
	case Decode:
		return []State{Guarded, Runtime, Exempt, Unguarded}
	case Step:
		return []State{Counted, CountedWeak, Runtime, Exempt, Uncounted}
	case Implicit:
		return []State{Guarded, Counted, CountedWeak, Runtime, Exempt, Unguarded, Uncounted}
	case Handler:
		return []State{Exempt}
	}
	return nil
}

// Fits reports whether a site of kind k can be in state s.
func (s State) Fits(k Kind) bool { return slices.Contains(States(k), s) }

// Fails reports whether a site in this state fails a gate, as if it had no row.
func (s State) Fails() bool { return s == Unguarded || s == Uncounted }

// ID names a site without a line number, so that it survives edits elsewhere.
// Two sites that differ in nothing but their shape share an ID; equal shapes
// are told apart by Ordinal.
type ID struct {
	Path    string `json:"path"`    // slash separated, from the root of the ledger
	Func    string `json:"func"`    // qualified name of the enclosing function, module level: <module>
	Callee  string `json:"callee"`  // receiver tail and name: scaler.step, batch_decode
	Ordinal int    `json:"ordinal"` // 1, and more only among equal shapes
}

// String writes path::func::callee, with #n from the second on. Spaces,
// control bytes and what separates the parts are percent-encoded, so that an
// ID is one word and ParseID gives back the same parts.
func (id ID) String() string {
	s := escape(id.Path) + "::" + escape(id.Func) + "::" + escape(id.Callee)
	if id.Ordinal > 1 {
		s += "#" + strconv.Itoa(id.Ordinal)
	}
	return s
}

// ParseID reads what String wrote, and only that.
func ParseID(s string) (ID, error) {
	parts := strings.Split(s, "::")
	if len(parts) != 3 {
		return ID{}, fmt.Errorf("%.200q is no site id: path::function::callee is expected", s)
	}
	id := ID{Ordinal: 1}
	callee, ordinal, numbered := strings.Cut(parts[2], "#")
	if numbered {
		n, err := strconv.Atoi(ordinal)
		if err != nil || n < 2 || strconv.Itoa(n) != ordinal {
			return ID{}, fmt.Errorf("%.200q is no site id: #%.20s is no ordinal from 2 on", s, ordinal)
		}
		id.Ordinal = n
	}
	for i, part := range []string{parts[0], parts[1], callee} {
		text, err := unescape(part)
		if err != nil || text == "" {
			return ID{}, fmt.Errorf("%.200q is no site id: its part %d is empty or badly encoded", s, i+1)
		}
		*[]*string{&id.Path, &id.Func, &id.Callee}[i] = text
	}
	if id.String() != s {
		return ID{}, fmt.Errorf("%.200q is no site id as trainvet writes it: %.200s", s, id)
	}
	return id, nil
}

// escape keeps what people read in an ID and encodes what would end a part.
func escape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c <= ' ' || c == 0x7f || c == '%' || c == '#' || c == ':' {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

func unescape(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", fmt.Errorf("a %% without two digits")
		}
		n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", err
		}
		b.WriteByte(byte(n))
		i += 2
	}
	return b.String(), nil
}

// Shape is the hash of a call's canonical form: 8 lower-case hex digits.
type Shape string

// Valid reports whether it is one.
func (s Shape) Valid() bool {
	return len(s) == 8 && strings.Trim(string(s), "0123456789abcdef") == ""
}

// Site is a call in source where a fault can turn into a plausible result.
type Site struct {
	Kind   Kind     `json:"kind"`
	ID     ID       `json:"id"`
	Shape  Shape    `json:"shape"`
	State  State    `json:"state"`
	At     Position `json:"at"`
	End    Position `json:"end"`              // behind the call
	Origin string   `json:"origin,omitempty"` // of a decode's ids: generated, data, constant, unknown
	By     string   `json:"by"`               // what made it a site: a row of the catalogue, signature, directive
	Why    string   `json:"why,omitempty"`    // of its state: the guard, the missing check
	// Guard is the check that makes it guarded or counted; where a check stands
	// but does not count, that check.
	Guard *Related `json:"guard,omitempty"`
	// Parts are calls that belong to it and are no sites of their own: what
	// unscales gradients, and updates the scale, for the step of a scaler.
	Parts []Related `json:"parts,omitempty"`
	// Handlers are the places between the guard and the top of the run that see
	// the fault, innermost first, those that pass it on too.
	Handlers []Handling `json:"handlers,omitempty"`
	// Through is the full name of a function that only passes ids on to a
	// decode, which this site calls; Passes is that of one whose body holds this
	// call. Whoever calls such a function answers for it.
	Through string `json:"through,omitempty"`
	Passes  string `json:"passes,omitempty"`
	Escapes bool   `json:"escapes,omitempty"` // the callee is passed on as a value, not called here
	Test    bool   `json:"test,omitempty"`    // in a test file: listed, never gated
	ByName  bool   `json:"by_name,omitempty"` // a reader would have guessed it from its name alone
}

// Handling is what one handler does with a fault on its way up.
type Handling struct {
	At      Position `json:"at"`
	Func    string   `json:"func"`
	Message string   `json:"message"`
	Lost    bool     `json:"lost"` // the fault goes no further
}
