package supervise

import (
	"time"

	"github.com/trainvet/trainvet/logscan/rundir"
)

// journal stamps the events of the sidecar. An event that cannot be written is
// counted: the run goes on, and is not closed.
type journal struct {
	out  *rundir.Sidecar
	lost int
	err  error
}

func (j *journal) write(e rundir.Event) {
	if e.Wall == 0 {
		e.Wall, e.Mono = time.Now().UnixNano(), monotonic()
	}
	if err := j.out.Write(e); err != nil {
		j.lost++
		j.err = err
	}
}

func at(offset int64) *int64 { return &offset }
