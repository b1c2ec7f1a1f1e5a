package tolerant

import (
	"math"
	"strconv"

	"github.com/trainvet/trainvet/logscan/metric/value"
)

// Value is a JSON value in memory.
type Value struct {
	Kind    Kind // Object, Array, String, Number, True, False, Null
	Text    string
	Bare    bool
	Offset  int64
	End     int64
	Line    int64
	Members []Member
	Items   []Value
}

// Member is one entry of an object. Of a key that stands there twice only the
// last value is kept, at the place of the first.
type Member struct {
	Key       string
	Value     Value
	Duplicate bool
}

// ReadValue reads the next value whole.
func (r *Reader) ReadValue() (Value, error) {
	tok, err := r.Next()
	if err != nil {
		return Value{}, err
	}
	return r.Build(tok)
}

// Build reads the rest of the value whose first token is tok.
func (r *Reader) Build(tok Token) (Value, error) {
	left := r.limits.Values
	return r.build(tok, &left)
}

func (r *Reader) build(tok Token, left *int) (Value, error) {
	v := Value{Kind: tok.Kind, Text: string(tok.Text), Bare: tok.Bare, Offset: tok.Offset, End: tok.End, Line: tok.Line}
	if *left--; *left < 0 {
		return v, &LimitError{Offset: tok.Offset, Line: tok.Line, Limit: "values in one tree", Max: r.limits.Values}
	}
	switch tok.Kind {
	case Object:
		return r.members(v, left)
	case Array:
		return r.items(v, left)
	}
	return v, nil
}

func (r *Reader) members(v Value, left *int) (Value, error) {
	var places map[string]int // filled at the first duplicate: most objects have none
	for {
		tok, err := r.Next()
		if err != nil {
			return v, err
		}
		if tok.Kind == ObjectEnd {
			v.End = tok.End
			return v, nil
		}
		m := Member{Key: r.name(tok.Text), Duplicate: tok.Duplicate}
		if tok, err = r.Next(); err != nil {
			return v, err
		}
		if m.Value, err = r.build(tok, left); err != nil {
			return v, err
		}
		if m.Duplicate && places == nil {
			places = v.places()
		}
		if i, ok := places[m.Key]; ok {
			v.Members[i] = m
			continue
		}
		if places != nil {
			places[m.Key] = len(v.Members)
		}
		if v.Members == nil {
			v.Members = make([]Member, 0, 8)
		}
		v.Members = append(v.Members, m)
	}
}

// name gives a key as a string; keys that come again share one.
func (r *Reader) name(key []byte) string {
	const most, long = 1 << 12, 128
	if s, ok := r.names[string(key)]; ok {
		return s
	}
	s := string(key)
	if len(r.names) < most && len(s) <= long {
		r.names[s] = s
	}
	return s
}

func (v *Value) places() map[string]int {
	at := make(map[string]int, len(v.Members))
	for i, m := range v.Members {
		at[m.Key] = i
	}
	return at
}

func (r *Reader) items(v Value, left *int) (Value, error) {
	for {
		tok, err := r.Next()
		if err != nil {
			return v, err
		}
		if tok.Kind == ArrayEnd {
			v.End = tok.End
			return v, nil
		}
		item, err := r.build(tok, left)
		if err != nil {
			return v, err
		}
		v.Items = append(v.Items, item)
	}
}

// Get returns a member's value; nil where there is none.
func (v *Value) Get(key string) *Value {
	for i := range v.Members {
		if v.Members[i].Key == key {
			return &v.Members[i].Value
		}
	}
	return nil
}

// Int returns the exact integer that v prints.
func (v Value) Int() (int64, bool) {
	if v.Kind != Number {
		return 0, false
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	return n, err == nil
}

// Float returns the number that v prints, or that the string v holds.
func (v Value) Float() (float64, bool) {
	if v.Kind != Number && v.Kind != String {
		return math.NaN(), false
	}
	return value.Parse(v.Text)
}

// Numbers lists the numbers that v, an object, holds down to the given depth
// of nested objects (1: its own members only). Names of nested ones are paths
// joined by "/".
func (v Value) Numbers(depth int) []value.Value {
	return v.numbers(nil, "", depth)
}

func (v Value) numbers(out []value.Value, prefix string, depth int) []value.Value {
	if out == nil {
		out = make([]value.Value, 0, len(v.Members))
	}
	for i := range v.Members {
		m := &v.Members[i]
		name := prefix + m.Key
		if m.Value.Kind == Object {
			if depth > 1 {
				out = m.Value.numbers(out, name+"/", depth-1)
			}
			continue
		}
		if f, ok := m.Value.Float(); ok {
			out = append(out, value.Value{
				Name: name, Text: m.Value.Text, Number: f,
				Quoted: m.Value.Kind == String, Offset: m.Value.Offset,
			})
		}
	}
	return out
}

// Lists gives the numbers in the arrays of v, an object, as KEY_0, KEY_1 and so
// on: of arrays that hold nothing but numbers, and at most that many.
func (v Value) Lists(most int) []value.Value {
	var out []value.Value
	for i := range v.Members {
		m := &v.Members[i]
		if m.Value.Kind != Array || len(m.Value.Items) > most {
			continue
		}
		begin := len(out)
		for k := range m.Value.Items {
			item := &m.Value.Items[k]
			f, ok := item.Float()
			if !ok || item.Kind != Number {
				out = out[:begin]
				break
			}
			out = append(out, value.Value{Name: m.Key + "_" + strconv.Itoa(k), Text: item.Text, Number: f, Offset: item.Offset})
		}
	}
	return out
}

// Repeated lists the keys that v, an object, holds more than once.
func (v Value) Repeated() []string {
	var keys []string
	for i := range v.Members {
		if m := &v.Members[i]; m.Duplicate {
			keys = append(keys, m.Key)
		}
	}
	return keys
}

// Texts lists the strings of v, an object, that are at most limit bytes long
// and no numbers.
func (v Value) Texts(limit int) map[string]string {
	var texts map[string]string
	for i := range v.Members {
		m := &v.Members[i]
		if m.Value.Kind != String || len(m.Value.Text) > limit {
			continue
		}
		if _, ok := m.Value.Float(); ok {
			continue
		}
		if texts == nil {
			texts = make(map[string]string)
		}
		texts[m.Key] = m.Value.Text
	}
	return texts
}
