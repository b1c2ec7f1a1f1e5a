package sentencepiece

type Token struct {
	ID   int
	Text string
}

type Processor struct{}

func (p *Processor) Decode(ids []int) string { return "" }

func (p *Processor) DecodeTokens(tokens []Token) string { return "" }
