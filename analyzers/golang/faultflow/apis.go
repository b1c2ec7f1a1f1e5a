package faultflow

import (
	_ "embed"
	"go/types"
	"strings"
)

// role is what a call does with an error that is handed to it.
type role string

const (
	roleLog      role = "log"      // shows it and goes on
	roleExit     role = "exit"     // does not return
	roleFormat   role = "format"   // makes an error, keeps what %w names
	roleFlatten  role = "flatten"  // makes an error of its text
	roleText     role = "text"     // looks into a text
	roleTest     role = "test"     // tells the test that runs it
	roleBoundary role = "boundary" // tells a client that is no caller
)

//go:embed apis.tsv
var apiText string

// apis is the table of apis.tsv.
type apis struct {
	full, prefix map[string]role
	names        map[string]role // bare; a prefix ends in *
	types        map[string]role
}

func readAPIs() *apis {
	t := &apis{full: map[string]role{}, prefix: map[string]role{}, names: map[string]role{}, types: map[string]role{}}
	for line := range strings.Lines(apiText) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(cells) < 2 {
			continue
		}
		r, match := role(cells[0]), cells[1]
		if name, ok := strings.CutPrefix(match, "name:"); ok {
			t.names[name] = r
		} else if name, ok := strings.CutPrefix(match, "type:"); ok {
			t.types[name] = r
		} else if stem, ok := strings.CutSuffix(match, "*"); ok {
			t.prefix[stem] = r
		} else {
			t.full[match] = r
		}
	}
	return t
}

// of returns the role of a function; empty: none is known.
func (t *apis) of(fn *types.Func) role {
	if fn == nil {
		return ""
	}
	full := fullName(fn)
	if r := t.full[full]; r != "" {
		return r
	}
	for stem, r := range t.prefix {
		if strings.HasPrefix(full, stem) {
			return r
		}
	}
	if !quietResults(fn) {
		return ""
	}
	if r := t.names[fn.Name()]; r != "" {
		return r
	}
	for i := 1; i < len(fn.Name()); i++ {
		if r := t.names[fn.Name()[:i]+"*"]; r != "" {
			return r
		}
	}
	return ""
}

// told reports whether the type of an argument makes the call an answer to a
// client.
func (t *apis) told(typ types.Type) bool {
	return t.types[types.TypeString(typ, nil)] == roleBoundary
}

// quietResults reports whether a call gives nothing back that could carry an
// error on: no result, or the builder that it was called on.
func quietResults(fn *types.Func) bool {
	sig := fn.Signature()
	for v := range sig.Results().Variables() {
		if errorish(v.Type()) && (sig.Recv() == nil || !types.Identical(v.Type(), sig.Recv().Type())) {
			return false
		}
	}
	return true
}

// fullName is FullName without type parameters.
func fullName(fn *types.Func) string {
	name := fn.Origin().FullName()
	for {
		open := strings.IndexByte(name, '[')
		end := strings.LastIndexByte(name, ']')
		if open < 0 || end < open {
			return name
		}
		name = name[:open] + name[end+1:]
	}
}

// shortName names a function as people say it: guards.CheckTokenIDs,
// (*Tokenizer).Decode, load.
func shortName(fn *types.Func, from *types.Package) string {
	sig := fn.Signature()
	qualify := func(p *types.Package) string {
		if p == from {
			return ""
		}
		return p.Name()
	}
	if sig.Recv() != nil {
		return "(" + types.TypeString(sig.Recv().Type(), qualify) + ")." + fn.Name()
	}
	if fn.Pkg() == nil || fn.Pkg() == from {
		return fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}
