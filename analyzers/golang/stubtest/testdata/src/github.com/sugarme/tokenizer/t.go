package tokenizer

type Encoding struct{ Ids []int }

type Tokenizer struct{}

func (t *Tokenizer) EncodeSingle(text string) (*Encoding, error) { return nil, nil }

func (t *Tokenizer) Decode(ids []int, skipSpecialTokens bool) string { return "" }

func (t *Tokenizer) DecodeBatch(rows [][]int, skipSpecialTokens bool) []string { return nil }

func (t *Tokenizer) IdToToken(id int) (string, bool) { return "", false }

func (t *Tokenizer) GetVocabSize(withAddedTokens bool) int { return 1 }
