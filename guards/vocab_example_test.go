package guards_test

import (
	"errors"
	"fmt"
	"maps"

	"github.com/trainvet/trainvet/guards"
)

// A tokenizer of 50,257 ids in front of a model with 50,304 columns.
func ExampleVocab() {
	vocab, err := guards.NewVocab(50257, guards.LogitsWidth(50304), guards.From("len(tokenizer), rows of wte"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(vocab.Size(), vocab.Width(), vocab.Holes(), vocab.Has(50256), vocab.Has(50257))
	// Output: 50257 50304 0 true false
}

// A vocabulary with holes: the legal id 100 lies beyond the number of tokens.
func ExampleNewVocabOf() {
	tokens := map[string]int{"a": 0, "b": 1, "[PAD]": 2, "[MASK]": 100}
	vocab, err := guards.NewVocabOf(maps.Values(tokens))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(tokens), vocab.Size(), vocab.Holes(), vocab.Has(100), vocab.Has(50))
	// Output: 4 101 97 true false
}

// A size of 0 is what one tokenizer returns for every vocabulary.
func ExampleVocabError() {
	_, err := guards.NewVocab(0)
	var refused *guards.VocabError
	fmt.Println(errors.As(err, &refused), errors.Is(err, guards.ErrFault))
	fmt.Println(err)
	// Output:
	// true false
	// vocabulary refused: its size is 0; ask the tokenizer for its ids if it does not know its size
}

// Rows that were gathered to one length are padded with -100 behind their ids.
func ExampleVocabOption() {
	vocab, _ := guards.NewVocab(50257, guards.LogitsWidth(50304), guards.Fill(-100), guards.Pad(50256))
	site := guards.New(guards.Options{}).DecodeSite("predictions", vocab)
	fmt.Println(guards.CheckTokenRows(site, [][]int64{{5, 6, 7}, {8, -100, -100}, {-100, -100, -100}}))
	fmt.Println(guards.CheckTokenRows(site, [][]int64{{5, -100, 7}}))
	// Output:
	// <nil>
	// fault ids-impossible at predictions, sample 0, place 1: the fill -100 stands inside a row, where an id belongs
}
