package tokenizer

type Tokenizer struct{}

func (*Tokenizer) GetVocab(withAddedTokens bool) map[string]int { return nil }
