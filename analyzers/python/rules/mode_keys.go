package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// keysOf are the models whose mode a function sets, itself or by what it calls.
func (m *modeFlow) keysOf(u *modeUnit, depth int) []string {
	if u.made || u.open || depth == 0 {
		return u.keys
	}
	u.open, u.made = true, true
	seen := map[string]bool{}
	add := func(key string) {
		if key != "" && !seen[key] {
			seen[key] = true
			u.keys = append(u.keys, key)
		}
	}
	for _, c := range u.calls {
		if _, ok := m.sets(u, c); ok {
			keys, _ := modelKeys(u.tree, u.tree.First(u.tree.First(c)))
			for _, k := range keys {
				if !named("mode-of-optimizer", k[strings.LastIndexByte(k, '.')+1:]) {
					add(k)
				}
			}
			continue
		}
		fn := m.callee(u.fn.File, c)
		if fn.Def == 0 {
			continue
		}
		for _, k := range m.keysOf(m.unit(fn), depth-1) {
			add(m.outward(u, c, fn, k))
		}
	}
	u.open = false
	return u.keys
}

// outward is what the caller calls the model that a function knows by a key;
// empty: it is none of the caller's.
func (m *modeFlow) outward(u *modeUnit, call syntax.Node, fn calls.Func, key string) string {
	head, rest := cutKey(key)
	in := fn.File.Syntax
	if fn.Method && head == firstParam(in, fn.Def) {
		object := u.tree.First(u.tree.First(call))
		if u.tree.Kind(u.tree.First(call)) != syntax.Attribute || u.tree.Kind(object) == syntax.Call {
			object = 0
		}
		if base := chainOf(u.tree, object); base != "" {
			return base + rest
		}
		if isSuperCall(u.tree, u.tree.First(u.tree.First(call))) {
			return firstParam(u.tree, u.fn.Def) + rest
		}
		return ""
	}
	for p := range in.ChildrenOf(fn.Def, syntax.RoleParam) {
		if string(in.Name(p)) != head {
			continue
		}
		arg := fn.Argument(u.fn.File, call, p)
		if arg == 0 {
			return ""
		}
		keys, _ := modelKeys(u.tree, arg)
		if len(keys) != 1 {
			return ""
		}
		return keys[0] + rest
	}
	if fn.File == u.fn.File && m.sameScope(u, call, fn, head) {
		return key
	}
	return ""
}

// inward is what a function calls the model that its caller knows by a key.
func (m *modeFlow) inward(u *modeUnit, call syntax.Node, fn calls.Func, key string) []string {
	in := fn.File.Syntax
	var out []string
	under := func(base, name string) {
		if base != "" && covers(base, key) {
			out = append(out, name+key[len(base):])
		}
	}
	if fn.Method {
		fun := u.tree.First(call)
		if u.tree.Kind(fun) == syntax.Attribute {
			self := firstParam(in, fn.Def)
			under(chainOf(u.tree, u.tree.First(fun)), self)
			if isSuperCall(u.tree, u.tree.First(fun)) {
				under(firstParam(u.tree, u.fn.Def), self)
			}
		}
	}
	for p := range in.ChildrenOf(fn.Def, syntax.RoleParam) {
		if arg := fn.Argument(u.fn.File, call, p); arg != 0 {
			if keys, _ := modelKeys(u.tree, arg); len(keys) == 1 {
				under(keys[0], string(in.Name(p)))
			}
		}
	}
	if head, _ := cutKey(key); fn.File == u.fn.File && m.sameScope(u, call, fn, head) {
		out = append(out, key)
	}
	return out
}

func cutKey(key string) (head, rest string) {
	if i := strings.IndexAny(key, ".["); i >= 0 {
		return key[:i], key[i:]
	}
	return key, ""
}

func firstParam(t *syntax.Tree, def syntax.Node) string {
	return string(t.Name(t.Child(def, syntax.RoleParam)))
}

func isSuperCall(t *syntax.Tree, n syntax.Node) bool {
	return t.Kind(n) == syntax.Call && string(t.Name(t.First(n))) == "super"
}

// sameScope reports whether a name means the same variable in a function and
// where it is called: one of a scope around both.
func (m *modeFlow) sameScope(u *modeUnit, call syntax.Node, fn calls.Func, name string) bool {
	body := u.tree.Child(fn.Def, syntax.RoleBody)
	a := u.fn.File.Names.Resolve(call, []byte(name))
	return a != 0 && a == u.fn.File.Names.Resolve(body, []byte(name))
}
