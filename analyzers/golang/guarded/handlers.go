package guarded

import "github.com/trainvet/trainvet/analyzers/site"

func (w *work) handlers(g found) []site.Handling { return nil }
