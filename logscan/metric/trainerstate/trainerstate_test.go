package trainerstate_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/metric/tolerant"
	"github.com/trainvet/trainvet/logscan/metric/trainerstate"
)

func read(text string) ([]string, trainerstate.State, error) {
	var out []string
	s, err := trainerstate.Read(context.Background(), strings.NewReader(text), func(e *trainerstate.Entry) error {
		var b strings.Builder
		fmt.Fprint(&b, e.Line, ":")
		for _, v := range e.Values {
			fmt.Fprintf(&b, " %s=%s", v.Name, v.Text)
		}
		out = append(out, b.String())
		return nil
	})
	return out, s, err
}

const state = `{"best_metric": null, "best_model_checkpoint": "out/checkpoint-5", "global_step": 20,
"log_history": [
 {"loss": 1.5, "grad_norm": Infinity, "step": 10, "id": 72340172838076673},
 {"loss": "0.7", "step": 20, "step": 21}
], "max_steps": 20, "stateful_callbacks": {"x": {"args": {"deep": [1, 2]}}}}`

func TestRead(t *testing.T) {
	t.Parallel()
	got, s, err := read(state)
	require.NoError(t, err)
	require.Equal(t, []string{"3: loss=1.5 grad_norm=Infinity step=10 id=72340172838076673", "4: loss=0.7 step=21"}, got)
	require.Nil(t, s.Best)
	require.Equal(t, "out/checkpoint-5", s.BestCheckpoint)
	require.Equal(t, 20.0, s.MaxSteps.Number)
	require.Equal(t, []string{"step"}, s.Repeated)
	require.Equal(t, 2, s.Entries)
}

func TestTruncatedKeepsEntries(t *testing.T) {
	t.Parallel()
	at := strings.Index(state, `"0.7"`)
	got, _, err := read(state[:at])
	var cut *tolerant.TruncatedError
	require.ErrorAs(t, err, &cut)
	require.Equal(t, int64(at), cut.Offset)
	require.Equal(t, int64(4), cut.Line)
	require.Len(t, got, 1)
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `[]`, `{"loss": 1}`, `{"log_history": 5}`} {
		_, _, err := read(text)
		var not *trainerstate.NotStateError
		require.ErrorAs(t, err, &not, text)
	}
	stop := errors.New("stop")
	_, err := trainerstate.Read(context.Background(), strings.NewReader(state), func(*trainerstate.Entry) error { return stop })
	require.ErrorIs(t, err, stop)
}

// A large state is streamed: what is held does not grow with it.
func TestLargeStateIsStreamed(t *testing.T) {
	entry := `{"epoch": 0.13, "grad_norm": 2.25, "learning_rate": 0.00475, "loss": 1.2423, "step": 20},` + "\n"
	n := 16 << 20 / len(entry)
	r := io.MultiReader(
		strings.NewReader(`{"log_history": [`), &repeat{entry: entry, left: n}, strings.NewReader(`{"step": 21, "loss": 1}]}`),
	)
	var peak uint64
	entries := 0
	_, err := trainerstate.Read(context.Background(), r, func(*trainerstate.Entry) error {
		if entries++; entries%50_000 == 0 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
		}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, n+1, entries)
	require.Less(t, peak, uint64(4<<20))
}

type repeat struct {
	entry string
	left  int
	rest  string
}

func (r *repeat) Read(b []byte) (int, error) {
	if r.rest == "" {
		if r.left == 0 {
			return 0, io.EOF
		}
		r.left--
		r.rest = r.entry
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
