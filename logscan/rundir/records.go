package rundir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan/evidence"
)

// hasRecords reports whether there are run records in the folder.
func hasRecords(root *os.Root) bool {
	entries, err := fs.ReadDir(root.FS(), RecordsDir)
	return err == nil && slices.ContainsFunc(entries, isRecords)
}

func isRecords(e fs.DirEntry) bool {
	return e.Type().IsRegular() && path.Ext(e.Name()) == ".jsonl" && !strings.HasPrefix(e.Name(), ".")
}

// addRecords reads every file of the records folder.
func (d *Dir) addRecords(r *evidence.Run) {
	d.children = nil
	root, err := os.OpenRoot(d.Path)
	if err != nil {
		r.Damage = append(r.Damage, Damage{File: RecordsDir, Kind: Unreadable, Text: err.Error()}.String())
		return
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), RecordsDir)
	d.noRecords = errors.Is(err, fs.ErrNotExist)
	if err != nil && !d.noRecords {
		r.Damage = append(r.Damage, Damage{File: RecordsDir, Kind: Unreadable, Text: err.Error()}.String())
	}
	for _, e := range entries {
		if isRecords(e) {
			d.addRecordFile(r, root, path.Join(RecordsDir, e.Name()))
		}
	}
}

func (d *Dir) addRecordFile(r *evidence.Run, root *os.Root, name string) {
	f, err := root.Open(name)
	if err != nil {
		r.Damage = append(r.Damage, Damage{File: name, Kind: Unreadable, Text: err.Error()}.String())
		return
	}
	defer f.Close()
	file := &recordFile{dir: d, name: name, procs: map[int]*process{}}
	if err := file.read(f); err != nil {
		file.orphans = append(file.orphans, err.Error())
	}
	file.close(r)
}

// recordFile folds one file of run records into evidence.
type recordFile struct {
	dir     *Dir
	name    string
	order   []*process
	procs   map[int]*process
	orphans []string // issues that name no process
}

// process is what one process of the file said.
type process struct {
	boot     evidence.Boot
	findings []evidence.Finding
	folds    map[evidence.Finding]int // by the finding without place and text
	sites    map[int]*record.Site
	steps    []*ledger
	ledgers  map[string]*ledger // the same, by optimizer
	metrics  []*reported
	byName   map[series]*reported // the same, by name, split and source
	held     []*evidence.Held
	probes   []evidence.Probe
	files    []evidence.Artifact
	resumes  []evidence.Resume
	ledger   []string
	met      []string
	notMet   []string
	children []child
}

func newProcess(boot evidence.Boot) *process {
	return &process{
		boot:    boot,
		folds:   map[evidence.Finding]int{},
		sites:   map[int]*record.Site{},
		ledgers: map[string]*ledger{},
		byName:  map[series]*reported{},
	}
}

func (f *recordFile) read(in io.Reader) error {
	records := record.NewReader(in)
	for {
		e, err := records.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		at := evidence.Pos{Source: f.dir.source(f.name), Offset: e.Offset, Line: e.Line}
		if e.Issue != nil {
			f.issue(e.Issue, at)
			continue
		}
		at.Time = e.Record.Wall
		f.add(e.Record, at)
	}
}

// maxIssues bounds the issues that are kept in words; Gap says that there are some.
const maxIssues = 16

func (f *recordFile) issue(i *record.Issue, at evidence.Pos) {
	text := fmt.Sprintf("line %d: %s: %s", at.Line, i.Kind, i.Text)
	if p := f.procs[i.Pid]; p != nil {
		p.gap(text)
	} else if len(f.orphans) < maxIssues {
		f.orphans = append(f.orphans, text)
	}
}

func (p *process) gap(text string) {
	p.boot.Gap = true
	if len(p.boot.Issues) < maxIssues {
		p.boot.Issues = append(p.boot.Issues, text)
	}
}

func (f *recordFile) add(r *record.Record, at evidence.Pos) {
	p := f.procs[r.Pid]
	if p == nil {
		p = newProcess(evidence.Boot{Pid: r.Pid, File: f.name})
		f.procs[r.Pid] = p
		f.order = append(f.order, p)
	}
	if r.Rank != record.None {
		p.boot.Rank = &r.Rank
	}
	p.boot.Count++
	sink := f.dir.place(r.Sink)
	switch b := r.Body.(type) {
	case *record.Boot:
		p.addBoot(b)
	case *record.Child:
		p.children = append(p.children, child{pid: b.Pid, parent: r.Pid, what: strings.Join(b.Argv, " "), expect: b.Expect, fork: b.How == "fork"})
	case *record.Site:
		p.addSite(b)
	case *record.Count:
		if b.Calls > 0 {
			p.ran(b.Check)
		}
	case *record.Fault:
		p.addFault(b, at, sink)
	case *record.Finding:
		p.addFinding(b, at, sink)
	case *record.Step:
		p.ledgerOf(b.Optimizer).addStep(b, at, sink)
		if b.How != "" && b.Attempted > 0 {
			p.ran("steps")
		}
	case *record.Skip:
		p.ledgerOf(b.Optimizer).addSkip(b, at, sink)
	case *record.Metric:
		p.metricOf(b).add(b, at, sink)
	case *record.Held:
		p.addHeld(b, at, sink)
	case *record.Resume:
		p.addResume(b, at, sink)
	case *record.Artifact:
		p.files = append(p.files, evidence.Artifact{At: at, Sink: sink, Op: b.Op, Path: b.Path, Size: max(b.Size, 0), Step: known(b.Step),
			Sample: b.Sample, Kind: b.Kind, Taint: b.Taint, Pid: r.Pid, Rank: p.boot.Rank})
	case *record.Probe:
		p.probes = append(p.probes, evidence.Probe{Device: b.Device, Name: b.Name, Passed: b.Passed, Current: true, Text: b.Text, At: &at, Sink: sink})
	case *record.End:
		p.boot.Ended = true
		p.boot.Errors = max(p.boot.Errors, int(min(b.HookErrors, 1<<30)))
		if b.Lost > 0 {
			p.gap(fmt.Sprintf("%d records could not be written", b.Lost))
		}
	}
}

// close hands what the file said to the run. Issues of no process count
// against each one: any of them may have lost a record.
func (f *recordFile) close(r *evidence.Run) {
	if len(f.order) == 0 && len(f.orphans) == 0 {
		f.orphans = append(f.orphans, "the file is empty")
	}
	if len(f.order) == 0 {
		f.order = append(f.order, newProcess(evidence.Boot{File: f.name}))
	}
	for _, p := range f.order {
		for _, text := range f.orphans {
			p.gap(text)
		}
		if len(p.boot.Live) == 0 && len(p.boot.Off) == 0 && len(f.orphans) == 0 {
			p.gap("no boot record")
		}
		p.close(r)
		f.dir.children = append(f.dir.children, p.children...)
	}
}

func (p *process) close(r *evidence.Run) {
	slices.Sort(p.boot.Checks)
	slices.Sort(p.boot.Live)
	r.Boots = append(r.Boots, p.boot)
	for i := range p.findings {
		p.findings[i].Rank = p.boot.Rank
	}
	r.Findings = append(r.Findings, p.findings...)
	for _, l := range p.steps {
		l.out.Pid, l.out.Rank = p.boot.Pid, p.boot.Rank
		r.Steps = append(r.Steps, l.out)
	}
	for _, m := range p.metrics {
		m.out.Pid, m.out.Rank = p.boot.Pid, p.boot.Rank
		r.Metrics = append(r.Metrics, m.result())
	}
	for _, h := range p.held {
		h.Rank = p.boot.Rank
		r.Held = append(r.Held, *h)
	}
	r.Probes = append(r.Probes, p.probes...)
	r.Artifacts = append(r.Artifacts, p.files...)
	for i := range p.resumes {
		p.resumes[i].Rank = p.boot.Rank
	}
	r.Resumes = append(r.Resumes, p.resumes...)
	add(&r.Ledger, p.ledger)
	add(&r.Met, p.met)
	add(&r.NotMet, p.notMet)
}

// add keeps one of each.
func add(to *[]string, list []string) {
	for _, s := range list {
		if !slices.Contains(*to, s) {
			*to = append(*to, s)
		}
	}
}

func (p *process) addBoot(b *record.Boot) {
	p.boot.Start, p.boot.Host, p.boot.Lang = b.Start, b.Host, b.Lang
	for _, c := range b.Checks {
		if !slices.Contains(p.boot.Live, c) {
			p.boot.Live = append(p.boot.Live, c)
		}
	}
	for _, o := range b.Off {
		if text := o.Check + ": " + o.Why; !slices.Contains(p.boot.Off, text) {
			p.boot.Off = append(p.boot.Off, text)
		}
	}
}

func (p *process) ran(check string) {
	if !slices.Contains(p.boot.Checks, check) {
		p.boot.Checks = append(p.boot.Checks, check)
	}
}

// addSite keeps a site for those that name it, and notes a decode that ran
// with nothing to check it, and one that did not run.
func (p *process) addSite(s *record.Site) {
	p.sites[s.Site] = s
	if s.Kind != "decode" {
		return
	}
	switch {
	case s.Live && s.Why != "":
		p.notMet = append(p.notMet, siteName(s))
	case s.Live && s.ID != "":
		p.met = append(p.met, siteName(s))
	case !s.Live && s.State != "guarded" && s.State != "exempt":
		name := siteName(s)
		if s.Why != "" {
			name += " (" + s.Why + ")"
		}
		p.ledger = append(p.ledger, name)
	}
}

func siteName(s *record.Site) string {
	switch {
	case s == nil:
		return ""
	case s.ID != "":
		return s.ID
	case s.File != "":
		return fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	return s.Name
}

// place turns the sink of a record into a place in the capture; nil where the
// sink is none of the run's, so that nothing is concluded from it.
func (d *Dir) place(s *record.Sink) *evidence.Pos {
	if s == nil || d.Manifest == nil {
		return nil
	}
	for _, known := range d.sinks() {
		if known.Device == s.Device && known.Inode == s.Inode && s.Offset >= known.Start {
			return &evidence.Pos{Source: d.source(known.File), Offset: s.Offset - known.Start}
		}
	}
	return nil
}

// sinks lists the files that the child wrote to, those of later events first.
func (d *Dir) sinks() []Sink {
	var sinks []Sink
	for i := len(d.Events) - 1; i >= 0; i-- {
		if e := &d.Events[i]; e.Sink != nil {
			sinks = append(sinks, *e.Sink)
		}
	}
	return append(sinks, d.Manifest.Capture.Sinks...)
}

// known turns a number of a record into one that may be missing.
func known(n int64) *float64 {
	if n == record.None {
		return nil
	}
	f := float64(n)
	return &f
}
