package rundir

import (
	"fmt"
	"strings"
)

// IntentUnmet says how a run that was asked to use a GPU did without one; empty:
// it did not, or nothing shows it. Evidence is what trainvet found before the
// start, or processes that loaded the framework, were looked at again and again,
// and never had an accelerator open.
func (d *Dir) IntentUnmet() string {
	m := d.Manifest
	switch {
	case m == nil || m.Intent == "" || m.Intent == "auto" || m.Intent == "cpu":
		return ""
	case !m.IntentMet:
		return m.Resolved
	}
	var idle []string
	for i := range d.Events {
		e := &d.Events[i]
		switch {
		case e.Type == EventProcess && e.Kind == KindAccelerator:
			return ""
		case e.Type == EventProcess && e.Kind == KindNoAccelerator:
			idle = append(idle, fmt.Sprintf("%d (%s)", e.Pid, strings.Join(e.Argv, " ")))
		}
	}
	if len(idle) == 0 {
		return ""
	}
	return fmt.Sprintf("asked %s, and no process of the run had an accelerator open: %s", m.Intent, strings.Join(idle, ", "))
}
