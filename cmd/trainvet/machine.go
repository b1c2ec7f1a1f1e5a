package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/machine"
	"github.com/trainvet/trainvet/internal/plain"
)

func machineCommand() cli.Command {
	return cli.Command{
		Name:    "machine",
		Summary: "what faults have left on this machine and its devices",
		Text: `A fault of a device or of the whole node leaves a taint: the runs that come after
it are UNPROVEN on that device. A reboot or a reset clears what the driver did;
what the hardware did stays until two probes in a row have passed. It is kept by
the device's uuid, in TRAINVET_STATE, else under ~/.local/state/trainvet.`,
		Commands: []cli.Command{machineShow(), machineClear()},
	}
}

func machineShow() cli.Command {
	return cli.Command{
		Name:    "show",
		Summary: "list the taints that stand and the last probe of each device",
		Args:    "[DEVICE]...",
		Text:    `DEVICE is a uuid, or a beginning of one that no other device has.`,
		MaxArgs: -1,
		Formats: []string{"text", "json"},
		Flags:   []cli.Flag{{Name: "history", Help: "cleared taints and all probes too"}},
		Exits:   cli.Exits("no taint stands", "a taint stands", ""),
		Run: func(_ context.Context, call *cli.Call) error {
			_, states, err := chosenStates(call)
			if err != nil {
				return err
			}
			if call.Format == "json" {
				err = json.NewEncoder(call.Stdout).Encode(states)
			} else {
				err = showStates(call.Stdout, states, call.Switch("history"))
			}
			if err != nil {
				return cli.CouldNot("", err)
			}
			for i := range states {
				if len(states[i].Uncleared()) > 0 {
					return cli.Outcome(cli.CodeFound)
				}
			}
			return nil
		},
	}
}

func machineClear() cli.Command {
	return cli.Command{
		Name:    "clear",
		Summary: "take the taints of devices away, on your word",
		Args:    "DEVICE...",
		Text: `Use it when the device was repaired or replaced, or the fault was not its. The
reason is kept with the taint. A probe does the same on evidence: trainvet probe.`,
		MinArgs: 1, MaxArgs: -1,
		Flags: []cli.Flag{{Name: "reason", Kind: cli.Text, Value: "TEXT", Help: "why the taint no longer holds (needed)"}},
		Run:   runMachineClear,
	}
}

func runMachineClear(_ context.Context, call *cli.Call) error {
	reason := strings.TrimSpace(call.Text("reason"))
	if reason == "" {
		return cli.Usage("machine clear: --reason is needed: it is kept with the taint")
	}
	store, states, err := chosenStates(call)
	if err != nil {
		return err
	}
	for i := range states {
		said, err := clearState(store, &states[i], person()+": "+reason)
		if err != nil {
			return cli.CouldNot("clearing the taints", err)
		}
		if said != "" && !call.Quiet {
			fmt.Fprintf(call.Stdout, "%s: %s\n", plain.Line(states[i].Key.ID, maxStateLine), said)
		}
	}
	return nil
}

// clearState clears one device, and says what was done; empty: there was nothing.
func clearState(store *machine.Store, st *machine.State, by string) (said string, err error) {
	n := len(st.Uncleared())
	switch {
	case st.File != "":
		return "the file that could not be read was set aside", store.SetAside(*st)
	case n == 0:
		return "", nil
	}
	return fmt.Sprintf("cleared %d", n), store.Update(st.Key, func(st *machine.State) error {
		st.Clear(by, time.Now().UTC())
		return nil
	})
}

// person is who runs the command.
func person() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "someone"
}

// chosenStates reads the state and picks what the arguments name; none: all of
// it. What a reboot since has cleared is cleared.
func chosenStates(call *cli.Call) (*machine.Store, []machine.State, error) {
	dir, err := machine.Dir(os.Getenv)
	if err != nil {
		return nil, nil, cli.CouldNot("", err)
	}
	store := machine.Open(dir)
	all, err := store.All()
	if err != nil {
		return nil, nil, cli.CouldNot("", err)
	}
	boot := machine.BootID()
	for i := range all {
		all[i].Boot(boot, time.Now().UTC())
	}
	if len(call.Args) == 0 {
		return store, all, nil
	}
	var chosen []machine.State
	for _, name := range call.Args {
		st, err := stateOf(all, name)
		if err != nil {
			return nil, nil, err
		}
		chosen = append(chosen, st)
	}
	return store, chosen, nil
}

// stateOf finds a state by its id, or by a beginning that no other has.
func stateOf(all []machine.State, name string) (machine.State, error) {
	var found []machine.State
	var ids []string
	for i := range all {
		id := all[i].Key.ID
		ids = append(ids, id)
		switch {
		case strings.EqualFold(id, name):
			return all[i], nil
		case len(name) <= len(id) && strings.EqualFold(id[:len(name)], name):
			found = append(found, all[i])
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return machine.State{}, cli.Usage("machine: %q begins the name of %d devices", name, len(found)).With(ids...)
	case len(ids) == 0:
		return machine.State{}, cli.Usage("machine: nothing is known of %q, nor of any other device", name)
	}
	return machine.State{}, cli.Usage("machine: nothing is known of %q; there is", name).With(ids...)
}

const maxStateLine = 300

// showStates writes what is known, device by device.
func showStates(out io.Writer, states []machine.State, history bool) error {
	p := &statePrinter{w: out}
	stands := false
	for i := range states {
		st := &states[i]
		p.line("%s %s", st.Key.Kind, label(st))
		for _, t := range st.Taints {
			if t.ClearedAt == nil {
				stands = true
				p.taint(t)
			} else if history {
				p.line("  cleared by %s on %s: %s since %s: %s", t.ClearedBy, day(*t.ClearedAt), t.Marker, day(t.Since), t.Text)
			}
		}
		if len(st.Uncleared()) == 0 {
			p.line("  no taint stands")
		}
		p.probes(st, history)
	}
	switch {
	case len(states) == 0:
		p.line("nothing is known against this machine or its devices")
	case stands:
		p.line("runs on a tainted device are UNPROVEN until it is cleared: trainvet probe")
	}
	return p.err
}

// statePrinter keeps the first error, so that lines need no check.
type statePrinter struct {
	w   io.Writer
	err error
}

func (p *statePrinter) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, plain.Line(fmt.Sprintf(format, args...), maxStateLine))
	}
}

func (p *statePrinter) taint(t machine.Taint) {
	from := ""
	if t.Run != "" {
		from = ", in run " + t.Run
	}
	p.line("  TAINTED by %s since %s%s: %s", t.Marker, day(t.Since), from, t.Text)
	how := "two probes in a row that pass"
	if t.Clears == machine.ClearsReboot {
		how = "a reboot, a reset of the device, or " + how
	}
	p.line("    cleared by %s", how)
}

func (p *statePrinter) probes(st *machine.State, history bool) {
	list := st.Probes
	if !history {
		list = list[max(0, len(list)-1):]
	}
	for _, b := range list {
		word := "failed"
		if b.Passed {
			word = "passed"
		}
		text := ""
		if b.Text != "" {
			text = ": " + b.Text
		}
		p.line("  probe %s %s on %s%s", b.Name, word, day(b.At), text)
	}
}

func label(st *machine.State) string {
	if st.Name == "" || st.Name == st.Key.ID {
		return st.Key.ID
	}
	return st.Key.ID + " (" + st.Name + ")"
}

func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }
