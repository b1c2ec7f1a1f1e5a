package rules

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// modeCall says which mode a call of train() or eval() sets; ok is false for
// any other call. A mode that is computed counts as training: somebody chose it.
func modeCall(t *syntax.Tree, call syntax.Node) (off, ok bool) {
	fun := t.First(call)
	if t.Kind(fun) != syntax.Attribute {
		return false, false
	}
	arg := t.Child(call, syntax.RoleArg)
	if k := t.Child(call, syntax.RoleKeyword); arg == 0 && k != 0 {
		if string(t.Name(k)) != "mode" {
			return false, false
		}
		arg = t.Child(k, syntax.RoleValue)
	} else if k != 0 {
		return false, false // trainer.train(data, epochs=3)
	}
	if arg != 0 && t.Next(arg) != 0 && t.Role(t.Next(arg)) == syntax.RoleArg {
		return false, false
	}
	switch string(t.Name(fun)) {
	case "eval":
		return true, arg == 0
	case "train":
		return arg != 0 && t.Kind(arg) == syntax.Constant && t.Op(arg) == syntax.False, true
	}
	return false, false
}

// sets is modeCall for calls that mean the method of a module: self.train() of a
// trainer is another function.
func (m *modeFlow) sets(u *modeUnit, call syntax.Node) (off, ok bool) {
	off, ok = modeCall(u.tree, call)
	if ok && u.tree.Kind(u.tree.First(u.tree.First(call))) == syntax.Name && m.callee(u.fn.File, call).Def != 0 {
		return false, false
	}
	return off, ok
}

// isBackward reports whether a call computes gradients to train with.
func isBackward(t *syntax.Tree, call syntax.Node) bool {
	fun := t.First(call)
	name := string(t.Name(fun))
	return t.Kind(fun) == syntax.Attribute && (name == "backward" || name == "manual_backward") && !isKernel(t, call)
}

// isKernel reports whether a call of backward() gets more than that of a tensor
// takes: it is one of an extension, which computes gradients by itself.
func isKernel(t *syntax.Tree, call syntax.Node) bool {
	n := 0
	for range t.ChildrenOf(call, syntax.RoleArg) {
		n++
	}
	return n > 3
}

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

// events are what happens to a model at the vertices of a function, in the
// order of the source within each.
func (m *modeFlow) events(u *modeUnit, key string, depth int) map[flow.Vertex][]modeEvent {
	g := u.flow()
	out := map[flow.Vertex][]modeEvent{}
	put := func(at syntax.Node, e modeEvent) {
		for v := range g.At(at) {
			out[v] = append(out[v], e)
		}
	}
	for _, c := range u.calls {
		switch _, ok := m.sets(u, c); {
		case ok || isBackward(u.tree, c):
			m.direct(u, key, c, put)
		default:
			m.byCallee(u, key, c, depth, put)
		}
	}
	m.rebound(u, key, put)
	return out
}

// direct are the events of one call by itself.
func (m *modeFlow) direct(u *modeUnit, key string, c syntax.Node, put func(syntax.Node, modeEvent)) {
	t := u.tree
	if isBackward(t, c) {
		if m.ofAnother(u, key) {
			return
		}
		put(c, modeEvent{what: modeTrained, node: c, inner: c, file: u.fn.File})
		return
	}
	off, ok := m.sets(u, c)
	if !ok {
		return
	}
	keys, loop := modelKeys(t, t.First(t.First(c)))
	for _, k := range keys {
		if !covers(k, key) && (off || !covers(strings.TrimSuffix(key, "[]"), k)) {
			continue // training mode of one of several: somebody chooses by hand
		}
		at := c
		if loop != 0 && t.Kind(loop) == syntax.For {
			at = loop // for all of them at once: the loop over models is not left out
		}
		if !off {
			put(at, modeEvent{what: modeOn, node: c, inner: c, file: u.fn.File, whole: k == key || k == "self"})
			m.chosen(u, c, put)
			continue
		}
		if !m.hasOtherArm(u, key, c) {
			put(at, modeEvent{what: modeOff, node: c, inner: c, file: u.fn.File})
		}
	}
}

// ofAnother reports whether what a function trains is another model: it sets
// the mode of others and does not speak of this one.
func (m *modeFlow) ofAnother(u *modeUnit, key string) bool {
	others := false
	for _, c := range u.calls {
		if _, ok := m.sets(u, c); !ok {
			continue
		}
		keys, _ := modelKeys(u.tree, u.tree.First(u.tree.First(c)))
		for _, k := range keys {
			if covers(k, key) || covers(key, k) {
				return false
			}
			others = true
		}
	}
	return others && !bytes.Contains(u.tree.Source(u.fn.Def), []byte(strings.TrimSuffix(key, "[]")))
}

// withoutGradients reports whether a node stands in a with that switches
// gradients off.
func withoutGradients(t *syntax.Tree, n syntax.Node) bool {
	for p := range t.Ancestors(n) {
		switch k := t.Kind(p); {
		case k == syntax.With:
			for item := range t.ChildrenOf(p, syntax.RoleItem) {
				ctx := t.Child(item, syntax.RoleContext)
				if t.Kind(ctx) == syntax.Call {
					ctx = t.First(ctx)
				}
				if name := string(t.Name(ctx)); name == "no_grad" || name == "inference_mode" {
					return true
				}
			}
		case k.IsFunction():
			return false
		}
	}
	return false
}

// chosen puts the switch to training mode at the if that it stands under, where
// that condition is about the mode, or is the one under which it was left.
func (m *modeFlow) chosen(u *modeUnit, on syntax.Node, put func(syntax.Node, modeEvent)) {
	t := u.tree
	for p := range t.Ancestors(on) {
		switch k := t.Kind(p); {
		case k.IsFunction():
			return
		case k == syntax.If:
			test := t.Child(p, syntax.RoleTest)
			if strings.Contains(strings.ToLower(string(t.Source(test))), "train") || m.sameTest(u, on, test) || m.switchesBoth(u, p) {
				put(p, modeEvent{what: modeOn, node: on, inner: on, file: u.fn.File})
			}
		}
	}
}

// sameTest reports whether an eval() of the function stands under the same
// condition.
func (m *modeFlow) sameTest(u *modeUnit, on, test syntax.Node) bool {
	t := u.tree
	src := string(t.Source(test))
	for _, c := range u.calls {
		if off, ok := m.sets(u, c); !ok || !off {
			continue
		}
		for p := range t.Ancestors(c) {
			if t.Kind(p) == syntax.If && p != t.Parent(test) && string(t.Source(t.Child(p, syntax.RoleTest))) == src {
				return true
			}
		}
	}
	return false
}

// switchesBoth reports whether both arms of an if set a mode.
func (m *modeFlow) switchesBoth(u *modeUnit, n syntax.Node) bool {
	t := u.tree
	var on, off [2]bool
	for _, c := range u.calls {
		isOff, ok := m.sets(u, c)
		if !ok {
			continue
		}
		for child, p := c, t.Parent(c); p != 0; child, p = p, t.Parent(p) {
			if p == n {
				arm := 0
				if t.Role(child) == syntax.RoleOrElse {
					arm = 1
				}
				on[arm], off[arm] = on[arm] || !isOff, off[arm] || isOff
			}
		}
	}
	return on[0] && off[1] || on[1] && off[0]
}

// hasOtherArm reports whether the mode is chosen by a flag: the other arm of an
// if around this eval() switches training on.
func (m *modeFlow) hasOtherArm(u *modeUnit, key string, off syntax.Node) bool {
	t := u.tree
	for _, c := range u.calls {
		isOff, ok := m.sets(u, c)
		if !ok || isOff || !flow.Exclusive(t, c, off) {
			continue
		}
		keys, _ := modelKeys(t, t.First(t.First(c)))
		for _, k := range keys {
			if covers(k, key) {
				return true
			}
		}
	}
	return false
}

// byCallee are the events of what a call calls.
func (m *modeFlow) byCallee(u *modeUnit, key string, c syntax.Node, depth int, put func(syntax.Node, modeEvent)) {
	if depth == 0 {
		return
	}
	fn := m.callee(u.fn.File, c)
	if fn.Def == 0 {
		if m.trainsByName(u, key, c) {
			put(c, modeEvent{what: modeOn, node: c, inner: c, file: u.fn.File, guess: true})
		}
		return
	}
	for _, k := range m.inward(u, c, fn, key) {
		s := m.summary(m.unit(fn), k, depth-1)
		if s.trainsFirst != 0 && !withoutGradients(u.tree, c) {
			put(c, modeEvent{what: modeTrained, node: c, inner: s.trainsFirst, file: fn.File})
		}
		if s.switchesOn {
			put(c, modeEvent{what: modeOn, node: c, inner: c, file: u.fn.File, whole: s.whole})
			m.chosen(u, c, put)
		}
		if s.leavesEval != 0 && !m.restores(fn) {
			put(c, modeEvent{what: modeOff, node: c, inner: s.leavesEval, file: s.in})
		}
	}
}

// trainsByName reports whether a call that is not resolved is called a training
// function and gets the model.
func (m *modeFlow) trainsByName(u *modeUnit, key string, c syntax.Node) bool {
	t := u.tree
	name := strings.ToLower(string(t.Name(t.First(c))))
	if !strings.Contains(name, "train") && !strings.HasSuffix(name, "_mode") {
		return false
	}
	for a := range t.Children(c) {
		if t.Role(a) == syntax.RoleFunc && t.Kind(a) == syntax.Attribute {
			a = t.First(a)
		} else if t.Role(a) == syntax.RoleKeyword {
			a = t.Child(a, syntax.RoleValue)
		} else if t.Role(a) != syntax.RoleArg {
			continue
		}
		keys, _ := modelKeys(t, a)
		for _, k := range keys {
			if covers(k, key) {
				return true
			}
		}
	}
	return false
}

// restores reports whether a decorator of a function may set the mode back.
func (m *modeFlow) restores(fn calls.Func) bool {
	t := fn.File.Syntax
	for d := range t.ChildrenOf(fn.Def, syntax.RoleDecorate) {
		if t.Kind(d) == syntax.Call {
			d = t.First(d)
		}
		if !named("plain-decorator", string(t.Name(d))) {
			return true
		}
	}
	return false
}

// rebound are the places where the name of a model is given another one.
func (m *modeFlow) rebound(u *modeUnit, key string, put func(syntax.Node, modeEvent)) {
	head, _ := cutKey(key)
	for b := range u.fn.File.Names.Bindings(u.fn.Def, []byte(head)) {
		if b.Target != 0 && !b.Attr && u.tree.Kind(b.Target) == syntax.Name && !u.keeps(b.Value, head) {
			put(b.Target, modeEvent{what: modeOther, node: b.Target})
		}
	}
	if _, attr, ok := strings.Cut(key, "."); ok && !strings.ContainsAny(attr, ".[") {
		if class := u.fn.File.Names.Class(u.tree.Child(u.fn.Def, syntax.RoleBody)); class != 0 {
			for b := range u.fn.File.Names.Bindings(class, []byte(attr)) {
				if b.Attr && b.Target != 0 && !u.keeps(b.Value, attr) {
					put(b.Target, modeEvent{what: modeOther, node: b.Target})
				}
			}
		}
	}
}

// keeps reports whether a value is still the same model: model = model.to(d),
// model = wrap(model).
func (u *modeUnit) keeps(value syntax.Node, name string) bool {
	if value == 0 {
		return false
	}
	for n := range u.tree.Preorder(value) {
		if k := u.tree.Kind(n); (k == syntax.Name || k == syntax.Attribute) && string(u.tree.Name(n)) == name {
			return true
		}
	}
	return false
}
