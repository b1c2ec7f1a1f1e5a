package ledger

import (
	"slices"

	"github.com/trainvet/trainvet/analyzers/rules"
	"github.com/trainvet/trainvet/analyzers/site"
)

// FileName is what a ledger is called.
const FileName = "trainvet.ledger"

// Judge holds a scan against the ledger, once for the tree. A nil ledger makes
// an inventory: site rules report nothing, unless New asks for what is new.
//
// Where two things of a place are wrong for one cause, one finding is made: a
// guard that does not count is said instead of "unguarded", and an exemption
// that does not hold instead of what it was to exempt.
func Judge(l *Ledger, scan *site.Scan, opt Options) Judgement {
	if opt.File == "" {
		opt.File = FileName
	}
	j := &join{scan: scan, opt: opt, listed: l != nil, gating: l != nil || opt.New != nil}
	if l != nil {
		j.rows = l.Rows
	}
	j.look()
	j.collect()
	j.pair()
	j.ignore()
	j.exempt()
	j.settle()
	j.review()
	site.Sort(j.out.Findings)
	return j.out
}

// join is one Judge.
type join struct {
	scan   *site.Scan
	rows   []Row
	opt    Options
	listed bool // there is a ledger
	gating bool // a site without a guard fails

	tree     tree
	langs    map[string]bool // whose front ends ran
	broken   map[string]bool // files of units that were not analysed
	sites    map[subject]int // by what a finding calls them
	handlers map[subject]int
	matched  []bool        // by row
	torn     []bool        // by row
	reported map[*Row]bool // a finding says what is wrong with it

	open []complaint
	out  Judgement
}

// subject is how a finding names what it is about.
type subject struct {
	id    string
	shape site.Shape
}

// complaint is a finding on its way through the exemptions.
type complaint struct {
	site.Finding
	about *Judged // site or handler; nil: neither
	gate  bool    // it is made here, or says the same: nothing without a gate
	test  bool    // never reported; an inline exemption may still need it
	fresh bool    // a guarded site that no row names
}

// look finds out what the scan proves.
func (j *join) look() {
	j.langs, j.broken = map[string]bool{}, map[string]bool{}
	seen := map[string]bool{}
	for i := range j.scan.Units {
		for _, f := range j.scan.Units[i].Files {
			seen[f] = true
			j.langs[lang(f)] = true
			if j.scan.Units[i].Problem != "" {
				j.broken[f] = true
			}
		}
	}
	if j.opt.Langs != nil {
		j.langs = map[string]bool{}
		for _, l := range j.opt.Langs {
			j.langs[l] = true
		}
	}
	j.tree = tree{whole: j.scan.Complete(), present: func(f string) bool { return seen[f] }}
}

// collect turns what the front ends found into complaints, and adds those that
// only the ledger makes.
func (j *join) collect() {
	j.out.Sites = make([]Judged, len(j.scan.Sites))
	j.sites, j.handlers = map[subject]int{}, map[subject]int{}
	for i, s := range j.scan.Sites {
		j.out.Sites[i] = Judged{Site: s, State: s.State, How: New}
		j.sites[subject{s.ID.String(), s.Shape}] = i
	}
	flawed, said := map[int]bool{}, map[int]site.Finding{}
	for _, f := range j.scan.Findings {
		i, ok := j.siteOf(f)
		switch {
		case !ok:
			j.open = append(j.open, complaint{Finding: f, about: j.handler(f)})
		case f.Code == rules.Gate(j.scan.Sites[i].Kind):
			said[i] = f // the front end has more to show than we have
		default:
			flawed[i] = flawed[i] || rules.Flaw(f.Code, j.scan.Sites[i].Kind)
			j.open = append(j.open, complaint{Finding: f, about: &j.out.Sites[i]})
		}
	}
	for i := range j.out.Sites {
		f, ok := said[i]
		about := &j.out.Sites[i]
		if !ok && (!about.Site.State.Fails() || flawed[i]) {
			continue
		}
		if !ok {
			f = unguarded(&about.Site)
		}
		j.open = append(j.open, complaint{Finding: f, about: about, gate: true, test: about.Site.Test})
	}
}

// siteOf finds the site that a finding is about: by its name, or for a rule
// that says the same as the gate by its place.
func (j *join) siteOf(f site.Finding) (int, bool) {
	if f.Site != "" {
		i, ok := j.sites[subject{f.Site, f.Shape}]
		return i, ok
	}
	if !slices.ContainsFunc([]site.Kind{site.Decode, site.Step, site.Implicit}, func(k site.Kind) bool { return f.Code == rules.Gate(k) }) {
		return 0, false
	}
	for i := range j.scan.Sites {
		if s := &j.scan.Sites[i]; s.At == f.At && f.Code == rules.Gate(s.Kind) {
			return i, true
		}
	}
	return 0, false
}

// handler returns the place that a row of kind catch may exempt; two rules may
// complain of one.
func (j *join) handler(f site.Finding) *Judged {
	id, err := site.ParseID(f.Site)
	if err != nil || !f.Shape.Valid() {
		return nil
	}
	at := subject{f.Site, f.Shape}
	i, ok := j.handlers[at]
	if !ok {
		i = len(j.out.Handlers)
		j.handlers[at] = i
		if j.out.Handlers == nil { // pointers into it are handed out
			j.out.Handlers = make([]Judged, 0, len(j.scan.Findings))
		}
		j.out.Handlers = append(j.out.Handlers, Judged{
			Site: site.Site{Kind: site.Handler, ID: id, Shape: f.Shape, At: f.At, End: f.End}, How: New,
		})
	}
	return &j.out.Handlers[i]
}

// pair lets the ladder find the row of each site and handler.
func (j *join) pair() {
	all := make([]*Judged, 0, len(j.out.Sites)+len(j.out.Handlers))
	for _, list := range [][]Judged{j.out.Sites, j.out.Handlers} {
		for i := range list {
			all = append(all, &list[i])
		}
	}
	keys := make([]Key, len(all))
	for i, a := range all {
		keys[i] = Key{a.Site.Kind, a.Site.ID, a.Site.Shape}
	}
	p := match(keys, j.rows, j.tree)
	for i, a := range all {
		if a.How = p.how[i]; p.rows[i] >= 0 {
			a.Row = &j.rows[p.rows[i]]
		}
	}
	j.matched, j.torn, j.reported = p.taken, p.torn, map[*Row]bool{}
	for i := range j.out.Sites {
		if a := &j.out.Sites[i]; j.listed && a.Row == nil && !a.Site.Test && !a.Site.State.Fails() {
			j.open = append(j.open, complaint{Finding: undeclared(&a.Site), about: a, gate: true, fresh: true})
		}
	}
}
