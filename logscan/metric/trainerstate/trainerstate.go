// Package trainerstate reads trainer_state.json of the Hugging Face Trainer.
//
// The history is streamed entry by entry, so a file of 100 MB passes in the
// memory of one entry. The file has no time; its order is that of its steps.
package trainerstate

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/trainvet/trainvet/logscan/metric/tolerant"
	"github.com/trainvet/trainvet/logscan/metric/value"
)

// Entry is one element of log_history: the values of one log call.
type Entry struct {
	Offset int64
	End    int64
	Line   int64
	Values []value.Value
}

// State is what the file says beside its history. Numbers are nil where the
// file does not say them, or says null.
type State struct {
	Best           *value.Value // best_metric
	BestAt         Span         // where it stands
	BestCheckpoint string       // best_model_checkpoint
	BestCheckLine  int64
	Epoch          *value.Value
	GlobalStep     *value.Value
	MaxSteps       *value.Value
	TrainEpochs    *value.Value
	Entries        int
	Repeated       []string // keys that an object holds twice, the first few
	History        bool     // log_history is there
}

// Span is a place in the file.
type Span struct {
	Offset int64
	End    int64
	Line   int64
}

// NotStateError says that a file is valid so far but no trainer state.
type NotStateError struct{ What string }

func (e *NotStateError) Error() string { return "no trainer state: " + e.What }

const maxRepeated = 16

// Read calls each for every entry. On an error the state holds what was read
// before it.
func Read(ctx context.Context, r io.Reader, each func(*Entry) error) (State, error) {
	s := &reader{json: tolerant.NewReader(r, tolerant.Limits{Token: 64 << 10, Values: 1 << 16, CutStrings: true}), each: each, ctx: ctx}
	err := s.object()
	if errors.Is(err, io.EOF) {
		err = &NotStateError{What: "the file is empty"}
	}
	if err != nil {
		return s.state, fmt.Errorf("reading the trainer state: %w", err)
	}
	return s.state, nil
}

type reader struct {
	json  *tolerant.Reader
	each  func(*Entry) error
	ctx   context.Context
	state State
}

func (s *reader) object() error {
	tok, err := s.json.Next()
	if err != nil {
		return err
	}
	if tok.Kind != tolerant.Object {
		return &NotStateError{What: "the file holds no object"}
	}
	for {
		tok, err := s.json.Next()
		if err != nil {
			return err
		}
		if tok.Kind == tolerant.ObjectEnd {
			break
		}
		key := string(tok.Text)
		if tok.Duplicate {
			s.repeated(key)
		}
		if err := s.member(key); err != nil {
			return err
		}
	}
	if !s.state.History {
		return &NotStateError{What: "it has no log_history"}
	}
	if _, err := s.json.Next(); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

func (s *reader) member(key string) error {
	switch key {
	case "log_history":
		return s.history()
	case "best_metric":
		v, err := s.number(key)
		s.state.Best = v
		return err
	case "best_model_checkpoint":
		v, err := s.json.ReadValue()
		if v.Kind == tolerant.String {
			s.state.BestCheckpoint, s.state.BestCheckLine = v.Text, v.Line
		}
		return err
	case "epoch":
		return s.into(key, &s.state.Epoch)
	case "global_step":
		return s.into(key, &s.state.GlobalStep)
	case "max_steps":
		return s.into(key, &s.state.MaxSteps)
	case "num_train_epochs":
		return s.into(key, &s.state.TrainEpochs)
	}
	return s.json.Skip()
}

func (s *reader) into(key string, to **value.Value) error {
	v, err := s.number(key)
	if v != nil {
		*to = v
	}
	return err
}

func (s *reader) number(key string) (*value.Value, error) {
	v, err := s.json.ReadValue()
	if err != nil {
		return nil, err
	}
	f, ok := v.Float()
	if !ok {
		return nil, nil
	}
	if key == "best_metric" {
		s.state.BestAt = Span{Offset: v.Offset, End: v.End, Line: v.Line}
	}
	return &value.Value{Name: key, Text: v.Text, Number: f, Quoted: v.Kind == tolerant.String, Offset: v.Offset}, nil
}

func (s *reader) history() error {
	tok, err := s.json.Next()
	if err != nil {
		return err
	}
	if tok.Kind != tolerant.Array {
		return &NotStateError{What: "log_history is no list"}
	}
	s.state.History = true
	for {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		tok, err := s.json.Next()
		if err != nil {
			return err
		}
		if tok.Kind == tolerant.ArrayEnd {
			return nil
		}
		v, err := s.json.Build(tok)
		if err != nil {
			return err
		}
		for _, key := range v.Repeated() {
			s.repeated(key)
		}
		s.state.Entries++
		e := Entry{Offset: v.Offset, End: v.End, Line: v.Line, Values: v.Numbers(2)}
		if err := s.each(&e); err != nil {
			return err
		}
	}
}

func (s *reader) repeated(key string) {
	if len(s.state.Repeated) < maxRepeated {
		s.state.Repeated = append(s.state.Repeated, key)
	}
}
