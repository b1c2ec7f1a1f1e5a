package bench

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var usual = Thresholds{Control: 0.03, DataWait: 0.2, Use: 0.8}

func TestMatrix(t *testing.T) {
	arms, err := ParseMatrix("device=cpu,cuda:0,dtype=float32,bfloat16")
	require.NoError(t, err)
	var names []string
	for _, a := range arms {
		names = append(names, a.String())
	}
	require.Equal(t, []string{"device=cpu,dtype=float32", "device=cpu,dtype=bfloat16", "device=cuda:0,dtype=float32", "device=cuda:0,dtype=bfloat16"}, names)
	argv, err := arms[3].Fill([]string{"python", "train.py", "--to={device}", "{dtype}"})
	require.NoError(t, err)
	require.Equal(t, []string{"python", "train.py", "--to=cuda:0", "bfloat16"}, argv)
	_, err = arms[0].Fill([]string{"python", "{device}"})
	require.ErrorContains(t, err, "{dtype}")
	for text, want := range map[string]string{
		"dtype=float32": "one arm", "float32,bfloat16": "belongs to no variable", "a=1,2,a=3": "twice", "a=1,1": "twice",
		"a=,2": "empty", "=1,2": "names no variable", "a=1,2,3,4,b=1,2,3,4": "more than",
	} {
		_, err := ParseMatrix(text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestFewestRounds(t *testing.T) {
	require.Equal(t, 6, FewestRounds(2))
	require.Equal(t, 7, FewestRounds(3))
	require.Equal(t, 9, FewestRounds(12))
	_, err := Run(t.Context(), Options{Arms: two(t), Rounds: 5})
	require.ErrorContains(t, err, "6 are the fewest")
}

func two(t *testing.T) []Arm {
	t.Helper()
	arms, err := ParseMatrix("kind=a,b")
	require.NoError(t, err)
	return arms
}

func nothing(context.Context) Around { return Around{} }

// TestTurns: A B B A, the first round dropped, the control around each run.
func TestTurns(t *testing.T) {
	var turns []string
	controls := 0
	r, err := Run(t.Context(), Options{
		Arms: two(t), Rounds: 6, Judge: usual, Around: nothing,
		One: func(_ context.Context, a Arm) (Sample, error) {
			turns = append(turns, a.Get("kind"))
			return Sample{Seconds: 1}, nil
		},
		Control: func(context.Context) (time.Duration, error) { controls++; return time.Second, nil },
	})
	require.NoError(t, err)
	require.Equal(t, "abbaabbaabbaab", strings.Join(turns, ""))
	require.Equal(t, 2*14, controls)
	require.Len(t, r.Arms[0].Samples, 6)
	require.Equal(t, Alike, r.Arms[1].Word)
	require.Contains(t, r.Decision, "stay with kind=a")
}

// drawn is a bench of which the times are drawn: b is as fast as told, and its
// control too.
func drawn(t *testing.T, r *rand.Rand, speed, control, noise float64) *Report {
	t.Helper()
	report, err := Run(t.Context(), Options{
		Arms: two(t), Rounds: 6, Judge: usual, Around: nothing,
		One: func(_ context.Context, a Arm) (Sample, error) {
			s := Sample{Seconds: 1 + noise*r.NormFloat64(), Control: 1 + noise*r.NormFloat64(), Step: 1}
			if a.Get("kind") == "b" {
				s.Seconds /= speed
				s.Control /= control
			}
			return s, nil
		},
	})
	require.NoError(t, err)
	return report
}

func TestSimulatedBenches(t *testing.T) {
	t.Parallel()
	const runs = 500
	share := func(speed, control, noise float64, is func(*Report) bool) float64 {
		r := rand.New(rand.NewPCG(1, 2))
		n := 0
		for range runs {
			if is(drawn(t, r, speed, control, noise)) {
				n++
			}
		}
		return float64(n) / runs
	}
	confounded := func(r *Report) bool { return r.Word == Confounded }
	faster := func(r *Report) bool { return r.Word == "" && r.Arms[1].Word == Faster }
	require.LessOrEqual(t, share(1, 1, 0.05, confounded), 0.06)
	require.LessOrEqual(t, share(1.3, 1, 0.05, confounded), 0.06, "a faster arm is no neighbour")
	require.GreaterOrEqual(t, share(1.12, 1.12, 0.03, confounded), 0.9, "12 % over six runs")
	require.LessOrEqual(t, share(1, 1, 0.05, faster), 0.06)
	require.GreaterOrEqual(t, share(1.3, 1, 0.05, faster), 0.85)
}

// TestBusyNeighbour: real work in one arm's turns is felt by the control, and
// a quiet bench is none. With TRAINVET_BARS=1 ten of each.
func TestBusyNeighbour(t *testing.T) {
	if os.Getenv("TRAINVET_BARS") == "" {
		const tries = 3 // what else this machine does may hide the neighbour once
		for range tries {
			if withNeighbour(t, "b").Word == Confounded {
				return
			}
		}
		t.Fatalf("no bench of %d was confounded", tries)
	}
	const benches = 10
	busy, quiet := 0, 0
	for range benches {
		if withNeighbour(t, "b").Word == Confounded {
			busy++
		}
		if withNeighbour(t, "").Word == Confounded {
			quiet++
		}
	}
	t.Logf("CONFOUNDED in %d of %d busy benches, %d of %d quiet ones", busy, benches, quiet, benches)
	require.GreaterOrEqual(t, 10*busy, 9*benches)
	require.LessOrEqual(t, 10*quiet, benches)
}

// withNeighbour benches two arms that do the same, while something else keeps
// the processors busy in the turns of one of them.
func withNeighbour(t *testing.T, arm string) *Report {
	t.Helper()
	var on atomic.Bool
	var all sync.WaitGroup
	stop := make(chan struct{})
	for range 3 * runtime.GOMAXPROCS(0) {
		all.Go(func() {
			x := 1.0
			for {
				select {
				case <-stop:
					return
				default:
				}
				if !on.Load() {
					time.Sleep(time.Millisecond)
					continue
				}
				for range 20_000 {
					x = x*1.0000001 + 1e-9
				}
			}
		})
	}
	defer all.Wait()
	defer close(stop)
	turn := 0
	order := []string{"a", "b", "b", "a"}
	r, err := Run(t.Context(), Options{
		Arms: two(t), Rounds: 6, Judge: usual,
		Around: func(context.Context) Around { // before the control of each turn
			on.Store(order[turn%4] == arm)
			turn++
			return Around{}
		},
		One:     func(context.Context, Arm) (Sample, error) { return Sample{Seconds: 1}, nil },
		Control: CPUControl,
	})
	require.NoError(t, err)
	return r
}

func TestDataBound(t *testing.T) {
	bench := func(split Split, use string) Outcome {
		r, err := Run(t.Context(), Options{
			Arms: two(t), Rounds: 6, Judge: usual, Around: func(context.Context) Around { return Around{Use: use} },
			One: func(context.Context, Arm) (Sample, error) { return Sample{Seconds: 1, Split: &split}, nil },
		})
		require.NoError(t, err)
		return r.Arms[0]
	}
	require.Contains(t, bench(Split{Wait: 0.5, Compute: 0.5}, "").Bound, "50 % of a step is spent waiting for data")
	require.Empty(t, bench(Split{Wait: 0.1, Compute: 0.9}, "").Bound)
	require.Contains(t, bench(Split{Wait: 0.1, ToDevice: 0.2, Compute: 0.7}, "60").Bound, "used at 60 %")
	require.Empty(t, bench(Split{Wait: 0.01, Compute: 0.99}, "60").Bound, "a device that computes all the time waits for nothing")
}

func TestRemarks(t *testing.T) {
	n := 0
	r, err := Run(t.Context(), Options{
		Arms: two(t), Rounds: 6, Judge: usual,
		Around: func(context.Context) Around { return Around{Others: 2, Throttle: "heat", Power: "battery"} },
		One: func(context.Context, Arm) (Sample, error) {
			n++
			return Sample{Seconds: 1, Same: fmt.Sprint(n % 2)}, nil
		},
	})
	require.NoError(t, err)
	text := strings.Join(r.Notes, "\n")
	for _, want := range []string{"2 processes of others", "heat", "battery", "does not repeat itself to the bit"} {
		require.Contains(t, text, want)
	}
	var out bytes.Buffer
	require.NoError(t, r.WriteText(&out, true))
	require.Contains(t, out.String(), "6 rounds in turn, 1 dropped as warm-up")
}

// TestCommand times a command whole and reads what it tells of its steps.
func TestCommand(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the command is for a shell")
	}
	var out bytes.Buffer
	run := Command([]string{"sh", "-c", `echo '{kind}'; echo 'trainvet-bench {"examples": 640, "seconds": 2, "steps": 10, "data_wait": 1, "compute": 0.5}'`}, &out)
	s, err := run(t.Context(), two(t)[1])
	require.NoError(t, err)
	require.Contains(t, out.String(), "b\n")
	require.Greater(t, s.Seconds, 0.0)
	require.InDelta(t, 320, s.Examples, 1e-9)
	require.InDelta(t, 0.2, s.Step, 1e-9)
	require.Equal(t, Split{Wait: 0.5, Compute: 0.25, Rest: 0.25}, *s.Split)
	_, err = Command([]string{"sh", "-c", "echo {kind}; exit 3"}, &out)(t.Context(), two(t)[0])
	require.ErrorContains(t, err, "exit status 3")
}

func FuzzMatrix(f *testing.F) {
	f.Add("a=1,2,b=x,y")
	f.Add("=,=,")
	f.Fuzz(func(t *testing.T, text string) {
		arms, err := ParseMatrix(text)
		if err != nil {
			return
		}
		require.True(t, len(arms) > 1 && len(arms) <= mostArms)
		seen := map[string]bool{}
		for _, a := range arms {
			require.False(t, seen[a.String()])
			seen[a.String()] = true
		}
	})
}
