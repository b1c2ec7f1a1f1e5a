package machine

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// Target is a device that a run may have used.
type Target struct {
	ID   string // uuid; of a device without one: kind and name, as "mps:Apple M2"
	Name string // model, for people
	Bus  string // PCI address, as 0000:3b:00.0; empty: not known
}

// Marked is a taint and what it is of.
type Marked struct {
	Key   Key
	Name  string
	Taint Taint
}

// Where says where and when a run saw what it saw.
type Where struct {
	Run     string    // id of the run
	Machine string    // id of the machine, for faults of node scope
	BootID  string    // of the kernel
	At      time.Time // when the run ended, for faults whose lines carry no time
	Devices []Target  // that the run could use
}

// TaintsOf lists what the faults of a run leave on this machine: those of device
// and node scope, in so far as they are events at all. A wrong label's
// device-side assert is of process scope and leaves nothing.
//
// A fault that names its device marks that one. One that names none, or one that
// is not known, marks every device of the run: one of them it was.
//
// The evidence must be of a run that ran on this machine just now. The supervisor
// calls it behind the audit at the end of a run, whatever the verdict, and hands
// the result to [Store.Record]:
//
//	marked := machine.TaintsOf(ev, machine.Where{Run: id, Machine: host, BootID: boot, At: time.Now(), Devices: targets})
//	err := store.Record(marked)
func TaintsOf(ev *evidence.Evidence, w Where) []Marked {
	var out []Marked
	for i := range ev.Markers {
		m := &ev.Markers[i]
		if m.Class != evidence.Fault || m.Quoted != "" {
			continue
		}
		t := Taint{Marker: m.ID, Clears: clearsOf(m.Clears), Since: w.when(m.First.Time), BootID: w.BootID, Run: w.Run, Text: m.Text}
		if code := m.Attrs["code"]; code != "" && !strings.Contains(m.ID, code) {
			t.Marker += "-" + code
		}
		out = append(out, w.mark(m.Scope, m.Attrs["device"]+" "+m.Text, t)...)
	}
	if ev.Run == nil {
		return out
	}
	for i := range ev.Run.Findings {
		f := &ev.Run.Findings[i]
		if f.Class != string(evidence.Fault) {
			continue
		}
		t := Taint{Marker: f.Code, Clears: ClearsReboot, Since: w.when(f.At.Time), BootID: w.BootID, Run: w.Run, Text: f.Text}
		out = append(out, w.mark(f.Scope, f.Device+" "+f.Text, t)...)
	}
	return out
}

func clearsOf(clears string) Clears {
	if clears == "probe" {
		return ClearsProbe
	}
	return ClearsReboot
}

func (w *Where) when(unix int64) time.Time {
	if unix == 0 {
		return w.At.UTC()
	}
	return time.Unix(0, unix).UTC()
}

// mark gives the taint to what it is of.
func (w *Where) mark(scope evidence.Scope, text string, t Taint) []Marked {
	t.Scope = string(scope)
	switch scope {
	case evidence.Node:
		return []Marked{{Key: Key{Kind: KindMachine, ID: w.Machine}, Name: w.Machine, Taint: t}}
	case evidence.Device:
	default:
		return nil
	}
	named := slices.DeleteFunc(slices.Clone(w.Devices), func(d Target) bool { return !d.namedIn(text) })
	if len(named) == 0 {
		named = w.Devices
	}
	if len(named) == 0 { // no device is known: the machine carries it
		return []Marked{{Key: Key{Kind: KindMachine, ID: w.Machine}, Name: w.Machine, Taint: t}}
	}
	var out []Marked
	for _, d := range named {
		out = append(out, Marked{Key: Key{Kind: KindDevice, ID: d.ID}, Name: d.Name, Taint: t})
	}
	return out
}

// namedIn: a line names the device by uuid or by PCI address. Drivers leave the
// function number out.
func (d *Target) namedIn(text string) bool {
	text = strings.ToLower(text)
	bus, _, _ := strings.Cut(strings.ToLower(d.Bus), ".")
	return d.ID != "" && strings.Contains(text, strings.ToLower(d.ID)) || len(bus) >= len("3b:00") && strings.Contains(text, bus)
}

// Record writes taints down, each under the lock of its file.
func (s *Store) Record(marked []Marked) error {
	var errs []error
	for _, m := range marked {
		errs = append(errs, s.Update(m.Key, func(st *State) error {
			if m.Name != "" {
				st.Name = m.Name
			}
			st.AddTaint(m.Taint)
			return nil
		}))
	}
	return errors.Join(errs...)
}

// Snapshot is what a manifest carries of the state; it has the shape of
// rundir.Machine and converts to it.
type Snapshot struct {
	Taints []evidence.Taint
	Probes []evidence.Probe
	Why    string // why the state could not be read; empty: it was
}

// Snapshot reads the state for a run that may use the named devices; none: any
// that there is a state of. What a reboot since has cleared is left out; it is
// not written down here.
func (s *Store) Snapshot(bootID string, devices []string) Snapshot {
	all, err := s.All()
	if err != nil {
		return Snapshot{Why: err.Error()}
	}
	var out Snapshot
	if _, err := s.Tainted(); err != nil {
		out.Why = err.Error()
	}
	for i := range all {
		st := &all[i]
		// A file whose key cannot be read may be of any device.
		if st.Key.Kind == KindDevice && st.Damaged == "" && len(devices) > 0 && !slices.Contains(devices, st.Key.ID) {
			continue
		}
		st.Boot(bootID, s.now())
		for _, t := range st.Uncleared() {
			out.Taints = append(out.Taints, evidence.Taint{
				Device: st.Key.ID, Scope: evidence.Scope(t.Scope), Marker: t.Marker, Since: t.Since.UTC().Format(time.RFC3339), Text: t.Text,
			})
		}
		if p, ok := st.LastProbe(); ok {
			out.Probes = append(out.Probes, evidence.Probe{
				Device: st.Key.ID, Name: p.Name, Passed: p.Passed, Current: st.Probed(bootID, "", ""), Text: p.Text,
			})
		}
	}
	return out
}
