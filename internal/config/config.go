package config

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Config is a checked configuration over the defaults.
type Config struct {
	File   string // empty: no file, the defaults hold
	schema *Schema
	values map[string]Value
	rows   map[string][]Row
}

// Value is the value of a key and where it came from.
type Value struct {
	Key    string
	Any    any    // float64, int64, time.Duration, bool, string, []string; nil: not set and no default
	Origin string // "default" or file:line
	Set    bool   // stands in the file
}

// Row is one table of a list, such as [[markers]].
type Row struct {
	Origin string // file:line
	values map[string]any
}

// Default returns the configuration without a file.
func (s *Schema) Default() *Config {
	c := &Config{schema: s, values: map[string]Value{}, rows: map[string][]Row{}}
	for _, k := range s.keys {
		if strings.Contains(k.Path, "[]") || strings.HasSuffix(k.Path, "*") {
			continue
		}
		c.values[k.Path] = Value{Key: k.Path, Any: k.defaultValue(), Origin: "default"}
	}
	return c
}

// Keys returns the keys that the configuration may hold.
func (c *Config) Keys() []Key { return c.schema.Keys() }

// Values returns every value in the order of the tables, then those whose names
// the user chose, by name.
func (c *Config) Values() []Value {
	var out []Value
	for _, k := range c.schema.keys {
		if v, ok := c.values[k.Path]; ok {
			out = append(out, v)
		}
	}
	var named []Value
	for path, v := range c.values {
		if !slices.ContainsFunc(c.schema.keys, func(k Key) bool { return k.Path == path }) {
			named = append(named, v)
		}
	}
	slices.SortFunc(named, func(a, b Value) int { return strings.Compare(a.Key, b.Key) })
	return append(out, named...)
}

// Set reports whether the file sets the key.
func (c *Config) Set(key string) bool { return c.values[key].Set }

// Float, Int, Size, Duration, Bool, String and Strings return a key's value;
// asking for a key that is not declared with that type panics.
func (c *Config) Float(key string) float64 { return get[float64](c, key) }

// Int returns an int key.
func (c *Config) Int(key string) int64 { return get[int64](c, key) }

// Size returns a size in bytes.
func (c *Config) Size(key string) int64 { return get[int64](c, key) }

// Duration returns a duration.
func (c *Config) Duration(key string) time.Duration { return get[time.Duration](c, key) }

// Bool returns a bool.
func (c *Config) Bool(key string) bool { return get[bool](c, key) }

// String returns a string or a word; empty where it is not set.
func (c *Config) String(key string) string { return get[string](c, key) }

// Strings returns a list of strings.
func (c *Config) Strings(key string) []string { return get[[]string](c, key) }

// Under returns the values below a key whose names the user chooses, such as
// audit.require_levels, by name.
func (c *Config) Under(key string) map[string]string {
	out := map[string]string{}
	for path, v := range c.values {
		if name, ok := strings.CutPrefix(path, key+"."); ok && v.Set {
			if s, ok := v.Any.(string); ok {
				out[name] = s
			}
		}
	}
	return out
}

// Rows returns the tables of a list in the order of the file.
func (c *Config) Rows(list string) []Row { return c.rows[list] }

// String returns a field of the row; empty where it is not set.
func (r Row) String(name string) string { s, _ := r.values[name].(string); return s }

// Strings returns a field of the row.
func (r Row) Strings(name string) []string { s, _ := r.values[name].([]string); return s }

// Bool returns a field of the row.
func (r Row) Bool(name string) bool { b, _ := r.values[name].(bool); return b }

func get[T any](c *Config, key string) T {
	v, ok := c.values[key]
	if !ok {
		panic("configuration key " + key + " is not declared")
	}
	if v.Any == nil {
		var zero T
		return zero
	}
	t, ok := v.Any.(T)
	if !ok {
		panic(fmt.Sprintf("configuration key %s holds a %T", key, v.Any))
	}
	return t
}
