package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// isVocabulary reports whether an expression is a size of a vocabulary:
// tok.vocab_size, len(tok), n_vocab, embedding.num_embeddings.
func (f *File) isVocabulary(n syntax.Node) bool {
	switch f.Kind(n) {
	case syntax.Name, syntax.Attribute:
		switch strings.ToLower(f.Last(n)) {
		case "vocab_size", "n_vocab", "num_embeddings", "vocab_len", "n_words", "max_token_value", "num_tokens", "vocabulary_size", "padded_vocab_size":
			return true
		}
	case syntax.Call:
		name := f.Last(f.First(n))
		if name == "len" {
			return f.isTokenizer(f.Arg(n, 0))
		}
		return name == "get_vocab_size" || name == "get_piece_size" || name == "GetPieceSize" || name == "vocab_size"
	case syntax.BinOp: // len(tok) - 1
		return f.isVocabulary(f.First(n))
	}
	return false
}

// isTokenizer reports whether an expression is a tokenizer or its vocabulary, by
// its name.
func (f *File) isTokenizer(n syntax.Node) bool {
	if n == 0 {
		return false
	}
	name := strings.ToLower(f.Last(n))
	return strings.Contains(name, "tok") && !strings.Contains(name, "tokens") || strings.Contains(name, "vocab") || name == "processing_class" || name == "processor" || name == "dictionary"
}

// vocabBound finds in a test the operand that holds a value against the size of a
// vocabulary from above: x < len(tok), tok.vocab_size <= x. 0: none does.
func (f *File) vocabBound(test syntax.Node) syntax.Node {
	found := syntax.Node(0)
	f.Walk(test, func(n syntax.Node) syntax.Walk {
		if f.Kind(n) != syntax.Compare {
			return syntax.Into
		}
		for right := range f.ChildrenOf(n, syntax.RoleRight) {
			switch f.CompareOp(right) {
			case syntax.Lt, syntax.LtE, syntax.Gt, syntax.GtE:
				for c := range f.Children(n) {
					if f.isVocabulary(c) {
						found = c
						return syntax.Stop
					}
				}
			}
		}
		return syntax.Into
	})
	return found
}

// maxLoops bounds the loops of which one goes over what another one gives:
// any(i >= n for row in ids for i in row).
const maxLoops = 3

// holdsIDs reports whether an expression says by its names that it is about ids.
func (f *File) holdsIDs(n syntax.Node) bool { return f.holdsIDsWithin(n, maxLoops) }

func (f *File) holdsIDsWithin(n syntax.Node, loops int) bool {
	for c := range f.Preorder(n) {
		switch f.Kind(c) {
		case syntax.Name, syntax.Attribute:
			for b := range f.Names.Lookup(c, f.Name(c)) {
				if loops > 0 && f.Kind(c) == syntax.Name && b.How == names.Loop && b.Value != 0 && !f.Holds(b.Value, n) && f.holdsIDsWithin(b.Value, loops-1) {
					return true
				}
			}
			name := strings.ToLower(string(f.Name(c)))
			if name == "id" || name == "tok" || name == "token" || strings.HasSuffix(name, "ids") || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "tokens") || strings.HasPrefix(name, "pred") || strings.HasPrefix(name, "generat") || name == "labels" || name == "sequences" {
				return true
			}
		}
	}
	return false
}
