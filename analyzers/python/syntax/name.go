package syntax

import "bytes"

// Name is the name that a node carries: of a function, class, parameter,
// keyword argument, attribute, alias (dotted), handler, type parameter,
// capture pattern, of a Name and an Ident (dotted). nil: none.
func (t *Tree) Name(n Node) []byte {
	r := &t.nodes[n]
	switch r.kind {
	case Name:
		return t.text[r.start:r.end]
	case Attribute:
		return t.text[r.aux:r.end]
	case Ident:
		return dotted(t.text[r.start:r.end])
	case Alias:
		return t.aliasName(r)
	case Keyword:
		if r.op == Unpack {
			return nil
		}
		return t.identifier(r.start)
	case Param:
		return t.identifier(r.start)
	case FunctionDef, AsyncFunctionDef, ClassDef, ExceptHandler, TypeVar, ParamSpec, TypeVarTuple,
		MatchAs, MatchStar, MatchMapping:
		if r.aux != 0 {
			return t.identifier(r.aux)
		}
	}
	return nil
}

// AsName is the name behind as in an Alias; nil: none.
func (t *Tree) AsName(n Node) []byte {
	if r := &t.nodes[n]; r.kind == Alias && r.aux != 0 {
		return t.identifier(r.aux)
	}
	return nil
}

// NamePos is where Name begins, or the node where it has none.
func (t *Tree) NamePos(n Node) Position {
	r := &t.nodes[n]
	switch r.kind {
	case Attribute, FunctionDef, AsyncFunctionDef, ClassDef, ExceptHandler, TypeVar, ParamSpec,
		TypeVarTuple, MatchAs, MatchStar, MatchMapping:
		if r.aux != 0 {
			return t.Position(int(r.aux))
		}
	}
	return t.Pos(n)
}

// identifier is the identifier that begins at an offset.
func (t *Tree) identifier(at uint32) []byte {
	i := int(at)
	for i < len(t.text) && class[t.text[i]]&isIdent != 0 {
		i++
	}
	return t.text[at:i]
}

// aliasName is the dotted name before as.
func (t *Tree) aliasName(r *record) []byte {
	if r.aux == 0 {
		return dotted(t.text[r.start:r.end])
	}
	first := t.identifier(r.start)
	i := int(r.start) + len(first)
	if t.text[i] == ' ' && t.text[i+1] == 'a' { // nearly always: name as
		return first
	}
	for i < int(r.aux) {
		i = skipBlank(t.text, i)
		if t.text[i] != '.' {
			break
		}
		i = skipBlank(t.text, i+1)
		i += len(t.identifier(uint32(i)))
	}
	return dotted(t.text[r.start:i])
}

// skipBlank passes white space, comments, line ends and continuations.
func skipBlank(text []byte, i int) int {
	for i < len(text) {
		switch text[i] {
		case ' ', '\t', '\f', '\\', '\r', '\n':
			i++
		case '#':
			for i < len(text) && text[i] != '\n' && text[i] != '\r' {
				i++
			}
		default:
			return i
		}
	}
	return i
}

// dotted takes white space, comments and continuations out of a dotted name.
// Nearly always there are none.
func dotted(text []byte) []byte {
	if !bytes.ContainsAny(text, " \t\f\\\r\n#") {
		return text
	}
	var out []byte
	for i := skipBlank(text, 0); i < len(text); i = skipBlank(text, i+1) {
		out = append(out, text[i])
	}
	return out
}
