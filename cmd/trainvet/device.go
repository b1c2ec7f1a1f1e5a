package main

import (
	"context"
	"os"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/machine"
	"github.com/trainvet/trainvet/probe/device"
)

func deviceCommand() cli.Command {
	return cli.Command{
		Name:    "device",
		Summary: "say which device and precision to use, and why, without starting Python",
		Text: `Prints two lines for the trainer's log: the device and the precision, what was
asked and why this is the answer. What probe has measured on this device wins
over the table of what devices compute natively.`,
		Formats: []string{"text", "json", "env"},
		Flags: []cli.Flag{
			intentFlag(),
			{Name: "dtype", Kind: cli.Text, Value: "DTYPE", Words: device.Dtypes(), Help: "precision that is asked for: auto (default), float32, bfloat16, float16"},
			{Name: "op", Kind: cli.List, Value: "NAME", Help: "an operator that the model needs: roi_align, conv3d (repeatable)"},
			{Name: "parameters", Kind: cli.Integer, Value: "N", Help: "parameters of the model: a small one gains nothing on some devices"},
			{Name: "json", Help: "short for --format json"},
			{Name: "env", Help: `short for --format env: eval "$(trainvet device --env)"`},
		},
		Exits: cli.Exits("answered", "what was asked for cannot be met", ""),
		Run:   runDevice,
	}
}

// intentFlag stands on every command that chooses a device.
func intentFlag() cli.Flag {
	return cli.Flag{Name: "intent", Kind: cli.Text, Value: "INTENT", Words: device.Intents(),
		Help: "what is asked for: auto (default), gpu or cpu; cuda, mps, rocm, xpu are GPUs of that kind"}
}

func runDevice(ctx context.Context, call *cli.Call) error {
	short(call)
	if _, err := settings(call); err != nil {
		return err
	}
	d := decide(ctx, call, machine.Here())
	var err error
	if call.Format == "env" {
		err = d.WriteEnv(call.Stdout)
	} else {
		err = writeReport(call, &d)
	}
	if err != nil {
		return cli.CouldNot("writing the decision", err)
	}
	if !d.Satisfied() {
		return cli.Outcome(cli.CodeFound)
	}
	return nil
}

// short takes --json and --env for the formats.
func short(call *cli.Call) {
	for _, format := range []string{"json", "env"} {
		if call.Switch(format) {
			call.Format = format
		}
	}
}

// decide resolves the device from what the machine shows and what is known of
// it from earlier probes.
func decide(ctx context.Context, call *cli.Call, sys machine.System) device.Decision {
	intent, kind, _ := device.ParseIntent(call.Text("intent")) // the flag allows no other word
	ask := device.Ask{Intent: intent, Kind: kind, Dtype: call.Text("dtype"), Use: device.Use{
		Ops: call.List("op"), Parameters: int64(call.Integer("parameters")),
	}}
	devices := machine.ListDevices(ctx, sys)
	known, note := knownOf(ctx, sys, devices)
	d := device.Resolve(ask, devices, known)
	if note != "" {
		d.Notes = append(d.Notes, note)
	}
	return d
}

// knownOf reads what earlier probes and runs left: measurements that still
// hold, and faults that were not cleared.
func knownOf(ctx context.Context, sys machine.System, devices machine.Devices) (known device.Known, note string) {
	dir, err := machine.Dir(os.Getenv)
	if err != nil {
		return known, err.Error()
	}
	store := machine.Open(dir)
	known = device.Known{Measured: map[string]machine.Measured{}, Taints: map[string][]machine.Taint{}}
	for _, d := range append(devices.Visible(), devices.CPU) {
		st := store.Load(machine.Key{Kind: machine.KindDevice, ID: d.ID})
		known.Taints[d.ID] = st.Uncleared()
		all, err := store.MeasuredOf(d.ID)
		if err != nil {
			return known, err.Error()
		}
		setup := machine.FingerprintOf(ctx, sys, d)
		for i := range all {
			ok, why := all[i].Holds(setup)
			if ok {
				known.Measured[d.ID] = all[i]
				break
			}
			if i == 0 && len(all[i].Dtypes) > 0 {
				note = d.Label() + ": what was measured does not hold any more, " + why + "; trainvet probe measures again"
			}
		}
		if _, ok := known.Measured[d.ID]; ok {
			note = ""
		}
	}
	return known, note
}
