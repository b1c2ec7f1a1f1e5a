package llama

type (
	Token int32
	Vocab uintptr
)

func VocabNTokens(vocab Vocab) int32 { return 0 }

func Detokenize(vocab Vocab, tokens []Token, removeSpecial bool, unparseSpecial bool) string {
	return ""
}
