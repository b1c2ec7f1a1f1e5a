package logscan

import (
	"fmt"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/rundir"
)

// The marker that a line of trainvet device is in a log; a manifest says the same.
const (
	intentMarker = "trainvet-device"
	intentTitle  = "the device that was asked for was not there"
)

// addIntent adds what a run was asked to use and did not: its speeds are those of
// another device. The metrics stay what they are.
func addIntent(ev *evidence.Evidence, d *rundir.Dir, log string) {
	text := d.IntentUnmet()
	if text == "" {
		return
	}
	title := intentTitle
	if d.Manifest.IntentMet {
		title = "the device that was asked for was there and not used"
	}
	at := evidence.Pos{Source: log, Line: 1}
	ev.Markers = append(ev.Markers, evidence.Marker{
		ID: intentMarker, Title: title, Class: evidence.Degraded, Scope: evidence.Process, Effect: "speed", Goes: evidence.GoesOn, Origin: "framework",
		First: at, Last: at, Count: 1, Text: fmt.Sprintf("%.240s", text),
	})
}
