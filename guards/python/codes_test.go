package python

import (
	"io/fs"
	"path"
	"regexp"
	"testing"

	"github.com/trainvet/trainvet/guards/record"
)

// TestCodesAreRows: whoever reads a code in a report can have it explained.
func TestCodesAreRows(t *testing.T) {
	t.Parallel()
	grades, err := record.Grades()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, g := range grades {
		known[g.Code] = true
	}
	said := regexp.MustCompile(`(?:finding|fault)\(\s*"([a-z-]+)"|"((?:ids|nonfinite|loss|optimizer|scale)-[a-z-]+)"`)
	found := 0
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".py" {
			return err
		}
		text, err := files.ReadFile(name)
		for _, m := range said.FindAllStringSubmatch(string(text), -1) {
			found++
			if code := m[1] + m[2]; !known[code] {
				t.Errorf("%s says %s, which is no row of effects.tsv", name, code)
			}
		}
		return err
	})
	if err != nil || found < 15 {
		t.Fatalf("%d codes found: %v", found, err)
	}
}
