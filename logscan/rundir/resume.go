package rundir

import (
	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan/evidence"
)

// maxResumes bounds how often one process can go on from a checkpoint: a trainer
// that falls back to one each time it diverges does so often.
const maxResumes = 256

func (p *process) addResume(b *record.Resume, at evidence.Pos, sink *evidence.Pos) {
	if len(p.resumes) == maxResumes {
		return
	}
	r := evidence.Resume{Path: b.Path, Size: attempt(b.Size), Sample: b.Sample, Step: known(b.Step), Pid: p.boot.Pid, At: at, Sink: sink}
	for _, c := range b.Carried {
		r.Carried = append(r.Carried, evidence.Carried(c))
	}
	p.resumes = append(p.resumes, r)
}
