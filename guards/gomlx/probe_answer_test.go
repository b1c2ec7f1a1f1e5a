package gomlxguard_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
)

// TestProbeAnswers: asked by the variable alone, as `trainvet probe go` asks, a
// trainer says what it is going to look at, and of each candidate what came out,
// its crash and its hang included.
func TestProbeAnswers(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TRAINVET_PROBE=8s")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	type line struct {
		Planned []string
		Begin   string
		Result  string
		Status  string
		Done    bool
	}
	var planned []string
	got, begun, done := map[string]string{}, "", false
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		var l line
		if json.Unmarshal(s.Bytes(), &l) != nil {
			continue
		}
		switch {
		case l.Planned != nil:
			planned = l.Planned
		case l.Begin != "":
			begun = l.Begin
		case l.Result != "":
			same(t, "what began before", begun, l.Result)
			got[l.Result] = l.Status
		}
		done = done || l.Done
	}
	same(t, "results", got, map[string]string{
		"product": "pass", "softmax": "pass", "sound": "pass", "wrong forward": "fail", "inflated backward": "fail",
		"panics": "fail", "aborts": "crash", "hangs": "hang",
	})
	if !done || len(planned) != len(got) {
		t.Errorf("done %v, and %d of %d planned", done, len(got), len(planned))
	}
}
