//go:build unix

package supervise

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/trainvet/trainvet/analyzers"
	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/python"
	"github.com/trainvet/trainvet/analyzers/site"
	guards "github.com/trainvet/trainvet/guards/python"
)

// SitesFile holds the decodes and steps of the trainer's sources, for the Python
// runtime, which meets them as lines of a caller.
const SitesFile = "sites.json"

// sitesTime bounds the look at the sources. A project of 300 files takes 0.1 s
// of CPU, the largest known ones 0.7 s: a home folder must not hold up a trainer.
const sitesTime = time.Second

// sites looks for them while the machine is looked at. The channel gives what
// could not be done.
func (s *Session) sites(ctx context.Context) <-chan error {
	done := make(chan error, 1)
	script, is := source(s.prog, s.opt.Argv)
	if !is || os.Getenv(guards.Off) == "0" {
		done <- nil
		return done
	}
	go func() {
		ctx, cancel := context.WithTimeout(ctx, sitesTime)
		defer cancel()
		done <- writeSites(ctx, s.dir, script)
	}()
	return done
}

// source names the script that is started, or the working folder where none is
// named. Others than Python are asked for scripts that they may start.
func source(prog program, argv []string) (string, bool) {
	for _, a := range argv[1:] {
		if strings.HasSuffix(a, ".py") {
			if _, err := os.Stat(a); err == nil {
				return a, true
			}
		}
	}
	return ".", prog.python
}

// writeSites scans the tree that holds the script, with the state that a ledger
// beside it gives to each site. Without a work tree or a ledger that is the
// folder of the script.
func writeSites(ctx context.Context, dir, script string) error {
	script, err := filepath.Abs(script)
	if err != nil {
		return fmt.Errorf("naming the sources: %w", err)
	}
	if info, err := os.Stat(script); err == nil && !info.IsDir() {
		script = filepath.Dir(script)
	}
	root := analyzers.Root(script)
	res, err := python.Scan(ctx, python.Options{Root: root, Folders: []string{root}, Rules: func(string) bool { return false }})
	if err != nil {
		return fmt.Errorf("looking for sites below %s: %w", root, err)
	}
	scan := site.Scan{Root: root, Sites: res.Sites, Units: res.Units, Ignores: res.Ignores}
	rows, err := analyzers.ReadLedger(root)
	if err != nil {
		return err
	}
	inv := site.Inventory{Root: root}
	for _, j := range ledger.Judge(rows, &scan, ledger.Options{}).Sites {
		if s := j.Site; !s.Test && !s.Escapes && s.Passes == "" {
			inv.Sites = append(inv.Sites, site.Entry{
				ID: s.ID.String(), Kind: s.Kind, State: j.State, Shape: s.Shape, File: s.At.File, Line: s.At.Line, EndLine: s.End.Line,
				Cell: s.At.Cell, Function: s.ID.Func, Callee: s.ID.Callee,
			})
		}
	}
	text, err := inv.Encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, SitesFile), text, 0o600); err != nil {
		return fmt.Errorf("writing the sites: %w", err)
	}
	return nil
}
