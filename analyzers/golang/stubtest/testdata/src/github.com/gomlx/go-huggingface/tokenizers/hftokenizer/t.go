package hftokenizer

type Tokenizer struct{}

func (t *Tokenizer) Encode(text string) []int { return nil }

func (t *Tokenizer) Decode(ids []int) string { return "" }

func (t *Tokenizer) IDToToken(id int) (string, bool) { return "", false }

func (t *Tokenizer) VocabSize() int { return 1 }
