package tokenizers

type Tokenizer struct{}

func (t *Tokenizer) Encode(text string, special bool) ([]uint32, []string) { return nil, nil }

func (t *Tokenizer) Decode(ids []uint32, skipSpecialTokens bool) string { return "" }

func (t *Tokenizer) DecodeErr(ids []uint32, skipSpecialTokens bool) (string, error) { return "", nil }

func (t *Tokenizer) VocabSize() uint32 { return 1 }
