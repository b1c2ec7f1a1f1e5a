// Package names has decodes that no catalogue lists, and what only looks so.
package names

import (
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"image/png"
	"io"
	"strconv"
	"unicode/utf8"
)

type Vocab struct{ words []string }

func (v *Vocab) Decode(ids []int) string { return "" }

func (v *Vocab) IDToToken(id int64) string { return "" }

// A generic one counts for its origin.
type Table[T ~int32 | ~int64] struct{}

func (t Table[T]) DecodeIDs(ids []T) (string, error) { return "", nil }

type embeds struct {
	*Vocab
	Table[int32]
}

type service struct {
	detok func([]int) string
}

// Spell is a decode by its author's word.
//
//trainvet:decode ids=1
func Spell(style string, runes []byte) string { return "" }

type Speaker interface {
	// Say is one too.
	//
	//trainvet:decode ids=0
	Say(codes []uint16) []byte
}

func fromDevice() []int

func use(v *Vocab, e embeds, s service, sp Speaker, anonymous interface{ Decode([]int64) string }) {
	v.Decode(fromDevice())                  // want "decode unguarded"
	v.IDToToken(int64(fromDevice()[0]))     // want "decode unguarded"
	e.Decode(fromDevice())                  // want "decode unguarded"
	e.DecodeIDs([]int32{int32(device32())}) // want "decode unguarded"
	s.detok(fromDevice())                   // want "decode unguarded"
	Spell("x", device8())                   // want "decode unguarded"
	sp.Say(device16())                      // want "decode unguarded"
	anonymous.Decode(device64())            // want "decode unguarded"
	(*Vocab).Decode(v, fromDevice())        // want "decode unguarded"
	f := v.Decode                           // want "decode unguarded, unknown: passed on"
	_ = f
}

func device8() []byte
func device16() []uint16
func device32() int32
func device64() []int64

type Codec struct{}

// Bytes, runes, text and streams are no ids.
func (Codec) Decode(b []byte) string           { return "" }
func (Codec) DecodeTokens(rs []rune) string    { return "" }
func (Codec) DecodeText(words []string) string { return "" }
func (Codec) DecodeIDs(ids []int) []float32    { return nil }
func (Codec) DecodeAll(r io.Reader) string     { return "" }

// Months is no tokenizer: its Decode takes a number for a name of its own.
type Months struct{}

func (Months) Decode(n int) string { return "" }

func healthy(r io.Reader, c Codec, b []byte, rs []rune) error {
	var x struct{}
	if err := json.NewDecoder(r).Decode(&x); err != nil {
		return err
	}
	if err := gob.NewDecoder(r).Decode(&x); err != nil {
		return err
	}
	if _, err := base64.StdEncoding.DecodeString("x"); err != nil {
		return err
	}
	if _, err := hex.DecodeString("x"); err != nil {
		return err
	}
	if _, err := png.Decode(r); err != nil {
		return err
	}
	utf8.DecodeRune(b)
	_ = bytes.NewBuffer(b).String()
	_ = strconv.Itoa(3)
	_ = string(rs)
	c.Decode(b)
	c.DecodeTokens(rs)
	c.DecodeText(nil)
	c.DecodeIDs(fromDevice())
	c.DecodeAll(r)
	Months{}.Decode(7)
	return nil
}
