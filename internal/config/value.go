package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/trainvet/trainvet/internal/nearest"
)

// problem is why a value does not fit its key.
type problem struct {
	text  string
	meant string
}

// convert brings a TOML value into the key's Go type: float64, int64 (int and
// size), time.Duration, bool, string or []string.
func (k Key) convert(v any) (any, *problem) {
	switch k.Type {
	case "float":
		return k.number(v)
	case "int":
		if n, ok := v.(int64); ok {
			return k.within(n, float64(n))
		}
	case "size":
		return k.size(v)
	case "duration":
		if s, ok := v.(string); ok {
			if d, err := time.ParseDuration(s); err == nil {
				return k.within(d, d.Seconds())
			}
		}
		return nil, mismatch(v, `a duration such as "2s"`)
	case "bool":
		if b, ok := v.(bool); ok {
			return b, nil
		}
	case "string":
		if s, ok := v.(string); ok {
			return s, nil
		}
	case "strings":
		return k.list(v)
	default:
		if words, ok := strings.CutPrefix(k.Type, "["); ok {
			return k.words(v, strings.TrimSuffix(words, "]"))
		}
		return word(v, k.Type)
	}
	return nil, mismatch(v, "a value of type "+k.Type)
}

func (k Key) number(v any) (any, *problem) {
	switch n := v.(type) {
	case float64:
		return k.within(n, n)
	case int64:
		return k.within(float64(n), float64(n))
	}
	return nil, mismatch(v, "a number")
}

func (k Key) size(v any) (any, *problem) {
	switch n := v.(type) {
	case int64:
		return k.within(n, float64(n))
	case string:
		if bytes, ok := ParseSize(n); ok {
			return k.within(bytes, float64(bytes))
		}
	}
	return nil, mismatch(v, `a number of bytes or a size such as "4MiB"`)
}

func (k Key) list(v any) (any, *problem) {
	in, ok := v.([]any)
	if !ok {
		return nil, mismatch(v, "a list of strings")
	}
	out := make([]string, len(in))
	for i, e := range in {
		if out[i], ok = e.(string); !ok {
			return nil, mismatch(e, "a list of strings")
		}
	}
	return out, nil
}

// words takes a list of some of the words.
func (k Key) words(v any, words string) (any, *problem) {
	list, wrong := k.list(v)
	if wrong != nil {
		return nil, wrong
	}
	for _, s := range list.([]string) {
		if _, wrong := word(s, words); wrong != nil {
			return nil, wrong
		}
	}
	return list, nil
}

func word(v any, of string) (any, *problem) {
	words := strings.Split(of, "|")
	s, ok := v.(string)
	switch {
	case !ok:
		return nil, mismatch(v, "one of "+strings.Join(words, ", "))
	case !slices.Contains(words, s):
		return nil, &problem{fmt.Sprintf("%q is none of %s", s, strings.Join(words, ", ")), nearest.Word(s, words)}
	}
	return s, nil
}

func mismatch(v any, want string) *problem {
	return &problem{text: fmt.Sprintf("%v is not %s", v, want)}
}

// within checks the range; durations are compared in seconds.
func (k Key) within(v any, n float64) (any, *problem) {
	low, high := bounds(k.Range)
	if n >= low && n <= high { // false for NaN
		return v, nil
	}
	return nil, &problem{text: fmt.Sprintf("%v lies outside %s", v, k.Range)}
}

func bounds(r string) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	from, to, _ := strings.Cut(r, "..")
	if n, err := strconv.ParseFloat(strings.TrimSuffix(from, "s"), 64); err == nil {
		low = n
	}
	if n, err := strconv.ParseFloat(strings.TrimSuffix(to, "s"), 64); err == nil {
		high = n
	}
	return low, high
}

// ParseSize reads "4096", "64KiB", "4MiB" or "1GiB".
func ParseSize(s string) (bytes int64, ok bool) {
	shift := 0
	for unit, by := range map[string]int{"KiB": 10, "MiB": 20, "GiB": 30} {
		if number, found := strings.CutSuffix(s, unit); found {
			s, shift = strings.TrimSpace(number), by
			break
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64>>shift {
		return 0, false
	}
	return n << shift, true
}

// defaultValue reads the default, which stands in keys.tsv as it would in the
// file.
func (k Key) defaultValue() any {
	if k.Default == "" {
		return nil
	}
	var file struct{ V any }
	err := toml.Unmarshal([]byte("V = "+k.Default), &file)
	if err == nil {
		if v, wrong := k.convert(file.V); wrong == nil {
			return v
		}
	}
	panic("keys.tsv: the default of " + k.Path + " does not fit its type") // a bug, held by a test
}
