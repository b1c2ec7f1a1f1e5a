package api

type Tokenizer interface {
	Encode(text string) []int
	Decode([]int) string
}
