package llama

type (
	Context uintptr
	Vocab   uintptr
	Token   int32
	Batch   struct{}
	Sampler uintptr
)

func Decode(ctx Context, batch Batch) (int32, error) { return 0, nil }

func SamplerSample(s Sampler, ctx Context, at int32) Token { return 0 }

func TokenToPiece(vocab Vocab, token Token, buf []byte, lstrip int32, special bool) int32 { return 0 }

func Detokenize(vocab Vocab, tokens []Token, removeSpecial, unparseSpecial bool) string { return "" }

func VocabNTokens(vocab Vocab) int32 { return 1 }
