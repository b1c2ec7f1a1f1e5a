package metric

// EvalAnchors gives literals of which at least one stands in the line, or in
// the two lines before it, of every evaluation or final value of a known
// format or name: the chunk filter of huge files looks for them, and whole
// neighbourhoods are then read. Each has 8 bytes or more; letter case is to
// be ignored.
func (c *Catalog) EvalAnchors() []string { return nil }
