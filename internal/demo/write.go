package demo

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/trainvet/trainvet/logscan/rundir"
)

//go:embed run.log
var log []byte

// Log returns what the child printed, both streams in one order.
func Log() []byte { return slices.Clone(log) }

// begin is when the recorded run began: fixed, so that two demos write the same
// bytes.
var begin = time.Date(2026, time.March, 2, 9, 14, 7, 0, time.UTC)

const (
	pid     = 4711
	seconds = 1132 // that the run took
)

// Write makes the run directory dir, which must not exist, with the given log
// as its capture, and seals it.
func Write(dir string, log []byte) error {
	if err := rundir.Create(dir); err != nil {
		return err
	}
	if err := rundir.WriteManifest(dir, manifest()); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, rundir.LogFile), log, 0o600); err != nil {
		return fmt.Errorf("writing the capture: %w", err)
	}
	if err := writeSidecar(dir, int64(len(log))); err != nil {
		return err
	}
	wall, mono := clock(seconds + 1)
	return rundir.WriteTrailer(dir, wall, mono)
}

// clock gives both clocks so many seconds into the run.
func clock(s int64) (wall, mono int64) {
	at := time.Duration(s) * time.Second
	return begin.Add(at).UnixNano(), at.Nanoseconds()
}

func manifest() rundir.Manifest {
	wall, mono := clock(0)
	return rundir.Manifest{
		ID: "demo", Trainvet: "demo", Wall: wall, Mono: mono,
		Argv: []string{"./finetune", "--data", "digits", "--steps", "400"}, Cwd: "digits",
		World: 1,
		Host:  rundir.Host{Name: "laptop", OS: "darwin", Arch: "arm64", CPUs: 8, Memory: 16 << 30},
		Devices: []rundir.Device{
			{Index: 0, Name: "Apple M2", Kind: "mps", Memory: 16 << 30},
		},
		Capture: rundir.Capture{
			Mode: "file", OneOrder: true, LineFlush: true,
			Sinks: []rundir.Sink{{File: rundir.LogFile, Streams: []string{"out", "err"}}},
		},
		Intent: "gpu",
	}
}

func writeSidecar(dir string, size int64) error {
	s, err := rundir.CreateSidecar(dir)
	if err != nil {
		return err
	}
	zero, start := 0, int64(0)
	events := []rundir.Event{
		{Type: rundir.EventStart, Pid: pid, Offset: &start, Argv: manifest().Argv},
		{Type: rundir.EventExit, Pid: pid, Offset: &size, Code: &zero},
		{Type: rundir.EventEnding, Kind: "exit", Evidence: []string{"wait status 0"}},
		{Type: rundir.EventEnd, Offset: &size},
	}
	for i, e := range events {
		e.Wall, e.Mono = clock(0)
		if i > 0 {
			e.Wall, e.Mono = clock(seconds)
		}
		if err := s.Write(e); err != nil {
			s.Close()
			return err
		}
	}
	if err := s.Close(); err != nil {
		return fmt.Errorf("writing the sidecar: %w", err)
	}
	return nil
}
