package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/guards/python"
	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/internal/supervise"
	"github.com/trainvet/trainvet/logscan/evidence"
)

// traceFlags look for the operation in which a backward pass aborts.
var traceFlags = []cli.Flag{
	{Name: "trace-backward", Help: "each backward operation announces itself before it runs: after an abort the last one is named (slow)"},
	{Name: "from-step", Kind: cli.Text, Value: "N", Help: "trace from this step on"},
}

// traceVars tell the guards of it.
func traceVars(call *cli.Call) ([]string, error) {
	from := call.Text("from-step")
	if !call.Switch("trace-backward") {
		if from != "" {
			return nil, cli.Usage("run: --from-step is of --trace-backward")
		}
		return nil, nil
	}
	if from == "" {
		from = "0"
	}
	if n, err := strconv.ParseUint(from, 10, 31); err != nil || strconv.FormatUint(n, 10) != from {
		return nil, cli.Usage("run: --from-step %s: it must be the number of a step", from)
	}
	return []string{python.EnvTrace + "=" + from}, nil
}

// maxTrace bounds what is read of the end of a trace.
const maxTrace = 1 << 20

// traced names the last operation of each process that did not come to the end
// of its backward pass, and what the driver said.
func traced(w io.Writer, out *supervise.Outcome, ev *evidence.Evidence) {
	files, err := filepath.Glob(filepath.Join(out.Dir, "backward-*.tvr"))
	if err != nil || len(files) == 0 {
		fmt.Fprintln(w, "trainvet: backward     no backward pass was traced")
		return
	}
	for _, name := range files {
		last, err := endOf(name)
		if err != nil {
			fmt.Fprintf(w, "trainvet: backward     %s\n", plain.Line(err.Error(), maxRunLine))
			continue
		}
		process := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "backward-"), ".tvr")
		fields := strings.Split(last, "\t")
		if len(fields) != 4 || fields[1] == "end" {
			continue
		}
		text := fmt.Sprintf("process %s, step %s: %s was the last to begin", process, fields[0], fields[1])
		if fields[2] != "" {
			text += "; forward: " + fields[2]
		}
		if fields[3] != "" {
			text += "; its gradient: " + fields[3]
		}
		fmt.Fprintf(w, "trainvet: backward     %s\n", plain.Line(text, maxRunLine))
	}
	for i := range ev.Markers {
		if m := &ev.Markers[i]; m.Quoted == "" && (m.Class == evidence.Fault || m.Class == evidence.Crash) {
			fmt.Fprintf(w, "trainvet: said         line %d: %s\n", m.First.Line, plain.Line(m.Text, maxRunLine))
			return
		}
	}
}

// endOf is the last whole line of a file.
func endOf(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("reading the backward trace: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("reading the backward trace: %w", err)
	}
	text, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-maxTrace), maxTrace))
	if err != nil {
		return "", fmt.Errorf("reading the backward trace: %w", err)
	}
	lines := bytes.Split(text[:bytes.LastIndexByte(text, '\n')+1], []byte("\n"))
	if len(lines) < 2 {
		return "", nil
	}
	return string(lines[len(lines)-2]), nil
}
