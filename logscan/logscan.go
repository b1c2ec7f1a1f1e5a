// Package logscan audits the logs of a training run: it opens what lies under
// the given paths, scans it into evidence, and judges the evidence.
//
// It guarantees that a scan's memory does not grow with its input, that the
// order of what it reports is the order of the bytes, and that what could not be
// read is said. It is not a log viewer: plain lines are not kept.
package logscan

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/conc/pool"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/marker"
	"github.com/trainvet/trainvet/logscan/metric"
	"github.com/trainvet/trainvet/logscan/source"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// Options says how to audit.
type Options struct {
	All          bool     // judge and list every value
	Require      []string // patterns of values that are claims too
	RequireLevel string   // log, captured, guarded, probed; empty: by the kind of source
	Ranks, Hosts string   // where rank and host stand in file names
	TZ           *time.Location
	Skew         time.Duration
	Each         bool // several jobs in one folder are judged each on its own
	Workers      int  // 0: one per processor
	Config       *verdict.Config
	Markers      []io.Reader // the user's marker rows
	Metrics      []io.Reader // the user's format rows
}

// maxRows is how many rows a table keeps before neighbours merge: for few
// sources as many as a reader may want to see, for many as memory allows; half
// of that where sources are sampled anyhow, since the judge looks at each row.
func maxRows(sources int, sampled bool) int {
	most := 2048
	if sampled {
		most /= 2
	}
	return max(64, min(most, 65536/max(1, sources)))
}

// Audit scans the sources under the paths ("-" is stdin) and judges them. The
// evidence is returned as well: it is what the verdicts were computed from.
func Audit(ctx context.Context, paths []string, stdin io.Reader, opt Options) (*verdict.Result, *evidence.Evidence, error) {
	p, err := Open(ctx, paths, stdin, opt)
	if err != nil {
		return nil, nil, err
	}
	return p.Audit(ctx)
}

// Audit scans the sources of the plan and judges them.
func (p *Plan) Audit(ctx context.Context) (*verdict.Result, *evidence.Evidence, error) {
	ev, err := p.Scan(ctx)
	if err != nil {
		return nil, nil, err
	}
	cfg, err := p.engine.opt.config()
	if err != nil {
		return nil, nil, err
	}
	res, err := verdict.Judge(ev, cfg)
	if err != nil {
		return nil, nil, fmt.Errorf("judging: %w", err)
	}
	return res, ev, nil
}

func (o *Options) config() (*verdict.Config, error) {
	cfg := o.Config
	if cfg == nil {
		cfg = verdict.DefaultConfig()
	}
	c := *cfg
	c.All = c.All || o.All
	c.Require = append(append([]string{}, c.Require...), o.Require...)
	c.ZoneKnown = c.ZoneKnown || o.TZ != nil
	if o.Skew > 0 {
		c.Skew = o.Skew
	}
	if o.RequireLevel != "" {
		var l verdict.Level
		if err := l.UnmarshalText([]byte(o.RequireLevel)); err != nil {
			return nil, fmt.Errorf("required level: %w", err)
		}
		c.RequireLevel = &l
	}
	return &c, nil
}

// Scan reads the sources into evidence.
func Scan(ctx context.Context, paths []string, stdin io.Reader, opt Options) (*evidence.Evidence, error) {
	p, err := Open(ctx, paths, stdin, opt)
	if err != nil {
		return nil, err
	}
	return p.Scan(ctx)
}

// Plan is the sources of one audit, found and grouped, not yet read. Shards of
// it may be scanned apart, in any grouping: merged, their evidence is that of
// the whole.
type Plan struct {
	engine *engine
	set    *source.Set
}

// Open finds what lies under the paths.
func Open(ctx context.Context, paths []string, stdin io.Reader, opt Options) (*Plan, error) {
	e, err := newEngine(&opt)
	if err != nil {
		return nil, err
	}
	set, err := source.Expand(ctx, paths, stdin, source.Options{
		Ranks: opt.Ranks, Hosts: opt.Hosts, Each: opt.Each, TZ: opt.TZ, Skew: opt.Skew,
	})
	if err != nil {
		return nil, err
	}
	if err := e.huge.prepare(e, set); err != nil {
		return nil, err
	}
	e.rows = maxRows(len(set.Inputs), !e.huge.whole)
	return &Plan{engine: e, set: set}, nil
}

// Sources lists the ids of the plan's sources.
func (p *Plan) Sources() []string {
	ids := make([]string, len(p.set.Inputs))
	for i := range p.set.Inputs {
		ids[i] = p.set.Inputs[i].ID
	}
	return ids
}

// Scan reads all sources, and what belongs to the run as a whole.
func (p *Plan) Scan(ctx context.Context) (*evidence.Evidence, error) {
	ev, err := p.Shard(ctx, p.Sources()...)
	if err != nil {
		return nil, err
	}
	return p.Complete(*ev)
}

// Shard reads some of the sources.
func (p *Plan) Shard(ctx context.Context, ids ...string) (*evidence.Evidence, error) {
	chosen := make(map[string]bool, len(ids))
	for _, id := range ids {
		chosen[id] = true
	}
	var inputs []*source.Input
	for i := range p.set.Inputs {
		if chosen[p.set.Inputs[i].ID] {
			inputs = append(inputs, &p.set.Inputs[i])
		}
	}
	parts, err := p.engine.readAll(ctx, inputs)
	if err != nil {
		return nil, err
	}
	ev := evidence.Merge(parts...)
	return &ev, nil
}

// Complete merges the evidence of all shards and adds what belongs to the run
// as a whole: run directories, and what could not be read.
func (p *Plan) Complete(shards ...evidence.Evidence) (*evidence.Evidence, error) {
	ev := evidence.Merge(append(shards, evidence.Evidence{Unread: p.set.Unread})...)
	if err := addRun(&ev, p.set, p.engine.callers); err != nil {
		return nil, err
	}
	return &ev, nil
}

// engine is what one audit builds once and every source shares.
type engine struct {
	opt     *Options
	markers *marker.Catalog
	metrics *metric.Catalog
	callers *metric.Callers
	lines   *lineForms
	rows    int
	// lookBack is how many bytes before a fault are read whole.
	lookBack int64
	// flushStretch is less than a block buffer would hold back.
	flushStretch int64
	huge         hugeFilters
	readers      sync.Pool // of *metric.Reader
	passes       sync.Pool // of *textPass
	rooms        sync.Pool // of *[]evidence.Row
}

func newEngine(opt *Options) (*engine, error) {
	cfg := opt.Config
	if cfg == nil {
		cfg = verdict.DefaultConfig()
	}
	e := &engine{opt: opt, lookBack: cfg.LookBackBytes, flushStretch: cfg.FlushStretch}
	var err error
	if e.markers, err = marker.Load(opt.Markers...); err != nil {
		return nil, fmt.Errorf("loading the markers: %w", err)
	}
	if e.metrics, err = metric.Load(opt.Metrics...); err != nil {
		return nil, fmt.Errorf("loading the metric formats: %w", err)
	}
	if e.callers, err = e.metrics.Callers(); err != nil {
		return nil, fmt.Errorf("loading those that report by call: %w", err)
	}
	if e.lines, err = loadLineForms(); err != nil {
		return nil, err
	}
	return e, nil
}

// readAll reads inputs, several at a time. One that cannot be read does not end
// the audit: it is named.
func (e *engine) readAll(ctx context.Context, inputs []*source.Input) ([]evidence.Evidence, error) {
	parts := make([]evidence.Evidence, len(inputs))
	workers := e.opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := pool.New().WithContext(ctx).WithMaxGoroutines(workers).WithCancelOnError().WithFirstError()
	for i, in := range inputs {
		p.Go(func(ctx context.Context) error {
			part, err := e.read(ctx, in)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				part.Unread = append(part.Unread, evidence.Unread{Path: in.ID, Why: withoutPath(err, in.ID)})
			}
			parts[i] = part
			return nil
		})
	}
	if err := p.Wait(); err != nil {
		return nil, fmt.Errorf("reading the sources: %w", err)
	}
	return parts, nil
}

// withoutPath is an error's text for a place where its path stands already.
func withoutPath(err error, path string) string {
	text := strings.TrimPrefix(err.Error(), path+": ")
	return strings.ReplaceAll(text, ": "+path+": ", ": ")
}
