package logscan

import (
	"fmt"
	"strings"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan/evidence"
)

// What guards write of a process at its first step, by name.
const (
	firstStepCode  = "first-step"
	idleMarker     = "accelerator-idle"
	idleTitle      = "the CPU trains where an accelerator was asked for, or sits idle"
	maxFirstSteps  = 8
	maxFirstStepOf = 1024
	scalerMarker   = "scaler-nocuda"
)

// addFirstStep adds what the processes of a run said of their first step: one
// line for all that stand alike, and a loss of speed where the CPU trains and
// that is not what was asked for. No other value is touched by it.
func addFirstStep(ev *evidence.Evidence, run *evidence.Run, log string) {
	seen, full := map[string]bool{}, true
	for i := range run.Held {
		h := &run.Held[i]
		if h.Code != firstStepCode || h.Expect != record.ExpectNothing {
			continue
		}
		facts := map[string]string{}
		for _, it := range h.Items {
			facts[it.Name] = it.Value
		}
		full = full && inFullPrecision(facts)
		got := firstStepLine(facts)
		if seen[got] || len(seen) == maxFirstSteps {
			continue
		}
		seen[got] = true
		ev.Decisions = append(ev.Decisions, evidence.Decision{At: h.At, Topic: "device", Asked: facts["asked"], Got: got, Text: h.Text})
		if slow := facts["slow"]; slow != "" {
			at := evidence.Pos{Source: log, Line: 1}
			ev.Markers = append(ev.Markers, evidence.Marker{
				ID: idleMarker, Title: idleTitle, Class: evidence.Degraded, Scope: evidence.Process, Effect: "speed", Goes: evidence.GoesOn, Origin: "framework",
				First: at, Last: at, Count: 1, Text: fmt.Sprintf("%.240s", slow),
			})
		}
	}
	if full && len(seen) > 0 {
		needNoScaler(ev, log)
	}
}

// inFullPrecision: nothing is cast, so that no gradient is too small for its type.
func inFullPrecision(facts map[string]string) bool {
	return facts["parameters"] == "float32" && facts["autocast"] == "none"
}

// needNoScaler: that a loss scaler disabled itself is no loss to a training in
// float32 that casts nothing, as trainers have it that make one on each device.
func needNoScaler(ev *evidence.Evidence, log string) {
	for i := range ev.Markers {
		if m := &ev.Markers[i]; m.ID == scalerMarker && m.First.Source == log {
			m.Class = evidence.Notice
		}
	}
}

// firstStepLine says in one line where a training stands; the device comes first.
func firstStepLine(facts map[string]string) string {
	parts := []string{facts["device"] + " " + facts["parameters"]}
	if why := facts["why"]; why != "" {
		parts[0] += " (" + why + ")"
	}
	say := func(format, name string, but ...string) {
		v := facts[name]
		for _, b := range append(but, "") {
			if v == b {
				return
			}
		}
		parts = append(parts, fmt.Sprintf(format, v))
	}
	say("also on %s", "devices")
	say("loss %s", "loss", facts["device"]+" "+facts["parameters"])
	say("autocast %s", "autocast", "none")
	say("loss scaler %s", "scaler", "none")
	say("batch %s", "batch", "not known")
	say("%s a step", "global batch", facts["batch"])
	say("world %s", "world", "1")
	say("%s steps planned", "steps planned")
	say("trains %s", "trainable", "not known")
	say("supervised %s", "supervised")
	say("workers: %s", "workers")
	say("evaluation of %s samples", "evaluation set")
	say("goes on from %s", "resumed")
	if facts["slow"] != "" {
		say("%s", "slow")
	} else {
		say("idle: %s", "idle")
	}
	line := strings.Join(parts, ", ")
	return line[:min(len(line), maxFirstStepOf)]
}
