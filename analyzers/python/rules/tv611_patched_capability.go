package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv611: a test replaces the answer of the API whose answer is in doubt. What it
// proves is that the code believes the API.
func tv611() Rule {
	return Rule{
		Code:  "TV611",
		Needs: [][]string{bf16Probes[:], {"patch", "setattr", "mock"}},
		Tests: true,
		Check: func(f *File, r *Report) {
			for _, name := range []string{"patch", "setattr", "object"} {
				for call := range f.CallsOf(name) {
					if api := f.patchedProbe(call, name); api != "" {
						r.Say(call, "the test says what %s answers, so it cannot see that the answer is wrong where bfloat16 is emulated: patch the capability of the device, and let the code judge it", api)
					}
				}
			}
		},
	}
}

// patchedProbe is the probe that a call of patch, patch.object or setattr
// replaces; empty: none. A probe that the test makes fail is no answer.
func (f *File) patchedProbe(call syntax.Node, name string) string {
	text, ok := f.Str(f.Arg(call, 0))
	value := f.ArgOr(call, 1, "return_value")
	if !ok || name == "object" || strings.IndexByte(text, '.') < 0 {
		if text, ok = f.Str(f.Arg(call, 1)); !ok {
			return ""
		}
		value = f.ArgOr(call, 2, "return_value")
	}
	if name == "object" && f.Last(f.Receiver(call)) != "patch" || f.Keyword(call, "side_effect") != 0 {
		return ""
	}
	last := text[strings.LastIndexByte(text, '.')+1:]
	for _, probe := range bf16Probes {
		if last == probe && !f.saysNo(value) && !f.toldNo(call) {
			return probe
		}
	}
	return ""
}

// saysNo reports whether the answer put in is no: a test of the other way.
func (f *File) saysNo(value syntax.Node) bool {
	if f.Kind(value) == syntax.Lambda {
		value = f.Child(value, syntax.RoleBody)
	}
	return value != 0 && f.IsFalse(value)
}

// toldNo reports whether the test that a patch decorates gives its mock the
// answer no.
func (f *File) toldNo(patch syntax.Node) bool {
	if f.Role(patch) != syntax.RoleDecorate {
		return false
	}
	for n := range f.All(syntax.Assign) {
		if f.Holds(f.Parent(patch), n) && f.Last(f.Child(n, syntax.RoleTarget)) == "return_value" && f.IsFalse(f.Child(n, syntax.RoleValue)) {
			return true
		}
	}
	return false
}
