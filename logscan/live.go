package logscan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/follow"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/source"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// LiveOptions says how to follow the sources of a run.
type LiveOptions struct {
	Follow follow.Options
	Every  time.Duration // between two judgements while something is new; 0: a second
	Until  string        // the run is over when a line holds this text; empty: none does
	Idle   time.Duration // the run is over when nothing was written for so long; 0: never
}

// News is something that a live audit saw.
type News struct {
	Kind    NewsKind
	At      evidence.Pos
	Text    string // untrusted
	Subject *verdict.Subject
}

// NewsKind says what the news is.
type NewsKind string

// The kinds of news.
const (
	NewsFault   NewsKind = "fault"   // the first fault marker of the run
	NewsGap     NewsKind = "gap"     // a source is broken here
	NewsVerdict NewsKind = "verdict" // of a claim: it is new, or its verdict is another one
	NewsSource  NewsKind = "source"  // a source is followed from now on
	NewsWaiting NewsKind = "waiting" // a path is not there yet
)

// Live audits sources while they grow. Text sources are read once, byte by byte
// as they come; metrics files, which are rewritten rather than appended to, are
// read again when they have changed, and never for more than a twentieth of the
// time.
type Live struct {
	paths []string
	opt   Options
	how   LiveOptions
	tell  func(News)

	engine  *engine
	cfg     *verdict.Config
	set     *source.Set
	found   pace
	judged  pace
	streams map[string]*stream
	still   map[string]*still
	claims  map[string]verdict.Verdict // as told

	mu      sync.Mutex // guards what the streams' readers write: collectors and what follows
	dirty   bool
	faulted bool
	ended   string    // why the run is over
	written time.Time // when something was last written
	errs    []error
}

// NewLive prepares a live audit of paths, which need not exist yet. tell is
// called from one goroutine at a time.
func NewLive(paths []string, opt Options, how LiveOptions, tell func(News)) (*Live, error) {
	e, err := newEngine(&opt)
	if err != nil {
		return nil, err
	}
	cfg, err := opt.config()
	if err != nil {
		return nil, err
	}
	if how.Every <= 0 {
		how.Every = time.Second
	}
	low := verdict.Log // what a run that is not over cannot reach is no reason to doubt it
	cfg.RequireLevel = &low
	e.rows = maxRows(len(paths), false)
	return &Live{
		paths: paths, opt: opt, how: how, tell: tell, engine: e, cfg: cfg, set: &source.Set{},
		streams: map[string]*stream{}, still: map[string]*still{}, claims: map[string]verdict.Verdict{}, written: time.Now(),
	}, nil
}

// pace spaces out work by what it costs.
type pace struct{ next time.Time }

const dearness = 20 // times its cost is the least time between two turns

func (p *pace) due() bool { return !time.Now().Before(p.next) }

func (p *pace) took(begin time.Time, least time.Duration) {
	p.next = time.Now().Add(max(least, dearness*time.Since(begin)))
}

// tick is how often the audit looks whether something is to be done.
const tick = 100 * time.Millisecond

// Run follows until the run is over or ctx is, and says why it stopped. Every
// source has then been read to its end.
func (l *Live) Run(ctx context.Context) (why string, err error) {
	defer l.stop()
	if err := l.await(ctx); err != nil {
		return "", err
	}
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		if l.found.due() {
			if err := l.discover(ctx); err != nil {
				return "", err
			}
		}
		l.judge(false)
		if why := l.over(ctx); why != "" {
			l.stop()
			l.judge(true)
			return why, errors.Join(l.errs...)
		}
		select {
		case <-ctx.Done():
		case <-t.C:
		}
	}
}

// over says why the run is, if it is.
func (l *Live) over(ctx context.Context) string {
	l.mu.Lock()
	ended, quiet := l.ended, time.Since(l.written)
	l.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return "interrupted"
	case ended != "":
		return ended
	case l.how.Idle > 0 && quiet >= l.how.Idle:
		return fmt.Sprintf("nothing was written for %s", l.how.Idle)
	case l.closed():
		return "the run was closed"
	}
	return ""
}

// closed: there are run directories among the paths, and each has its trailer.
func (l *Live) closed() bool {
	dirs := l.runDirs()
	return len(dirs) > 0 && len(dirs) == len(l.paths) && !slices.ContainsFunc(dirs, func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, rundir.TrailerFile))
		return err != nil
	})
}

func (l *Live) runDirs() []string {
	dirs := append([]string{l.set.RunDir}, mapValues(l.set.RunDirs)...)
	slices.Sort(dirs)
	return slices.DeleteFunc(slices.Compact(dirs), func(d string) bool { return d == "" })
}

// await waits for the paths.
func (l *Live) await(ctx context.Context) error {
	for _, p := range l.paths {
		for told := false; ; told = true {
			_, err := os.Stat(p)
			if !errors.Is(err, fs.ErrNotExist) {
				break
			}
			if !told {
				l.tell(News{Kind: NewsWaiting, Text: p})
			}
			if l.over(ctx) != "" {
				return fmt.Errorf("following %s: %w", p, fs.ErrNotExist)
			}
			select {
			case <-ctx.Done():
			case <-time.After(tick):
			}
		}
	}
	return nil
}

// discover finds the sources: a rank may begin to write late.
func (l *Live) discover(ctx context.Context) error {
	begin := time.Now()
	defer func() { l.found.took(begin, l.how.Every) }()
	set, err := source.Expand(ctx, l.paths, nil, source.Options{
		Ranks: l.opt.Ranks, Hosts: l.opt.Hosts, Each: l.opt.Each, TZ: l.opt.TZ, Skew: l.opt.Skew,
	})
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil && len(l.streams)+len(l.still) > 0:
		return nil // what is followed is followed on; the audit at the end says what is wrong
	case err != nil:
		return err
	}
	l.set = set
	for i := range set.Inputs {
		l.take(ctx, &set.Inputs[i])
	}
	return nil
}

// take begins to follow an input, or goes on to.
func (l *Live) take(ctx context.Context, in *source.Input) {
	if s := l.streams[in.ID]; s != nil {
		if s.restyled(in) {
			s.close()
			l.begin(ctx, in)
			return
		}
		l.mu.Lock()
		s.name(in)
		l.mu.Unlock()
		return
	}
	if growing(ctx, in) {
		l.begin(ctx, in)
		l.tell(News{Kind: NewsSource, Text: in.ID})
		return
	}
	l.reread(ctx, in)
}

// growing: the input is plain text that can be read as it is written.
func growing(ctx context.Context, in *source.Input) bool {
	if !in.Kind.Lines() && in.Kind != source.Empty {
		return false
	}
	r, err := in.Open(ctx)
	if err != nil {
		return false
	}
	defer r.Close()
	_, _, plain := r.Plain()
	return plain || in.Size == 0
}

// still is a source that is read whole.
type still struct {
	ev   evidence.Evidence
	size int64
	at   time.Time
	pace pace
}

func (l *Live) reread(ctx context.Context, in *source.Input) {
	s := l.still[in.ID]
	if s == nil {
		s = &still{size: -1}
		l.still[in.ID] = s
	}
	info, err := os.Stat(in.Path)
	if err != nil || !s.pace.due() || info.Size() == s.size && info.ModTime().Equal(s.at) {
		return
	}
	begin := time.Now()
	ev, err := l.engine.read(ctx, in)
	if err != nil {
		return // half written: the next look will tell
	}
	s.pace.took(begin, l.how.Every)
	l.mu.Lock()
	s.ev, s.size, s.at = ev, info.Size(), info.ModTime()
	l.dirty, l.written = true, time.Now()
	l.mu.Unlock()
}

// stop ends the readers once they have read what is there.
func (l *Live) stop() {
	for _, s := range l.streams {
		s.close()
	}
}

// judge tells what has changed of the claims.
func (l *Live) judge(last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.dirty || !last && !l.judged.due() {
		return
	}
	begin := time.Now()
	ev := l.evidence()
	res, err := verdict.Judge(ev, l.cfg)
	if err != nil {
		l.errs = append(l.errs, fmt.Errorf("judging: %w", err))
		return
	}
	l.dirty = false
	for i := range res.Claims {
		c := &res.Claims[i]
		key := c.Name + "\x00" + c.Split + "\x00" + c.Ranks
		if was, known := l.claims[key]; !known || was != c.Verdict {
			l.claims[key] = c.Verdict
			l.tell(News{Kind: NewsVerdict, At: c.At, Subject: c})
		}
	}
	l.judged.took(begin, l.how.Every)
}

// evidence is that of all sources as far as they have been read. The caller
// holds the lock, also while it uses what comes: it shares memory with the
// readers.
func (l *Live) evidence() *evidence.Evidence {
	var parts []evidence.Evidence
	for _, s := range l.streams {
		parts = append(parts, s.snapshot())
	}
	for _, s := range l.still {
		parts = append(parts, s.ev)
	}
	ev := evidence.Merge(parts...)
	if err := addRun(&ev, l.set, l.engine.callers); err != nil || ev.Run == nil {
		return &ev
	}
	ev.Run.Trailer = true // it is not due yet
	return &ev
}

// ends reports whether a line ends the run.
func (l *Live) ends(line []byte) bool {
	return l.how.Until != "" && bytes.Contains(line, []byte(l.how.Until))
}

// Final is the audit of a run that is over. Sources without a gap are read again,
// whole and at once, as an audit reads them; of those with one, what was seen of
// them counts, since the files may no longer hold it. opt are the options of
// NewLive, with readers of their own.
func (l *Live) Final(ctx context.Context, opt Options) (*verdict.Result, *evidence.Evidence, error) {
	var broken []string
	for id, s := range l.streams {
		if s.gaps > 0 {
			broken = append(broken, id)
		}
	}
	if len(broken) == 0 {
		return Audit(ctx, l.paths, nil, opt)
	}
	ev, err := l.rescan(ctx, opt, broken)
	if err != nil {
		return nil, nil, err
	}
	cfg, err := opt.config()
	if err != nil {
		return nil, nil, err
	}
	res, err := verdict.Judge(ev, cfg)
	if err != nil {
		return nil, nil, fmt.Errorf("judging: %w", err)
	}
	return res, ev, nil
}

// rescan reads all sources but the broken ones, whose evidence is there.
func (l *Live) rescan(ctx context.Context, opt Options, broken []string) (*evidence.Evidence, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var parts []evidence.Evidence
	for _, id := range broken {
		parts = append(parts, l.streams[id].snapshot())
	}
	p, err := Open(ctx, l.paths, nil, opt)
	if errors.Is(err, fs.ErrNotExist) { // a path is gone: what was seen remains
		p, err = &Plan{engine: l.engine, set: l.set}, nil
	}
	if err != nil {
		return nil, err
	}
	ids := slices.DeleteFunc(p.Sources(), func(id string) bool { return slices.Contains(broken, id) })
	part, err := p.Shard(ctx, ids...)
	if err != nil {
		return nil, err
	}
	return p.Complete(append(parts, *part)...)
}
