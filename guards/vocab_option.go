package guards

import "fmt"

// VocabOption adds to a vocabulary what its ids do not say.
type VocabOption func(*Vocab) error

// LogitsWidth gives the number of columns of the logits: the rows of the
// embedding or of the output layer. With it an id beyond the model is told from
// a padding column; without it ids up to the next multiple of 4,096 are given
// the benefit of the doubt.
func LogitsWidth(columns int) VocabOption {
	return func(v *Vocab) error {
		if columns < 1 || columns > maxVocab {
			return &VocabError{fmt.Sprintf("the logits are %d wide", columns)}
		}
		v.width = uint64(columns)
		return nil
	}
}

// Fill declares the value that pads rows behind their last id, as gathering
// ragged rows does; -100 by custom. Inside a row it stays a fault.
func Fill(value int) VocabOption {
	return func(v *Vocab) error {
		v.fill = marker{true, int64(value)}
		return nil
	}
}

// Mask declares a value that may stand anywhere: labels whose prompt is masked
// hold -100 in front. Ids from a model hold no mask.
func Mask(value int) VocabOption {
	return func(v *Vocab) error {
		v.mask = marker{true, int64(value)}
		return nil
	}
}

// Pad declares the ids of padding tokens, so that a batch of nothing but
// padding is not taken for one that is stuck.
func Pad(ids ...int) VocabOption {
	return func(v *Vocab) error {
		for _, id := range ids {
			if id < 0 {
				return &VocabError{fmt.Sprintf("the padding token %d is no id; declare it with Fill", id)}
			}
			v.pads = append(v.pads, int64(id))
		}
		return nil
	}
}

// From says where size and width come from. The run record keeps it, so that
// whoever doubts a verdict can check the bound.
func From(source string) VocabOption {
	return func(v *Vocab) error {
		v.from = source
		return nil
	}
}
