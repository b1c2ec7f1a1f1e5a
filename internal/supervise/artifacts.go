//go:build unix

package supervise

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/trainvet/trainvet/internal/machine"
	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/rundir"
)

// artifacts writes down which files the run wrote and read, with their digests,
// and what is known against those that it read. It comes behind the end of the
// child: a file that is still being written has no digest.
func (s *Session) artifacts() {
	d, err := rundir.Read(s.dir)
	if err != nil {
		s.say("the files of the run are not listed: %v", err)
		return
	}
	opt := rundir.ArtifactOptions{Folders: s.opt.Outputs, Taint: s.taintOf(), Within: s.digestTime()}
	mentions, err := logscan.Mentions(context.Background(), filepath.Join(s.dir, rundir.LogFile), s.live.mentioned(s.size()))
	if err != nil {
		s.say("the files that the log names are not listed: %v", err)
	}
	opt.Mentions = mentions
	s.missingOutputs(d)
	for _, e := range d.Artifacts(context.Background(), opt) {
		s.journal.write(e)
	}
}

// missingOutputs says which folder of --outputs is not there: one that was
// mistyped lists nothing.
func (s *Session) missingOutputs(d *rundir.Dir) {
	for _, folder := range s.opt.Outputs {
		at := folder
		if !filepath.IsAbs(at) && d.Manifest != nil {
			at = filepath.Join(d.Manifest.Cwd, at)
		}
		if _, err := os.Stat(at); err != nil {
			s.say("no file of --outputs %s is listed: %v", folder, err)
		}
	}
}

// hurriedDigestTime is what digests may take when trainvet itself was asked to
// end: a scheduler kills what is not gone in time, and the run would stay open.
const hurriedDigestTime = time.Second

func (s *Session) digestTime() time.Duration {
	if len(s.facts.received) > 0 {
		return hurriedDigestTime
	}
	return rundir.DefaultDigestTime
}

// taintOf looks a file up in what earlier runs tainted.
func (s *Session) taintOf() func(rundir.Artifact) (string, bool) {
	if s.opt.State == "" {
		return nil
	}
	known, err := machine.Open(s.opt.State).Tainted()
	if err != nil { // the manifest says so too
		s.say("%v", err)
		return nil
	}
	return func(a rundir.Artifact) (string, bool) {
		return known.Find(a.Path, a.Digest, a.Size, a.Changed)
	}
}
