package main

import "github.com/trainvet/trainvet/guards"

// score is how many characters of a text are wrong. The ids are checked before
// they become text, and the error reaches the top of the run.
func (t *trainer) score(ids, wanted []int32) (int, error) {
	if err := guards.CheckTokenIDs(t.written, ids); err != nil {
		return 0, err
	}
	return distance(t.letters.Decode(ids), t.letters.Decode(wanted)), nil
}
