package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/supervise"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// TestRunGuideIsTrue reads the example of docs/run.md as a user's file would be
// read: it names the defaults.
func TestRunGuideIsTrue(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/run.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(text), "```toml\n")
	require.True(t, ok)
	example, _, _ := strings.Cut(rest, "```")
	said, err := schema().Parse("trainvet.toml", []byte(example))
	require.NoError(t, err)
	none, err := schema().Parse("trainvet.toml", nil)
	require.NoError(t, err)
	value := func(c *config.Config, key string) any {
		for _, v := range c.Values() {
			if v.Key == key {
				return v.Any
			}
		}
		return nil
	}
	set := 0
	for _, v := range said.Values() {
		if v.Set {
			set++
			require.Equal(t, value(none, v.Key), v.Any, v.Key)
		}
	}
	require.Equal(t, 10, set)
}

func TestFailOn(t *testing.T) {
	t.Parallel()
	env := func(kv ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(kv); i += 2 {
				if kv[i] == name {
					return kv[i+1]
				}
			}
			return ""
		}
	}
	none := &cli.Call{}
	require.Equal(t, "never", failOn(none, env()))
	require.Equal(t, "degraded", failOn(none, env("CI", "true")))
	require.Equal(t, "never", failOn(none, env("CI", "false")))
	require.Equal(t, "never", failOn(none, env("CI", "true", "SLURM_JOB_ID", "1")))
	require.Equal(t, "never", failOn(none, env("CI", "true", "KUBERNETES_SERVICE_HOST", "10.0.0.1")))
}

func TestRunCode(t *testing.T) {
	t.Parallel()
	of := func(v verdict.Verdict) *verdict.Result {
		return &verdict.Result{Headline: v, Claims: []verdict.Subject{{Verdict: v}}}
	}
	unread := []evidence.Unread{{Path: "x"}}
	for _, tt := range []struct {
		threshold string
		res       *verdict.Result
		unread    []evidence.Unread
		allow     []string
		want      int
	}{
		{"never", of(verdict.Poisoned), unread, nil, 0},
		{"poisoned", of(verdict.Poisoned), nil, nil, 1},
		{"poisoned", of(verdict.Unproven), nil, nil, 0},
		{"unproven", of(verdict.Unproven), nil, nil, 4},
		{"unproven", of(verdict.Degraded), nil, nil, 0},
		{"unproven", of(verdict.Unproven), nil, []string{"unproven"}, 0},
		{"degraded", of(verdict.Degraded), nil, nil, 4},
		{"degraded", of(verdict.Degraded), nil, []string{"degraded"}, 0},
		{"degraded", of(verdict.Trusted), nil, nil, 0},
		{"degraded", of(verdict.Trusted), unread, nil, 3},
	} {
		require.Equal(t, tt.want, runCode(tt.threshold, tt.res, tt.unread, tt.allow), tt)
	}
}

// TestHostileTextStaysText: names of metrics and lines of a log reach the
// terminal without their control characters.
func TestHostileTextStaysText(t *testing.T) {
	t.Parallel()
	res := &verdict.Result{Headline: verdict.Trusted, Claims: []verdict.Subject{{Name: "loss\x1b[2J\nok", Text: "1.5\r", Verdict: verdict.Trusted}}}
	out := &supervise.Outcome{ID: "a", Dir: "\x1b]0;x\x07", Known: true, Took: time.Second, Ending: supervise.Ending{Kind: "exit", Evidence: []string{"wait status: exit code 0", "in \x1b[31mx\n"}}}
	var b strings.Builder
	fiveLines(&b, out, res)
	require.Equal(t, 5, strings.Count(b.String(), "\n"))
	require.NotContains(t, b.String(), "\x1b")
	require.NotContains(t, b.String(), "\r")
}
