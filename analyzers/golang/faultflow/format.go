package faultflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// wrapped are the arguments of a formatting call that its %w verbs name.
func wrapped(c *ssa.CallCommon) []ssa.Value {
	format, args, ok := formatCall(c)
	if !ok {
		return c.Args // nothing is known of the format: taken for kept
	}
	var out []ssa.Value
	for i, verb := range verbs(format) {
		if verb == 'w' && i < len(args) {
			out = append(out, args[i])
		}
	}
	return out
}

// formatCall splits a call into its format and the values behind it.
func formatCall(c *ssa.CallCommon) (format string, args []ssa.Value, ok bool) {
	if len(c.Args) < 2 {
		return "", nil, false
	}
	k, isConst := c.Args[len(c.Args)-2].(*ssa.Const)
	if !isConst || k.Value == nil || k.Value.Kind() != constant.String {
		return "", nil, false
	}
	args, ok = elements(c.Args[len(c.Args)-1])
	return constant.StringVal(k.Value), args, ok
}

// elements are the values of a variadic argument as the compiler builds it.
func elements(v ssa.Value) ([]ssa.Value, bool) {
	slice, ok := v.(*ssa.Slice)
	if !ok {
		return nil, false
	}
	array, ok := slice.X.(*ssa.Alloc)
	if !ok {
		return nil, false
	}
	typ, ok := array.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	if !ok {
		return nil, false
	}
	out := make([]ssa.Value, typ.Len())
	for _, ref := range *array.Referrers() {
		at, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		index, ok := at.Index.(*ssa.Const)
		if !ok || index.Int64() >= int64(len(out)) {
			return nil, false
		}
		for _, s := range *at.Referrers() {
			if s, ok := s.(*ssa.Store); ok && s.Addr == at {
				out[index.Int64()] = s.Val
			}
		}
	}
	return out, true
}

// maxArguments bounds the explicit indexes that are followed.
const maxArguments = 1000

// verbs lists the verb of each argument of a format, in order; explicit
// argument indexes are followed, a * takes an argument of its own.
func verbs(format string) []byte {
	var out []byte
	arg := 0
	take := func(verb byte) {
		for len(out) <= arg {
			out = append(out, 0)
		}
		out[arg] = verb
		arg++
	}
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && arg < maxArguments; i++ {
			ch := format[i]
			if ch == '[' {
				end := strings.IndexByte(format[i:], ']')
				if end < 0 {
					return out
				}
				n, err := strconv.Atoi(format[i+1 : i+end])
				if err != nil || n < 1 || n > maxArguments {
					return out
				}
				arg, i = n-1, i+end
				continue
			}
			if strings.IndexByte("+-# .0123456789", ch) >= 0 {
				continue
			}
			if ch == '*' {
				take(ch)
				continue
			}
			if ch != '%' {
				take(ch)
			}
			break
		}
	}
	return out
}

// hasText reports whether an argument of a call is made of the error's text.
func (e *engine) hasText(p *path, c *ssa.CallCommon) bool {
	for _, arg := range c.Args {
		if e.textual(p, arg, 0) {
			return true
		}
	}
	return false
}

// textual reports whether a value is the text of the held error, or made of it.
func (e *engine) textual(p *path, v ssa.Value, depth int) bool {
	if depth > 8 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Call:
		return e.textCall(p, &v.Call, depth)
	case *ssa.BinOp:
		return v.Op == token.ADD && (e.textual(p, v.X, depth+1) || e.textual(p, v.Y, depth+1))
	case *ssa.MakeInterface:
		return e.textual(p, v.X, depth+1)
	case *ssa.Convert:
		return e.textual(p, v.X, depth+1)
	case *ssa.Slice:
		if list, ok := elements(v); ok {
			for _, x := range list {
				if x != nil && e.textual(p, x, depth+1) {
					return true
				}
			}
		}
	case *ssa.Phi:
		for _, x := range v.Edges {
			if e.textual(p, x, depth+1) {
				return true
			}
		}
	}
	return false
}

func (e *engine) textCall(p *path, c *ssa.CallCommon, depth int) bool {
	if c.IsInvoke() {
		return c.Method.Name() == "Error" && p.held[c.Value]
	}
	results := c.Signature().Results()
	if results.Len() != 1 || !isText(results.At(0).Type()) {
		return false
	}
	if p.holdsAny(c.Args) {
		return true // fmt.Sprint(err), errText(err), (*guards.Fault).Error
	}
	for _, arg := range c.Args {
		if e.textual(p, arg, depth+1) {
			return true
		}
	}
	return false
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
