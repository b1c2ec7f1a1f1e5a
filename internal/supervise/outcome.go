//go:build unix

package supervise

import (
	"os"
	"syscall"
	"time"

	"github.com/trainvet/trainvet/logscan/rundir"
)

func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// ReadOutcome reads from its directory what became of a run.
func ReadOutcome(dir string) (*Outcome, error) {
	d, err := rundir.Read(dir)
	if err != nil {
		return nil, err
	}
	o := &Outcome{Dir: dir, Code: -1, Ending: Ending{Kind: EndUnknown}}
	begun := int64(0)
	if d.Manifest != nil {
		o.ID, begun = d.Manifest.ID, d.Manifest.Wall
	}
	for i := range d.Events {
		switch e := &d.Events[i]; e.Type {
		case rundir.EventStart:
			o.Pid = e.Pid
		case rundir.EventExit:
			o.Known, o.Took = true, time.Duration(e.Wall-begun)
			if status := statusOf(e); status.Signaled() {
				o.Signal = syscall.Signal(signalNumber(e.Signal))
			} else {
				o.Code = status.ExitStatus()
			}
		case rundir.EventEnding:
			o.Ending, o.Survivors = Ending{e.Kind, e.Evidence}, nil
			if !o.Known {
				o.Took = time.Duration(e.Wall - begun)
			}
		case rundir.EventSurvivor:
			if d.Trailer == nil {
				o.Survivors = append(o.Survivors, process{pid: e.Pid, name: first(e.Argv), state: e.State}.String())
			}
		}
	}
	var cost costState
	if load(dir, costFile, &cost) == nil {
		o.CPU, o.ChildCPU = cost.Own, cost.Child
	}
	return o, nil
}

func first(argv []string) string {
	if len(argv) == 0 {
		return ""
	}
	return argv[0]
}
