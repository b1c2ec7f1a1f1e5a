package sites

import (
	"go/types"
	"strings"
	"unicode"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/site"
)

// bySignature is the rule for decodes that nobody listed: a decode's name,
// integers in, text out. Bytes and runes are not ids. A single id under a name
// that others use too counts on the type of a tokenizer only.
func (r *Result) bySignature(name string, sig *types.Signature, recv types.Type) (match, bool) {
	name = exported(name)
	lists := r.table.Is("decode-ids", name)
	single := r.table.Is("decode-id", name)
	weak := r.table.Is("decode-weak", name)
	if !lists && !single && !weak || !givesText(sig) {
		return match{}, false
	}
	params := sig.Params()
	scalar := -1
	for i := range params.Len() {
		t := params.At(i).Type()
		switch {
		case lists && IsIDList(t):
			return match{kind: site.Decode, ids: i, by: "signature"}, true
		case scalar < 0 && IsID(t):
			scalar = i
		}
	}
	if scalar >= 0 && (single || weak && r.isTokenizer(recv)) {
		return match{kind: site.Decode, ids: scalar, by: "signature"}, true
	}
	return match{}, false
}

// exported writes a name as it would be written outside of its package.
func exported(name string) string {
	if name == "" || !unicode.IsLower(rune(name[0])) {
		return name
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// givesText reports whether the first result is a string or a list of them.
func givesText(sig *types.Signature) bool {
	if sig.Results().Len() == 0 {
		return false
	}
	t := sig.Results().At(0).Type()
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// IsIDList reports whether a type is a list of ids, or a batch of lists.
func IsIDList(t types.Type) bool {
	for range 2 {
		var elem types.Type
		switch u := t.Underlying().(type) {
		case *types.Slice:
			elem = u.Elem()
		case *types.Array:
			elem = u.Elem()
		default:
			return false
		}
		if IsID(elem) {
			return true
		}
		t = elem
	}
	return false
}

// IsID reports whether a type can hold one token id: an integer that is
// neither a byte nor a rune, nor too small for a vocabulary.
func IsID(t types.Type) bool {
	t = types.Unalias(t)
	if param, ok := t.(*types.TypeParam); ok {
		return idConstraint(param.Constraint())
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || b.Name() == "rune" || b.Name() == "byte" {
		return false
	}
	switch b.Kind() {
	case types.Int8, types.Uint8, types.Uintptr, types.UntypedRune:
		return false
	}
	return true
}

// idConstraint reports whether every type that a type parameter allows is an
// integer.
func idConstraint(constraint types.Type) bool {
	iface, ok := constraint.Underlying().(*types.Interface)
	if !ok || iface.NumEmbeddeds() == 0 {
		return false
	}
	for i := range iface.NumEmbeddeds() {
		switch e := types.Unalias(iface.EmbeddedType(i)).(type) {
		case *types.Union:
			for j := range e.Len() {
				if b, ok := e.Term(j).Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
					return false
				}
			}
		default:
			if !IsID(e) && !idConstraint(e) {
				return false
			}
		}
	}
	return true
}

// isTokenizer reports whether a type encodes too, or says how large its
// vocabulary is, or is named after either.
func (r *Result) isTokenizer(recv types.Type) bool {
	if recv == nil {
		return false
	}
	if named := catalog.Named(recv); named != nil {
		low := strings.ToLower(named.Obj().Name())
		for _, word := range r.table.Words("tokenizer-words") {
			if strings.Contains(low, word) {
				return true
			}
		}
	}
	if _, isPointer := types.Unalias(recv).(*types.Pointer); !isPointer && !types.IsInterface(recv) {
		recv = types.NewPointer(recv)
	}
	set := types.NewMethodSet(recv)
	for i := range set.Len() {
		if r.table.Is("tokenizer-methods", exported(set.At(i).Obj().Name())) {
			return true
		}
	}
	return false
}
