package logscan

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/marker"
	"github.com/trainvet/trainvet/logscan/metric"
	"github.com/trainvet/trainvet/logscan/source"
)

const (
	maxMarkerKinds = 4096 // distinct markers kept per source; more of them are counted on the last
	maxText        = 240
)

// collector turns the lines and records of one source into evidence. Its state
// is bounded whatever the source holds.
type collector struct {
	src     *evidence.Source
	out     evidence.Evidence
	tracks  *tracks
	markers map[markerKey]int // index into out.Markers
	ends    int               // crashes seen: markers are never aggregated across one
	loads   int               // loads of weights behind which a record came
	loading bool              // weights were told of, and no record came since
	flush   flushWatch
	starts  startWatch
	procs   printers
	named   map[artifactKey]int    // artifacts already kept: index into out.Artifacts
	knows   func(word string) bool // that is part of metrics' names; nil: names are not torn

	lastTime int64 // of the last stamp
	// lookFrom is the offset of a new fault after which the process goes on;
	// -1: none since it was last looked at. lookedFor is the process it was in.
	lookFrom, lookedFor int64
	lookLine            int64 // line of the fault

	// raised is the last Python traceback behind which no record came; Line 0: none.
	raised     evidence.Pos
	raisedText string
	ending     endWatch
}

// markerKey tells apart the markers that are counted each for itself.
type markerKey struct {
	id, pid, code string
	metric        string // that the line tells of
	printer       string
	class         evidence.Class // the same code may be fatal in one line and not in another
	ends          int            // crashes before it
	load          int            // of the weights: what is loaded behind a record is loaded anew
	quoted        bool
}

func newCollector(src *evidence.Source, maxRows int) *collector {
	return &collector{
		src: src, tracks: newTracks(src.ID, maxRows), markers: map[markerKey]int{},
		starts: startWatch{lastCrash: -1, shell: -1}, named: map[artifactKey]int{}, lookFrom: -1, lookedFor: -1,
	}
}

// record takes one set of metric values.
func (c *collector) record(r *metric.Record) {
	c.raised.Line, c.ending.died = 0, false
	if b := c.procs.begun(r); b >= 0 {
		c.out.Boundaries[b].Resumed = c.starts.resumedBy(r)
	}
	if c.loading {
		c.loading = false
		c.loads++
	}
	if b, ok := c.starts.record(r, c.src.ID); ok {
		c.boundary(b)
	}
	if !r.Flush && !r.EvalBar {
		c.flush.own(r.Offset)
	}
	if len(r.Fields) > 0 {
		c.tracks.add(r, c.procs.index[r.Printer])
	}
}

// match takes one marker in a line.
func (c *collector) match(m *marker.Match, l *source.Line, text []byte, offset int64) {
	pos := evidence.Pos{Source: c.src.ID, Offset: offset, Line: l.No, Time: l.Prefix.Time, Segment: c.procs.index[l.Prefix.Printer]}
	if m.Quoted == "" && (m.Class == evidence.Fault || m.Class == evidence.Crash) {
		c.procs.trouble = true
	}
	if m.Quoted == "" && m.Class == evidence.Fault && m.Def.Goes != evidence.Stops && c.lookedFor != int64(c.ends) {
		c.lookFrom, c.lookedFor, c.lookLine = offset, int64(c.ends), l.No
	}
	if m.Quoted == "" {
		c.flush.marker(m.Def.Origin, l.Offset, l.End)
		if skips, ok := skipRecord(m, l, offset); ok {
			c.tracks.add(skips, c.procs.index[skips.Printer])
		}
		if m.Class == evidence.Crash || m.Def.Origin == "launcher" || m.Def.Origin == "scheduler" {
			c.starts.ended(offset, l.Prefix.Printer)
			c.ends++
		}
		if m.Attrs["ends"] != "" {
			c.starts.reaped(offset)
		}
		if b, ok := c.starts.restarted(m, pos, text); ok && (c.procs.trouble || m.Attrs["boundary"] != "start") {
			c.boundary(b)
			if b.NewProcess {
				c.ending.died = false
				c.starts.ended(offset, "")
			}
		}
	}
	c.aggregate(m, l, text, pos)
}

func (c *collector) aggregate(m *marker.Match, l *source.Line, text []byte, pos evidence.Pos) {
	printer := printerOf(m, l)
	key := markerKey{m.Def.ID, m.Attrs["pid"], m.Attrs["code"], m.Attrs["metric"], printer, m.Class, c.ends, 0, m.Quoted != ""}
	if m.Effect == "weights" {
		key.load, c.loading = c.loads, true
	}
	if i, ok := c.markers[key]; ok {
		k := &c.out.Markers[i]
		k.Last, k.Count = pos, k.Count+1
		return
	}
	if len(c.out.Markers) >= maxMarkerKinds {
		c.out.Markers[len(c.out.Markers)-1].Count++
		return
	}
	attrs := m.Attrs
	if l.Prefix.Rank >= 0 && attrs["rank"] == "" {
		attrs = withAttr(attrs, "rank", strconv.Itoa(l.Prefix.Rank))
	}
	c.markers[key] = len(c.out.Markers)
	c.out.Markers = append(c.out.Markers, evidence.Marker{
		ID: m.Def.ID, Title: cmp.Or(m.Title, m.Def.Title), Class: m.Class, Scope: m.Scope, Effect: m.Effect, Clears: m.Clears, Goes: m.Def.Goes,
		Origin: m.Def.Origin, Block: m.Def.Block, First: pos, Last: pos, Count: 1,
		Text: clip(text, m.Start), Attrs: attrs, Quoted: m.Quoted, Printer: printer,
	})
	if m.Quoted == "" && m.Class != evidence.Notice {
		c.tracks.event(pos.Offset)
	}
}

func withAttr(attrs map[string]string, key, value string) map[string]string {
	out := make(map[string]string, len(attrs)+1)
	for k, v := range attrs {
		out[k] = v
	}
	out[key] = value
	return out
}

// clip keeps the part of a long line around a match.
func clip(text []byte, start int) string {
	if len(text) <= maxText {
		return string(text)
	}
	from := max(0, min(start-maxText/4, len(text)-maxText))
	return string(text[from : from+maxText])
}

func (c *collector) boundary(b evidence.Boundary) {
	c.out.Boundaries = append(c.out.Boundaries, b)
	c.tracks.event(b.At.Offset)
}

// skipRecord turns a marker that counts skipped steps into a table row, so that
// the judge can count the skips before a value.
func skipRecord(m *marker.Match, l *source.Line, offset int64) (*metric.Record, bool) {
	if len(m.Attrs) == 0 { // most, and in a storm all
		return nil, false
	}
	r := &metric.Record{Format: evidence.SkipFormat + m.Def.ID, Printer: l.Prefix.Printer, Offset: offset, End: l.End, Line: l.No, Time: l.Prefix.Time}
	num := func(attr string) (float64, bool) {
		f, err := strconv.ParseFloat(m.Attrs[attr], 64)
		return f, err == nil
	}
	if n, ok := num("skipped_total"); ok {
		r.Fields = append(r.Fields, skipField("skipped", n, evidence.WholeRun))
	} else if n, ok := num("steps"); ok {
		window := evidence.Interval
		if _, total := num("of"); total {
			window = evidence.WholeRun
		}
		r.Fields = append(r.Fields, skipField("skipped", n, window))
	}
	if len(r.Fields) == 0 {
		return nil, false
	}
	if of, ok := num("of"); ok {
		r.Fields = append(r.Fields, metric.Field{Name: "attempted", Printed: "attempted", Value: of, Role: evidence.Diagnostic, Kind: evidence.KindCount})
	}
	for _, end := range []string{"from", "to"} {
		if v, ok := num(end); ok {
			r.Fields = append(r.Fields, metric.Field{
				Name: "scale_" + end, Printed: "loss scale", Value: v, Text: m.Attrs[end], Role: evidence.Diagnostic, Kind: evidence.KindScale,
			})
		}
	}
	if step, ok := num("step"); ok {
		r.Step = metric.Counter{Has: true, Name: "step", Value: step}
	}
	return r, true
}

func skipField(name string, n float64, w evidence.Window) metric.Field {
	return metric.Field{
		Name: name, Printed: "skipped steps", Value: n, Text: strconv.FormatFloat(n, 'g', -1, 64),
		Role: evidence.Diagnostic, Kind: evidence.KindSkips, Window: w,
	}
}

// traceback is a line of a Python traceback: if no record follows, an exception
// ended the run. One that the trainer handled is followed by more of them.
func (c *collector) traceback(pos evidence.Pos, text []byte) {
	c.raised, c.raisedText = pos, clip(text, 0)
}

// uncaught turns a traceback at the end of the source into a crash.
func (c *collector) uncaught() {
	if c.raised.Line == 0 || c.src.EndShown {
		return
	}
	c.out.Markers = append(c.out.Markers, evidence.Marker{
		ID: "py-traceback", Title: "a Python exception ended it", Class: evidence.Crash, Scope: evidence.Process,
		Goes: evidence.Stops, Origin: "python", Block: "py-traceback", First: c.raised, Last: c.raised, Count: 1, Text: c.raisedText,
	})
}

// finish gives the evidence of the source.
func (c *collector) finish() evidence.Evidence {
	c.uncaught()
	c.src.FlushShown, c.src.StderrShown = c.flush.shown, c.flush.foreign
	c.src.Printers = slices.Clone(c.procs.list)
	for _, t := range c.tracks.list {
		c.out.Tracks = append(c.out.Tracks, t.Track)
	}
	if c.knows != nil {
		setTornAside(c.out.Tracks, c.knows)
	}
	c.out.Sources = []evidence.Source{*c.src}
	c.segment()
	return c.out
}

// segment numbers the processes once all boundaries are known: a boundary may
// be recognised only by what follows it. Until then a place holds the index of
// the process that its line names, 0 where it names none.
func (c *collector) segment() {
	starts := make([][]int64, len(c.procs.list)+1)
	for _, b := range c.out.Boundaries {
		for i := range starts {
			if b.Printer == "" || i > 0 && b.Printer == c.procs.list[i-1].Name {
				starts[i] = append(starts[i], b.At.Offset)
			}
		}
	}
	for i := range starts {
		slices.Sort(starts[i])
	}
	number := func(p *evidence.Pos) {
		i, exact := slices.BinarySearch(starts[p.Segment], p.Offset)
		if exact {
			i++
		}
		p.Segment = p.Segment*(len(c.out.Boundaries)+1) + i
	}
	for i := range c.out.Boundaries {
		number(&c.out.Boundaries[i].At)
	}
	for i := range c.out.Markers {
		number(&c.out.Markers[i].First)
		number(&c.out.Markers[i].Last)
	}
	for ti := range c.out.Tracks {
		for ri := range c.out.Tracks[ti].Rows {
			r := &c.out.Tracks[ti].Rows[ri]
			number(&r.First)
			number(&r.Last)
		}
	}
	for i := range c.out.Decisions {
		number(&c.out.Decisions[i].At)
	}
	for i := range c.out.Artifacts {
		number(&c.out.Artifacts[i].At)
	}
}
