package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// evaluated are the claims of a whole run.
var evaluated = []string{"eval_mean_loss", "eval_accuracy", "eval_cer"}

// vet holds the code against its ledger, and against a careless version of it.
func (c *chain) vet(t *testing.T) {
	c.must(t, c.tool, "vet", "./...")
	score := filepath.Join(c.dir, "score.go")
	good, err := os.ReadFile(score)
	if err != nil {
		t.Fatal(err)
	}
	c.careless(t)
	out, code := c.command(t, c.tool, "vet", "./...")
	if code != 1 || !strings.Contains(out, "TV105") || !strings.Contains(out, "TV201") {
		t.Errorf("an unguarded decode and a swallowed fault: exit code %d", code)
	}
	c.must(t, "go", "build", "-o", "careless", ".")
	if err := os.WriteFile(score, good, 0o600); err != nil {
		t.Fatal(err)
	}
}

func (c *chain) careless(t *testing.T) {
	t.Helper()
	bad, err := os.ReadFile(filepath.Join(c.dir, "testdata", "careless", "score.go"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.dir, "score.go"), bad, 0o600); err != nil {
		t.Fatal(err)
	}
}

// healthy: TRUSTED (guarded), whatever the seed.
func (c *chain) healthy(t *testing.T) {
	for seed := range 3 {
		_, code, v := c.run(t, "./chartext", "-steps", "60", "-seed", fmt.Sprint(seed+1))
		if code != 0 || v.Headline != "TRUSTED" || v.Assurance != "guarded" || len(v.Claims) != len(evaluated) {
			t.Errorf("seed %d: exit code %d, %s (%s), %d claims", seed+1, code, v.Headline, v.Assurance, len(v.Claims))
		}
		for _, name := range evaluated {
			if verdict, level, _, why := v.claim(t, name); verdict != "TRUSTED" || level != "guarded" {
				t.Errorf("seed %d: %s is %s (%s): %v", seed+1, name, verdict, level, why)
			}
		}
	}
}

// probed: the backend is held against plain Go, in processes of their own: by
// itself, and within a run, whose values then say so.
func (c *chain) probed(t *testing.T) {
	asked, none := c.command(t, c.tool, "probe", "-v", "go", "--", "./chartext")
	if none != 0 || strings.Count(asked, "pass  ") != 3 || strings.Contains(asked, "step 10") {
		t.Errorf("trainvet probe: exit code %d, %d passes", none, strings.Count(asked, "pass  "))
	}
	out, code, v := c.run(t, "./chartext", "-steps", "20", "-probe")
	if code != 0 || strings.Count(out, ": pass, ") != 3 || v.Headline != "TRUSTED" || v.Assurance != "probed" {
		t.Errorf("exit code %d, %d passes, %s (%s)", code, strings.Count(out, ": pass, "), v.Headline, v.Assurance)
	}
}

// faults: each injection has its verdict, at its step.
func (c *chain) faults(t *testing.T) {
	t.Run("ids that no kernel wrote among the inputs", func(t *testing.T) {
		_, code, v := c.run(t, "./chartext", "-steps", "40", "-inject", "input-ids@25")
		if code != 1 || !holds(c.record(t), `"code":"ids-signature"`, `"step":25`, `"value":"16843009"`) {
			t.Errorf("exit code %d, and no record of ids-signature at step 25", code)
		}
		if at := v.trusted(); at != 20 { // the last line before it
			t.Errorf("the loss is trusted up to step %g", at)
		}
	})
	t.Run("a weight that turns into NaN", func(t *testing.T) {
		_, code, v := c.run(t, "./chartext", "-steps", "40", "-inject", "nan@30")
		if code != 1 || v.Headline != "POISONED" || !holds(c.record(t), `"code":"nonfinite-parameter"`, `"from":30`) {
			t.Errorf("exit code %d, %s, and no record of nonfinite-parameter at step 30", code, v.Headline)
		}
		if at := v.trusted(); at != 20 {
			t.Errorf("the loss is trusted up to step %g", at)
		}
	})
	t.Run("updates that are thrown away in silence", func(t *testing.T) {
		_, code, v := c.run(t, "./chartext", "-steps", "60", "-inject", "skip@20")
		if code != 0 || v.Headline != "DEGRADED" || !holds(c.record(t), `"type":"skip"`, `"from":20`, `"unmoved"`) {
			t.Errorf("exit code %d, %s, and no record of steps thrown away from 20 on", code, v.Headline)
		}
		if _, _, _, why := v.claim(t, "eval_accuracy"); !holds(why, "steps-skipped", "25 of 60") {
			t.Errorf("the reasons are %v", why)
		}
	})
	t.Run("ids that no kernel wrote among the outputs", func(t *testing.T) {
		out, code, v := c.run(t, "./chartext", "-steps", "20", "-inject", "output-ids")
		if code != 1 || strings.Contains(out, "eval_cer") || !holds(c.record(t), `"code":"ids-signature"`, `"step":20`) {
			t.Errorf("exit code %d; the check did not come before the number", code)
		}
		if v.Headline == "POISONED" {
			t.Errorf("%s: the values before it stand", v.Headline)
		}
	})
}

// trusted is the last step at which the loss is trusted.
func (v verdict) trusted() float64 {
	last := 0.0
	for _, s := range v.Series {
		for _, stretch := range s.Stretches {
			if s.Name == "loss" && stretch.Verdict == "TRUSTED" {
				last = max(last, stretch.Step.Last)
			}
		}
	}
	return last
}

// swallowed: where a handler eats the error the number is printed, and the
// audit knows.
func (c *chain) swallowed(t *testing.T) {
	out, code, v := c.run(t, "./careless", "-steps", "20", "-inject", "output-ids")
	if code != 1 || !strings.Contains(out, "eval_cer") || v.Headline != "POISONED" {
		t.Errorf("exit code %d, %s", code, v.Headline)
	}
	if verdict, _, _, why := v.claim(t, "eval_cer"); verdict != "POISONED" || !holds(why, "ids-signature") {
		t.Errorf("eval_cer is %s: %v", verdict, why)
	}
}

// float16: a scale of 65,536 throws steps of a short run away, and the model is
// worse by more than seeds make.
func (c *chain) float16(t *testing.T) {
	accuracies := map[string][]float64{}
	for seed := range 3 {
		for _, scale := range []string{"65536", "1024"} {
			_, code, v := c.run(t, "./chartext", "-dtype", "float16", "-sum", "-steps", "14", "-scale", scale, "-seed", fmt.Sprint(seed+1))
			early := 0
			for _, line := range c.record(t) {
				for step := 1; step <= 10; step++ {
					if holds([]string{line}, `"type":"skip"`, `"found-inf"`, fmt.Sprintf(`"from":%d,"until":%d,"n":1,`, step, step)) {
						early++
					}
				}
			}
			verdict, _, accuracy, why := v.claim(t, "eval_accuracy")
			accuracies[scale] = append(accuracies[scale], accuracy)
			switch {
			case code != 0:
				t.Errorf("scale %s, seed %d: exit code %d", scale, seed+1, code)
			case scale == "1024" && (early > 0 || verdict != "TRUSTED"):
				t.Errorf("scale %s, seed %d: %d of 10 steps skipped, %s: %v", scale, seed+1, early, verdict, why)
			case scale == "65536" && (early < 3 || verdict != "DEGRADED"):
				t.Errorf("scale %s, seed %d: %d of 10 steps skipped, %s: %v", scale, seed+1, early, verdict, why)
			}
		}
	}
	high, low := accuracies["1024"], accuracies["65536"]
	gap, spread := mean(high)-mean(low), max(span(high), span(low))
	fmt.Printf("accuracy: %.4f from 1024, %.4f from 65536; gap %.4f, spread over seeds %.4f\n", mean(high), mean(low), gap, spread)
	if gap <= spread {
		t.Errorf("the gap of %.4f is within the spread of %.4f", gap, spread)
	}
}

// span is the distance between the least and the greatest.
func span(values []float64) float64 {
	low, high := values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	return high - low
}
