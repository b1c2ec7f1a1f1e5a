// Package built has lists that are made of checked and of unchecked ids.
package built

import (
	"encoding/binary"
	"errors"
	"io"
	"log"

	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/eliben/go-sentencepiece"
	"github.com/gomlx/go-huggingface/tokenizers/api"
	"github.com/trainvet/trainvet/guards"
)

var errRange = errors.New("id out of range")

func next() int32

func collect(tok api.Tokenizer, n int32) (string, error) {
	var ids []int
	for len(ids) < 100 {
		id := next()
		if id < 0 || id >= n {
			return "", errRange
		}
		ids = append(ids, int(id))
	}
	return tok.Decode(ids), nil // want "decode guarded"
}

func collectBare(tok api.Tokenizer, n int32) string {
	var ids []int
	for len(ids) < 100 {
		ids = append(ids, int(next()))
	}
	return tok.Decode(ids) // want "decode unguarded"
}

// One of two ways into the list has no check.
func collectSome(tok api.Tokenizer, n int32) (string, error) {
	ids := []int{int(next())}
	for len(ids) < 100 {
		id := next()
		if id < 0 || id >= n {
			return "", errRange
		}
		ids = append(ids, int(id))
	}
	return tok.Decode(ids), nil // want "decode unguarded"
}

func filled(tok api.Tokenizer, n int32) (string, error) {
	ids := make([]int, 16)
	for i := range ids {
		id := next()
		if id < 0 || id >= n {
			return "", errRange
		}
		ids[i] = int(id)
	}
	log.Println(ids)
	return tok.Decode(ids), nil // want "decode guarded"
}

// A new list holds zeros; what a reader puts into it is something else.
func read(tok llama.Vocab, r io.Reader) (string, error) {
	ids := make([]llama.Token, 16)
	if err := binary.Read(r, binary.LittleEndian, ids); err != nil {
		return "", err
	}
	return llama.Detokenize(tok, ids, true, true), nil // want "decode unguarded"
}

func copied(tok api.Tokenizer, src []int) string {
	src = device()
	ids := make([]int, len(src))
	copy(ids, src)
	return tok.Decode(ids) // want "decode unguarded"
}

func device() []int

// Decode is llama.cpp's word for a forward pass.
func forward(ctx llama.Context, v llama.Vocab, s llama.Sampler) error {
	if _, err := llama.Decode(ctx, llama.Batch{}); err != nil {
		return err
	}
	tok := llama.SamplerSample(s, ctx, -1)
	buf := make([]byte, 64)
	llama.TokenToPiece(v, tok, buf, 0, true) // want "decode unguarded, generated"
	if tok < 0 || tok >= llama.Token(llama.VocabNTokens(v)) {
		return errRange
	}
	llama.TokenToPiece(v, tok, buf, 0, true) // want "decode guarded"
	return nil
}

// The counter of a loop is the host's.
func vocabulary(tok api.Tokenizer, n int) []string {
	var out []string
	for i := range n {
		out = append(out, tok.Decode([]int{i})) // want "decode guarded, constant"
	}
	return out
}

// An argmax takes a counter where floating-point numbers say so.
func greedy(tok api.Tokenizer, logits [][]float32) string {
	var ids []int
	for _, row := range logits {
		best := 0
		for i := range row {
			if row[i] > row[best] {
				best = i
			}
		}
		ids = append(ids, best)
	}
	return tok.Decode(ids) // want "decode unguarded, generated"
}

type result struct {
	ids []int
	n   int
}

func results() []result

// One loop checks a field of each, the next decodes it.
func fields(tok api.Tokenizer, site *guards.Site) ([]string, error) {
	list := results()
	for _, r := range list {
		if err := guards.CheckTokenIDs(site, r.ids); err != nil {
			return nil, err
		}
	}
	var out []string
	for _, r := range list {
		out = append(out, tok.Decode(r.ids)) // want "decode guarded"
	}
	return out, nil
}

// A check of another field says nothing of the ids.
func otherField(tok api.Tokenizer) ([]string, error) {
	list := results()
	for _, r := range list {
		if r.n < 0 || r.n >= 100 {
			return nil, errRange
		}
	}
	var out []string
	for _, r := range list {
		out = append(out, tok.Decode(r.ids)) // want "decode unguarded"
	}
	return out, nil
}

// The ids may be a field of what is decoded.
func tokens(p *sentencepiece.Processor, list []sentencepiece.Token, n int) (string, error) {
	list = pieces()
	for _, t := range list {
		if t.ID < 0 || t.ID >= n {
			return "", errRange
		}
	}
	return p.DecodeTokens(list), nil // want "decode guarded"
}

func pieces() []sentencepiece.Token

func tokensBare(p *sentencepiece.Processor) string {
	return p.DecodeTokens(pieces()) // want "decode unguarded"
}
