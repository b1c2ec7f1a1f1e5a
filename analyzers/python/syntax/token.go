package syntax

// tok is the kind of a token. Each operator and keyword is one, so that the
// parser asks with one comparison.
type tok uint8

const (
	tEOF tok = iota
	tNewline
	tName
	tNumber
	tString
	tError // what the lexer could not read; it has said why
	tFStart
	tFEnd
	tFOpen  // { of a replacement field
	tFClose // its }
	tFConv  // its !
	tFSpec  // its :

	tLParen
	tRParen
	tLBracket
	tRBracket
	tLBrace
	tRBrace
	tComma
	tColon
	tDot
	tSemicolon
	tAssign
	tArrow
	tWalrus
	tEllipsis
	tBackquote // of Python 2
	tAugAssign // any; which one is told by its text

	tPlus
	tMinus
	tStar
	tSlash
	tDoubleSlash
	tPercent
	tAt
	tPower
	tLShift
	tRShift
	tAmper
	tBar
	tCaret
	tTilde
	tEqual
	tNotEqual
	tLess
	tLessEqual
	tGreater
	tGreaterEqual

	tAnd
	tOr
	tNot
	tIn
	tIs
	tIf
	tElse
	tFor
	tAsync
	tAwait
	tLambda
	tYield
	tFrom
	tAs
	tNone
	tTrue
	tFalse

	// From here on: keywords that stand at the beginning of a statement or
	// clause and nowhere else, so that no bracket can hold them.
	tAssert
	tBreak
	tClass
	tContinue
	tDef
	tDel
	tElif
	tExcept
	tFinally
	tGlobal
	tImport
	tNonlocal
	tPass
	tRaise
	tReturn
	tTry
	tWhile
	tWith

	toks
)

// opensStatement reports whether no bracket can hold this keyword.
func (t tok) opensStatement() bool { return t >= tAssert }

// token lies in the text at start, end.
type token struct {
	start, end uint32
	kind       tok
}

// keyword gives the token of a word, tName where it is no keyword.
func keyword(word []byte) tok {
	if len(word) < 2 || len(word) > 8 || word[0] >= 'z' {
		return tName
	}
	slot := keywordSlots[keywordHash(word)]
	if slot.kind != 0 && slot.word == string(word) {
		return slot.kind
	}
	return tName
}

type keywordSlot struct {
	word   string
	kind   tok
	packed uint64
}

// keywordHash has no collisions among the keywords; a test holds that.
func keywordHash(word []byte) uint8 {
	n := len(word)
	return hashOf(n, word[0], word[1], word[n-1])
}

func hashOf(n int, first, second, last byte) uint8 {
	return uint8(2*n+4*int(first)+11*int(second)+9*int(last)) % 64
}

var keywordSlots = fillKeywords()

func fillKeywords() (slots [64]keywordSlot) {
	for _, k := range keywords {
		slots[keywordHash([]byte(k.word))] = keywordSlot{k.word, k.kind, packed(k.word)}
	}
	return slots
}

var keywords = []struct {
	word string
	kind tok
}{
	{"False", tFalse}, {"None", tNone}, {"True", tTrue}, {"and", tAnd}, {"as", tAs}, {"assert", tAssert},
	{"async", tAsync}, {"await", tAwait}, {"break", tBreak}, {"class", tClass}, {"continue", tContinue},
	{"def", tDef}, {"del", tDel}, {"elif", tElif}, {"else", tElse}, {"except", tExcept},
	{"finally", tFinally}, {"for", tFor}, {"from", tFrom}, {"global", tGlobal}, {"if", tIf},
	{"import", tImport}, {"in", tIn}, {"is", tIs}, {"lambda", tLambda}, {"nonlocal", tNonlocal},
	{"not", tNot}, {"or", tOr}, {"pass", tPass}, {"raise", tRaise}, {"return", tReturn}, {"try", tTry},
	{"while", tWhile}, {"with", tWith}, {"yield", tYield},
}
