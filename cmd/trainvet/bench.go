package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/machine"
	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/probe"
	"github.com/trainvet/trainvet/probe/bench"
)

// usualMatrix is what a bench without one asks.
const usualMatrix = "dtype=float32,bfloat16"

func benchCommand() cli.Command {
	return cli.Command{
		Name:    "bench",
		Summary: "say which setting is faster end to end, by runs in turn with a control beside them",
		Args:    "[-- COMMAND...]",
		Text: `Runs every arm of the matrix in every round, turn about, and a control that
cannot respond to the setting around each. {device}, {dtype} and other names of
the matrix in COMMAND are filled in. Without a command a built-in model is run,
with the framework of --python.`,
		MaxArgs: -1, Starts: true,
		Formats: []string{"text", "json"},
		Flags: []cli.Flag{
			{Name: "matrix", Kind: cli.Text, Value: "NAME=V,V...", Help: "settings to compare: dtype=float32,bfloat16,compile=off,on (" + usualMatrix + ")"},
			{Name: "rounds", Kind: cli.Integer, Value: "N", Help: "rounds behind the warm-up (6 for two arms, the fewest that can show anything)"},
			{Name: "model", Kind: cli.Text, Value: "MODEL", Words: []string{"mlp", "conv", "transformer"}, Help: "built-in model: mlp (default), conv, transformer"},
			{Name: "loader", Kind: cli.Text, Value: "FILE", Help: "a Python file whose loader(torch, shape) feeds the built-in model"},
			{Name: "python", Kind: cli.Text, Value: "PYTHON", Help: "interpreter for the built-in model"},
			{Name: "device", Kind: cli.Text, Value: "DEVICE", Help: "device of the built-in model, where the matrix names none"},
			intentFlag(),
			{Name: "again", Help: "measure anew what was measured before"},
			{Name: "json", Help: "short for --format json"},
		},
		Exits: cli.Exits("compared", "", "CONFOUNDED: the control responded, and nothing is decided"),
		Run:   runBench,
	}
}

func runBench(ctx context.Context, call *cli.Call) error {
	short(call)
	cfg, err := settings(call)
	if err != nil {
		return err
	}
	text := call.Text("matrix")
	if text == "" {
		text = usualMatrix
	}
	arms, err := bench.ParseMatrix(text)
	if err != nil {
		return cli.Usage("bench: %w", err)
	}
	opt := bench.Options{Arms: arms, Rounds: bench.FewestRounds(len(arms)), Judge: benchThresholds(cfg), Told: benchProgress(call)}
	if call.Given("rounds") {
		opt.Rounds = call.Integer("rounds")
	}
	if fewest := bench.FewestRounds(len(arms)); opt.Rounds < fewest {
		return cli.Usage("bench: --rounds %d: fewer than %d can show nothing of %d arms", opt.Rounds, fewest, len(arms))
	}
	report, err := benched(ctx, call, opt)
	if err != nil {
		return err
	}
	if err := writeReport(call, report); err != nil {
		return err
	}
	if report.Word == bench.Confounded {
		return cli.Outcome(cli.CodeDoubt)
	}
	return nil
}

// benched runs a command, or the built-in model.
func benched(ctx context.Context, call *cli.Call, opt bench.Options) (*bench.Report, error) {
	sys := machine.Here()
	devices, _, err := probed(ctx, call, sys)
	if err != nil {
		return nil, err
	}
	opt.Around = around(sys, devices[0])
	if len(call.Args) == 0 {
		return builtIn(ctx, call, opt, sys, devices[0])
	}
	for _, arm := range opt.Arms {
		if _, err := arm.Fill(call.Args); err != nil {
			return nil, cli.Usage("bench: %w", err).With("{name} in the command is filled in")
		}
	}
	opt.One, opt.Control = bench.Command(call.Args, commandOutput(call)), bench.CPUControl
	report, err := bench.Run(ctx, opt)
	if err != nil {
		return nil, cli.CouldNot("bench", err)
	}
	report.Notes = append(report.Notes, "a command's result is not kept: what it depends on is not known")
	return report, nil
}

// commandOutput keeps a command's output apart from the report.
func commandOutput(call *cli.Call) io.Writer {
	if call.Verbose {
		return call.Stderr
	}
	return io.Discard
}

func around(sys machine.System, d machine.Device) func(context.Context) bench.Around {
	return func(ctx context.Context) bench.Around { return bench.Around(machine.AroundOf(ctx, sys, d)) }
}

// measuredRun is what the built-in model says of one run.
type measuredRun struct {
	Step     float64      `json:"step"`
	Examples float64      `json:"examples"`
	Whole    float64      `json:"whole"`
	Control  float64      `json:"control"`
	Same     string       `json:"same"`
	Split    bench.Split  `json:"split"`
	Phases   bench.Phases `json:"phases"`
}

// builtIn runs the built-in model, unless the same was measured before and
// nothing that it depends on has changed.
func builtIn(ctx context.Context, call *cli.Call, opt bench.Options, sys machine.System, d machine.Device) (*bench.Report, error) {
	python, why := probe.FindPython(call.Text("python"), os.Getenv)
	if python == "" {
		return nil, cli.CouldNot("bench", errors.New(why))
	}
	const longest = 10 * time.Minute // a first compilation takes minutes
	workers, err := probe.OpenWorkers(python, longest)
	if err != nil {
		return nil, cli.CouldNot("bench", err)
	}
	defer workers.Close()
	facts, err := workers.Facts(ctx)
	if err != nil {
		return nil, cli.CouldNot("bench", err)
	}
	if facts.Torch == "" {
		return nil, cli.CouldNot("bench", fmt.Errorf("there is no torch in %s", python))
	}
	keep := benchCache{what: "built-in " + modelOf(call), call: call, setup: machine.FingerprintOf(ctx, sys, d), facts: facts, device: d}
	if report := keep.find(opt.Arms); report != nil {
		return report, nil
	}
	opt.Device = d.Label()
	opt.One = func(ctx context.Context, arm bench.Arm) (bench.Sample, error) {
		return runModel(ctx, workers, call, arm, opt.Device)
	}
	report, err := bench.Run(ctx, opt)
	if err != nil {
		return nil, cli.CouldNot("bench", err)
	}
	report.Key = keep.setup.Key()
	if err := keep.store(report); err != nil {
		report.Notes = append(report.Notes, "not kept: "+err.Error())
	}
	return report, nil
}

func modelOf(call *cli.Call) string {
	if m := call.Text("model"); m != "" {
		return m
	}
	return "mlp"
}

func runModel(ctx context.Context, workers *probe.Workers, call *cli.Call, arm bench.Arm, device string) (bench.Sample, error) {
	options := map[string]string{"model": modelOf(call)}
	for _, s := range arm.Settings {
		options[s.Name] = s.Value
	}
	if name := arm.Get("device"); name != "" {
		device = name
	}
	file := call.Text("loader")
	if file != "" {
		var err error
		if file, err = filepath.Abs(file); err != nil {
			return bench.Sample{}, err
		}
	}
	var m measuredRun
	if err := workers.Bench(ctx, device, file, options, &m); err != nil {
		return bench.Sample{}, err
	}
	m.Split.Rest = max(0, 1-m.Split.Wait-m.Split.ToDevice-m.Split.Compute-m.Split.Optimizer)
	return bench.Sample{Seconds: m.Whole, Step: m.Step, Examples: m.Examples, Control: m.Control, Same: m.Same, Split: &m.Split, Phases: &m.Phases}, nil
}

// benchCache keeps results of the built-in model under what they depend on.
type benchCache struct {
	what   string
	call   *cli.Call
	setup  machine.Fingerprint
	facts  probe.Facts
	device machine.Device
}

// usable: what a user's loader depends on is not known.
func (c *benchCache) usable() bool { return c.call.Text("loader") == "" }

func (c *benchCache) find(arms []bench.Arm) *bench.Report {
	dir, err := machine.Dir(os.Getenv)
	if err != nil || c.call.Switch("again") || !c.usable() {
		return nil
	}
	all, err := machine.Open(dir).MeasuredOf(c.device.ID)
	if err != nil {
		return nil // it is measured anew
	}
	for i := range all {
		if ok, _ := all[i].Holds(c.setup); !ok || all[i].Framework.Key() != c.facts.Fingerprint().Key() {
			continue
		}
		for _, b := range all[i].Benches {
			var r bench.Report
			if b.What == c.what && b.Report != nil && json.Unmarshal(b.Report, &r) == nil && r.Of(arms) {
				r.Cached = all[i].At.Format(time.DateTime)
				return &r
			}
		}
	}
	return nil
}

// store keeps a result that can be believed.
func (c *benchCache) store(r *bench.Report) error {
	if r.Word == bench.Confounded || !c.usable() {
		return nil
	}
	dir, err := machine.Dir(os.Getenv)
	if err != nil {
		return err
	}
	whole, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encoding the result: %w", err)
	}
	return machine.Open(dir).Measure(c.setup, c.facts.Fingerprint(), func(m *machine.Measured) {
		m.Device, m.BootID, m.FrameworkAt = c.device.ID, machine.BootID(), filepath.Clean(c.facts.Folder)
		for _, o := range r.Arms[1:] {
			if o.Whole == nil {
				continue
			}
			b := machine.BenchResult{What: c.what, Arm: o.Arm, Against: r.Arms[0].Arm, Ratio: o.Whole.Median, Lo: o.Whole.Lo, Hi: o.Whole.Hi, Report: whole}
			m.Benches = slices.DeleteFunc(m.Benches, func(x machine.BenchResult) bool {
				return x.What == b.What && x.Arm == b.Arm && x.Against == b.Against
			})
			m.Benches = append(m.Benches, b)
			whole = nil // once is enough
		}
	})
}

func benchThresholds(c *config.Config) bench.Thresholds {
	return bench.Thresholds{Control: c.Float("bench.control"), DataWait: c.Float("bench.data_wait"), Use: c.Float("bench.use")}
}

func benchProgress(call *cli.Call) func(int, bench.Arm, bench.Sample) {
	if call.Width == 0 || call.Quiet {
		return nil
	}
	return func(round int, arm bench.Arm, s bench.Sample) {
		fmt.Fprintf(call.Stderr, "round %d %s %.3g s\n", round, plain.Line(arm.String(), 80), s.Seconds)
	}
}
