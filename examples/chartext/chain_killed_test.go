package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The runs of trainers that die: so many steps, and a checkpoint in each fifth.
const (
	wanted   = 40
	apart    = 5
	envSeeds = "TRAINVET_SEED" // of what the tests draw, to see a failure again
)

// draws gives random numbers, and says how to draw them again.
func draws(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(envSeeds); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Printf("%s: %s=%d draws the same again\n", t.Name(), envSeeds, seed)
	return rand.New(rand.NewPCG(seed, 40))
}

// trainer is the command of a training whose checkpoints lie in a folder of its
// own.
func (c *chain) trainer(name string, flags ...string) string {
	c.folders++
	return fmt.Sprintf("./chartext -steps %d -every %d -checkpoints kept-%d-%s %s", wanted, apart, c.folders, name, strings.Join(flags, " "))
}

// killed: a trainer that dies at a random step by SIGKILL goes on from its
// checkpoint, to the very values of one that was never killed. The audit makes
// one run of both processes, in which no step counts twice.
func (c *chain) killed(t *testing.T) {
	random := draws(t)
	for _, kind := range []struct {
		name    string
		flags   []string
		from    int   // least step to die at
		skipped int64 // of the first steps
		verdict string
	}{
		{"float32", nil, apart, 0, "TRUSTED"},
		{"float16", []string{"-dtype", "float16", "-sum", "-scale", "1024"}, apart, 0, "TRUSTED"},
		{"skipping", []string{"-dtype", "float16", "-sum", "-scale", "65536"}, 3 * apart, 5, "DEGRADED"},
	} {
		whole, _, _ := c.run(t, "sh", "-c", "exec "+c.trainer("whole", kind.flags...))
		for range 2 {
			at := int64(kind.from + random.IntN(wanted-kind.from))
			t.Run(fmt.Sprintf("%s at step %d", kind.name, at), func(t *testing.T) {
				train := c.trainer(kind.name, kind.flags...)
				out, code, v := c.run(t, "sh", "-c", fmt.Sprintf("%s -inject kill@%d; exec %s", train, at, train))
				kept := at - at%apart
				resumed := fmt.Sprintf("resuming from step %d\n", kept-kind.skipped) // GoMLX takes its step back with a skipped one
				if code != 0 || !strings.Contains(out, resumed) {
					t.Errorf("exit code %d, and not %q", code, resumed)
				}
				if kind.skipped == 0 && evaluations(out) != evaluations(whole) {
					t.Errorf("the values are not those of a run that was never killed:\n%s, not\n%s", evaluations(out), evaluations(whole))
				}
				level := map[string]string{"TRUSTED": "guarded"}[kind.verdict]
				if v.Headline != kind.verdict || level != "" && v.Assurance != level || len(v.Claims) != len(evaluated) {
					t.Errorf("%s (%s), %d claims", v.Headline, v.Assurance, len(v.Claims))
				}
				c.oneRun(t, v, at, kind.skipped)
			})
		}
	}
}

// oneRun: the record of both processes is that of one training, and no step that
// was thrown away in the first process is thrown away again in the second, as it
// would be with a scale that was not restored.
func (c *chain) oneRun(t *testing.T, v verdict, at, skipped int64) {
	t.Helper()
	kept := at - at%apart
	s := v.Steps
	if s == nil {
		t.Fatal("nothing is said of steps")
	}
	if s.Attempted != wanted+skipped || s.Skipped != skipped || s.Effective != wanted {
		t.Errorf("%d of %d steps skipped, %d effective", s.Skipped, s.Attempted, s.Effective)
	}
	joined := fmt.Sprintf("behind %d attempted steps of process", kept)
	seen := at // the ledger is written down in each of the first 32 steps, and in each second one up to 64
	if at > 32 {
		seen -= at % 2
	}
	lost := fmt.Sprintf("; at least %d more that were made behind it, and lost", seen-kept)
	found := false
	for _, n := range v.Notes {
		if n.Code == "resume-gap" {
			t.Error(n.Text)
		}
		found = found || n.Code == "resumed" && strings.Contains(n.Text, joined) && (seen <= kept || strings.Contains(n.Text, lost))
	}
	if !found {
		t.Errorf("no note says %q and %q: %v", joined, lost, v.Notes)
	}
	thrown := 0
	for _, line := range c.record(t) {
		if holds([]string{line}, `"type":"skip"`) {
			thrown++
		}
	}
	if int64(thrown) != skipped {
		t.Errorf("%d steps are recorded as thrown away", thrown)
	}
}

// killedAtAnyMoment: SIGKILL from outside while a checkpoint is written, or soon
// after; GoMLX makes the list first, empty, and fills it last.
func (c *chain) killedAtAnyMoment(t *testing.T) {
	random := draws(t)
	whole, _, _ := c.run(t, "sh", "-c", "exec "+c.trainer("whole", "-every", "1"))
	for range 4 {
		train := c.trainer("moment", "-every", "1")
		step, wait := 2+random.IntN(wanted*2/3), random.IntN(20) // the checkpoint of step 1 is there
		list := fmt.Sprintf("kept-%d-moment/*-step-%08d.json", c.folders, step)
		out, code, v := c.run(t, "sh", "-c", fmt.Sprintf("%s & p=$!; until ls %s; do sleep 0.002; done >/dev/null 2>&1; sleep 0.0%02d; kill -9 $p; wait $p; exec %s", train, list, wait, train))
		if code != 0 || v.Headline != "TRUSTED" || v.Assurance != "guarded" || len(v.Claims) != len(evaluated) {
			t.Errorf("killed %d ms into step %d: exit code %d, %s (%s), %d claims", wait, step, code, v.Headline, v.Assurance, len(v.Claims))
		}
		if evaluations(out) != evaluations(whole) {
			t.Errorf("killed %d ms into step %d: the values are\n%s, not\n%s", wait, step, evaluations(out), evaluations(whole))
		}
	}
}

// evaluations are the lines of an output that hold the values of the end.
func evaluations(out string) string {
	var lines []string
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "eval_") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// behindItsTarget: a trainer that is started again when all is done trains
// nothing, and is said to, with the verdict of a model that was not trained; a
// target further on trains.
func (c *chain) behindItsTarget(t *testing.T) {
	train := c.trainer("target")
	c.run(t, "sh", "-c", "exec "+train)
	for _, steps := range []int{wanted, wanted / 2} {
		_, code, v := c.run(t, "sh", "-c", fmt.Sprintf("exec %s -steps %d", train, steps))
		if code != 0 || v.Headline != "DEGRADED" || len(v.Claims) != len(evaluated) {
			t.Errorf("target %d: exit code %d, %s, %d claims", steps, code, v.Headline, len(v.Claims))
		}
		for _, name := range evaluated {
			if verdict, _, _, why := v.claim(t, name); verdict != "DEGRADED" || !holds(why, "nothing-trained", "0 steps applied") {
				t.Errorf("target %d: %s is %s: %v", steps, name, verdict, why)
			}
		}
	}
	_, code, v := c.run(t, "sh", "-c", fmt.Sprintf("exec %s -steps %d", train, wanted+apart))
	if code != 0 || v.Headline != "TRUSTED" || holds(c.record(t), `"code":"nothing-trained"`) {
		t.Errorf("target %d: exit code %d, %s", wanted+apart, code, v.Headline)
	}
}
