package guarded

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// FuzzState: no source, broken or hostile, makes it panic, hang, or give a
// state that a kind cannot have.
func FuzzState(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.py")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		// Small seeds: the fuzzer makes what is new as small as it can, byte by
		// byte, and does nothing else for a minute with a whole file.
		for _, block := range bytes.Split(src, []byte("\n\n\n")) {
			f.Add(block)
		}
	}
	f.Add([]byte("def f(tok, ids):\n for ids in ids:\n  ids, (ids, *ids) = ids, ids\n  tok.decode(ids)\n"))
	a, finder := New(), sites.NewFinder() // made once: they read the catalogue
	f.Fuzz(func(t *testing.T, src []byte) {
		file := syntax.Parse(src)
		var table names.Table
		table.Build(&file.Tree)
		a.Reset(&file.Tree, &table)
		found := finder.Find(&file.Tree, &table)
		for i := range found.Sites {
			if st := a.State(&found.Sites[i]); !st.State.Fits(found.Sites[i].Kind) || st.Why == "" {
				t.Errorf("%s cannot be %q: %s", found.Sites[i].Kind, st.State, st.Why)
			}
		}
	})
}
