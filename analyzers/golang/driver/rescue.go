package driver

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// rescue analyses the packages anew, without their tests, whose tests alone
// are broken: the go command analyses a package together with its inner tests
// and gives up on both. The tests are then named as what was not analysed.
func (g *goCommand) rescue(ctx context.Context, j job, tags, tool string, list []*listed, a *answers) error {
	why := newReasons(j, list, a)
	away := map[string]string{} // file to what stands for it: nothing
	var again []string
	for _, l := range list {
		if a.analysed(l.ImportPath) || len(l.TestGoFiles) == 0 || len(l.GoFiles)+len(l.CgoFiles) == 0 {
			continue
		}
		problem, at := why.of(l, l.ImportPath)
		if !strings.HasSuffix(at.File, "_test.go") {
			continue
		}
		tests := l.files(l.TestGoFiles)
		a.dropped[l.ImportPath] = site.Unit{Name: l.ImportPath + " (tests)", Files: tests, Problem: problem, At: at}
		for _, f := range append(tests, l.files(l.XTestGoFiles)...) {
			away[f] = ""
		}
		again = append(again, l.ImportPath)
	}
	if len(again) == 0 {
		return nil
	}
	overlay, err := writeOverlay(away)
	if err != nil {
		return err
	}
	defer os.Remove(overlay)
	_, err = g.vet(ctx, job{dir: j.dir, patterns: again, alone: j.alone}, tags, tool, a, "-overlay="+overlay)
	return err
}

func writeOverlay(replace map[string]string) (name string, err error) {
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", fmt.Errorf("writing an overlay: %w", err)
	}
	f, err := os.CreateTemp("", "trainvet-*.json")
	if err != nil {
		return "", fmt.Errorf("writing an overlay: %w", err)
	}
	_, err = f.Write(text)
	if wrong := f.Close(); err == nil {
		err = wrong
	}
	if err != nil {
		return "", fmt.Errorf("writing an overlay: %w", err)
	}
	return f.Name(), nil
}
