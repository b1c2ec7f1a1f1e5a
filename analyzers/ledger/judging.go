package ledger

import "github.com/trainvet/trainvet/analyzers/site"

// Judge holds a scan against the ledger, once for the tree. A nil ledger makes
// an inventory: site rules report nothing.
func Judge(l *Ledger, scan *site.Scan, opt Options) Judgement {
	out := Judgement{Findings: append([]site.Finding(nil), scan.Findings...)}
	for _, s := range scan.Sites {
		out.Sites = append(out.Sites, Judged{Site: s, State: s.State, How: New})
	}
	site.Sort(out.Findings)
	return out
}
