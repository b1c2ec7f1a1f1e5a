package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/machine"
	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/probe"
	"github.com/trainvet/trainvet/probe/device"
)

func probeCommand() cli.Command {
	return cli.Command{
		Name:    "probe",
		Summary: "find out whether this machine computes right, in processes of its own",
		Text: `Looks at the machine, and lets the framework train, compare with float64 on the
CPU, copy and measure on each device. What it finds is kept: two whole passes in
a row clear the faults that earlier runs left on a device.
overfit -- COMMAND gives a trainer its first 8 samples for at most 200 steps, in a
run that is thrown away: what cannot learn them by heart does not learn.
go -- TRAINER asks a Go trainer for the computations that it registered, each in
a process of its own, against its references.`,
		Args: "[overfit|go -- COMMAND [ARG...]]", MaxArgs: -1, Starts: true,
		Formats: []string{"text", "json"},
		Flags: []cli.Flag{
			{Name: "list", Help: "list the checks and run none"},
			{Name: "only", Kind: cli.List, Value: "NAME", Help: "run these checks or groups only; * matches any characters (repeatable)"},
			{Name: "python", Kind: cli.Text, Value: "PYTHON", Help: "interpreter of the trainer (that of the virtual environment, else of the PATH)"},
			{Name: "device", Kind: cli.List, Value: "DEVICE", Help: "device as frameworks call it: cpu, cuda:0, mps (repeatable; all accelerators, else the CPU)"},
			intentFlag(),
			{Name: "ops", Kind: cli.Text, Value: "FILE", Help: "a Python file with operators or dtypes of your own"},
			{Name: "deadline", Kind: cli.Period, Value: "TIME", Help: "for one check (60s)"},
			{Name: "json", Help: "short for --format json"},
		},
		Exits: []cli.Exit{
			{Code: "0", Text: "nothing speaks against the machine, or the trainer"},
			{Code: "1", Text: "a check failed, crashed or hung; of overfit a finding"},
			{Code: "2", Text: "usage or configuration"},
			{Code: "3", Text: "could not be done: no framework for this device, a broken control, no step made"},
		},
		Run: runProbe,
	}
}

func runProbe(ctx context.Context, call *cli.Call) error {
	short(call)
	switch {
	case len(call.Args) > 0 && call.Args[0] == "overfit":
		return probeOverfit(ctx, call)
	case len(call.Args) > 0 && call.Args[0] == "go":
		return probeTrainer(ctx, call)
	case len(call.Args) > 0:
		return cli.Usage("probe: %q is not a thing to probe", call.Args[0]).With("there are overfit and go; checks are chosen by --only")
	}
	for _, name := range call.List("only") {
		if !probe.Fits(name) {
			return cli.Usage("probe: --only %s: no check and no group is called that", name).With("trainvet probe --list shows them all")
		}
	}
	if call.Switch("list") {
		return listChecks(call)
	}
	cfg, err := settings(call)
	if err != nil {
		return err
	}
	sys := machine.Here()
	devices, notes, err := probed(ctx, call, sys)
	if err != nil {
		return err
	}
	opt, store, host, err := probeOptions(call, cfg, devices)
	if err != nil {
		return err
	}
	report, err := probe.Run(ctx, opt)
	if err != nil {
		return cli.CouldNot("probe", err)
	}
	report.Notes = append(report.Notes, notes...)
	keepProbe(ctx, report, store, host, sys, devices)
	if err := writeReport(call, report); err != nil {
		return err
	}
	return probeOutcome(report, call)
}

// keepProbe writes down what was found. A state that cannot be written is a
// note: what was found stands all the same.
func keepProbe(ctx context.Context, report *probe.Report, store *machine.Store, host string, sys machine.System, devices []machine.Device) {
	boot := machine.BootID()
	if err := report.Record(store, host, boot, devices, time.Now().UTC()); err != nil {
		report.Notes = append(report.Notes, "not kept: "+err.Error())
	}
	if err := report.Measurements(ctx, store, sys, boot, devices); err != nil {
		report.Notes = append(report.Notes, "measurements not kept: "+err.Error())
	}
}

// probeOutcome: what speaks against the machine wins over what could not be
// made. A framework that is not there is no failure of what was asked for only
// where nothing of it was asked for.
func probeOutcome(report *probe.Report, call *cli.Call) error {
	switch {
	case report.Broken != "":
		return cli.Outcome(cli.CodeCouldNot)
	case report.Failed():
		return cli.Outcome(cli.CodeFound)
	case len(report.Missing) > 0:
		return cli.Outcome(cli.CodeCouldNot)
	}
	return nil
}

// probed are the devices that are named, or that the intent means.
func probed(ctx context.Context, call *cli.Call, sys machine.System) (devices []machine.Device, notes []string, err error) {
	all := machine.ListDevices(ctx, sys)
	visible := append(all.Visible(), all.CPU)
	names := call.List("device")
	if one := call.Text("device"); one != "" {
		names = append(names, one)
	}
	for _, name := range names {
		if name == "cuda" || name == "xpu" {
			name += ":0"
		}
		i := slices.IndexFunc(visible, func(d machine.Device) bool { return d.Label() == name })
		if i < 0 {
			return nil, nil, cli.Usage("--device %s: this machine shows no such device", name).With("trainvet device -v shows what there is")
		}
		devices = append(devices, visible[i])
	}
	if len(devices) > 0 {
		return devices, all.Notes, nil
	}
	intent, kind, _ := device.ParseIntent(call.Text("intent"))
	for _, d := range all.Visible() {
		if intent != device.CPU && (kind == "" || kind == d.Kind) {
			devices = append(devices, d)
		}
	}
	switch {
	case len(devices) > 0:
		return devices, all.Notes, nil
	case intent == device.GPU:
		return nil, nil, cli.CouldNot("", fmt.Errorf("a GPU is asked for and none is visible (trainvet device -v says why)"))
	}
	return []machine.Device{all.CPU}, all.Notes, nil
}

func probeOptions(call *cli.Call, cfg *config.Config, devices []machine.Device) (opt probe.Options, store *machine.Store, host string, err error) {
	dir, err := machine.Dir(os.Getenv)
	if err != nil {
		return opt, nil, "", cli.CouldNot("probe", err)
	}
	store = machine.Open(dir)
	if host, err = os.Hostname(); err != nil {
		host = "localhost"
	}
	states := []machine.State{store.Load(machine.Key{Kind: machine.KindMachine, ID: host})}
	for _, d := range devices {
		states = append(states, store.Load(machine.Key{Kind: machine.KindDevice, ID: d.ID}))
	}
	opt = probe.Options{
		Python: call.Text("python"), Devices: devices, Only: call.List("only"), Ops: call.Text("ops"),
		Within: cfg.Duration("probe.group_deadline"), Check: cfg.Duration("probe.check_deadline"), Env: os.Getenv, Now: time.Now,
		Crowd: func() float64 { return machine.Crowd(machine.Here()) },
		Look:  probe.Look{Before: machine.Preflight, States: states, Folder: ".", Now: time.Now},
		Told:  progress(call),
	}
	if call.Given("deadline") {
		opt.Check = call.Period("deadline")
	}
	if opt.Check <= 0 {
		return opt, nil, "", cli.Usage("probe: --deadline: it must be above 0")
	}
	if opt.Ops != "" {
		if _, err := os.Stat(opt.Ops); err != nil {
			return opt, nil, "", cli.Usage("probe: --ops: %w", err)
		}
	}
	return opt, store, host, nil
}

// progress tells a person at a terminal what has been done: a probe takes long.
func progress(call *cli.Call) func(probe.Result) {
	if call.Width == 0 || call.Quiet {
		return nil
	}
	return func(r probe.Result) {
		fmt.Fprintf(call.Stderr, "%-5s %s %s\n", r.Status, plain.Line(r.Device, 40), plain.Line(r.Name, 80))
	}
}

func listChecks(call *cli.Call) error {
	checks := probe.Checks()
	if call.Format == "json" {
		return writeReport(call, checkList(checks))
	}
	for _, c := range checks {
		if _, err := fmt.Fprintf(call.Stdout, "%-9s %-31s %s\n", c.Group, c.Name, c.What); err != nil {
			return cli.CouldNot("listing the checks", err)
		}
	}
	return nil
}

// checkList is the list in JSON.
type checkList []probe.Check

// WriteText is not used: the list has a layout of its own.
func (checkList) WriteText(io.Writer, bool) error { return nil }
