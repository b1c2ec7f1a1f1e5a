// Command logbench measures the audit beside cat and ripgrep on logs that it
// writes, and holds the figures against the bars.
//
//	go run ./internal/bench/logbench                        1 GiB of each shape, 5 rounds
//	go run ./internal/bench/logbench -size 128MiB -rounds 3 a quick look
//	go run ./internal/bench/logbench -write x.log -shapes hf write a log, its truth to standard output
//
// It runs from the top of the repository and exits with 1 when a bar is passed
// over. On a machine that others use the ratios hold, the seconds do not.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/internal/bench"
)

// launch as the first argument makes this program the launcher of a candidate.
const launch = "-launch"

var errOver = errors.New("a bar is passed over")

func main() {
	ctx := context.Background()
	run := func() error { return compare(ctx, os.Args[1:]) }
	if len(os.Args) > 2 && os.Args[1] == launch {
		run = func() error { return bench.Launch(ctx, os.Args[2:]) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "logbench:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	bench.Comparison
	shapes []string
	lines  string // table of fault lines
	write  string // write this log and stop
}

func parse(args []string) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("logbench", flag.ContinueOnError)
	size := f.String("size", "1GiB", "of each log")
	shapes := f.String("shapes", strings.Join(bench.AllShapes(), ","), "shapes to measure")
	f.IntVar(&o.Rounds, "rounds", 5, "times that each candidate runs")
	f.Uint64Var(&o.Seed, "seed", 20260801, "of the logs")
	f.IntVar(&o.Faults, "faults", 10, "fault lines in each log")
	f.BoolVar(&o.Bars, "bars", true, "hold the figures against the bars")
	f.StringVar(&o.Trainvet, "trainvet", filepath.Join("bin", "trainvet"), "binary to measure")
	f.StringVar(&o.Ripgrep, "rg", os.Getenv("RG"), "ripgrep; else RG, else from PATH")
	f.StringVar(&o.Dir, "dir", "", "folder for the logs (the system's for temporary files)")
	f.StringVar(&o.lines, "lines", filepath.Join("logscan", "marker", "testdata", "positive.tsv"), "table of fault lines")
	f.StringVar(&o.write, "write", "", "write one log to this file, or the ranks' to this folder, and stop")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	o.shapes = strings.Split(*shapes, ",")
	var err error
	if o.Size, err = bytesOf(*size); err != nil {
		return nil, err
	}
	if o.Ripgrep == "" {
		o.Ripgrep, _ = exec.LookPath("rg") // said in the table if there is none
	}
	return o, nil
}

// bytesOf reads 16MiB, 1GiB, 4096.
func bytesOf(text string) (int64, error) {
	number, unit := text, int64(1)
	for suffix, n := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if s, ok := strings.CutSuffix(text, suffix); ok {
			number, unit = s, n
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("size %q: not like 16MiB, 1GiB", text)
	}
	return n * unit, nil
}

func compare(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.Lines, err = bench.ReadFaults(o.lines); err != nil {
		return err
	}
	if o.write != "" {
		return o.writeLog()
	}
	if o.Trainvet, err = filepath.Abs(o.Trainvet); err != nil {
		return err
	}
	if _, err := os.Stat(o.Trainvet); err != nil {
		return fmt.Errorf("no binary to measure (make build): %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	o.Runner.Launcher = []string{self, launch}
	return o.measure(ctx)
}

func (o *options) measure(ctx context.Context) error {
	fmt.Printf("%s %s/%s, %d processors, load %s; %d MiB a shape, %d rounds, seed %d\n", runtime.Version(), runtime.GOOS,
		runtime.GOARCH, runtime.NumCPU(), load(), o.Size>>20, o.Rounds, o.Seed)
	var reports []*bench.Report
	for _, shape := range o.shapes {
		fmt.Fprintf(os.Stderr, "measuring %s\n", shape)
		r, err := o.Measure(ctx, shape)
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	if err := bench.WriteUsage(os.Stdout, reports); err != nil {
		return err
	}
	fmt.Printf("\nratios of CPU time, medians of the ratios inside a round; load now %s\n", load())
	if err := bench.WriteBars(os.Stdout, reports); err != nil {
		return err
	}
	if !bench.Kept(reports) {
		return errOver
	}
	return nil
}

func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(b))[:3], " ")
}

func (o *options) writeLog() error {
	if len(o.shapes) != 1 {
		return errors.New("-write needs one shape: -shapes hf")
	}
	truth, err := o.Write(o.shapes[0], o.write)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(truth)
}
