package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/logscan/curve"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// TestDefaultsAgree holds the defaults of keys.tsv against those that a user of
// the library gets.
func TestDefaultsAgree(t *testing.T) {
	t.Parallel()
	got, err := thresholds(schema().Default())
	require.NoError(t, err)
	want := verdict.DefaultConfig()
	got.Require = nil
	require.Equal(t, want, got)
	th, err := quality(schema().Default())
	require.NoError(t, err)
	require.Equal(t, curve.Defaults(), th)
}

// TestEveryKeyIsUsed changes each threshold in turn and looks whether the judge
// is told: a key that changes nothing would be a promise that is not kept.
func TestEveryKeyIsUsed(t *testing.T) {
	t.Parallel()
	elsewhere := []string{"audit.allow"} // decides the exit code, not a verdict
	for _, k := range config.NewSchema().Keys() {
		if strings.Contains(k.Path, "[]") || slices.Contains(elsewhere, k.Path) {
			continue
		}
		path := strings.TrimSuffix(k.Path, "*")
		if path != k.Path {
			path += "x"
		}
		c, err := schema().Parse("trainvet.toml", []byte(path+" = "+other(k)+"\n"))
		require.NoError(t, err, k.Path)
		got, err := thresholds(c)
		require.NoError(t, err, k.Path)
		require.False(t, reflect.DeepEqual(got, verdict.DefaultConfig()), "%s changes nothing", k.Path)
	}
	c, err := schema().Parse("trainvet.toml", []byte("quality.cliff.ratio = 9\n"))
	require.NoError(t, err)
	th, err := quality(c)
	require.NoError(t, err)
	require.NotEqual(t, curve.Defaults(), th)
}

// other is a value that is allowed and not the default.
func other(k config.Key) string {
	switch k.Type {
	case "float":
		if k.Default == "1" {
			return "0.5"
		}
		return "1"
	case "int":
		return "7"
	case "size":
		return `"5KiB"`
	case "duration":
		return `"9s"`
	case "strings":
		return `["x"]`
	}
	word, _, _ := strings.Cut(k.Type, "|")
	return `"` + word + `"`
}

func TestZone(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"Europe/Berlin": "Europe/Berlin", "UTC": "UTC"} {
		loc, err := zone(name)
		require.NoError(t, err)
		require.Equal(t, want, loc.String())
	}
	loc, err := zone("+02:00")
	require.NoError(t, err)
	require.NotNil(t, loc)
	_, err = zone("Mars/Olympus")
	require.Error(t, err)
}
