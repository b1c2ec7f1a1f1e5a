package driver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// goCommand starts the go command for one job.
type goCommand struct {
	path string
	env  []string
}

func newGoCommand(opt Options) (*goCommand, error) {
	name := opt.Go
	if name == "" {
		name = "go"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, ErrNoGo
	}
	env := opt.Env
	if env == nil {
		env = os.Environ()
	}
	return &goCommand{path: path, env: env}, nil
}

// endings is how long the go command may take to end its units once it is told
// to stop, and how far behind its output a slow machine may be when it has ended.
const endings = time.Minute

func (g *goCommand) command(ctx context.Context, j job, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, g.path, args...)
	cmd.Dir = j.dir
	cmd.Env = append(slices.Clone(g.env), "PWD="+j.dir)
	if j.alone {
		cmd.Env = append(cmd.Env, "GOWORK=off")
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = endings
	return cmd
}

// stream runs the go command and hands both of its streams, line by line, to a
// reader each. It reports whether the command ended with success.
func (g *goCommand) stream(cmd *exec.Cmd, out, errs io.Writer) (ok bool, err error) {
	cmd.Stdout, cmd.Stderr = out, errs
	err = cmd.Run()
	var ended *exec.ExitError
	switch {
	case err == nil:
		return true, nil
	case errors.As(err, &ended) && ended.ExitCode() > 0:
		return false, nil
	}
	return false, fmt.Errorf("running %s %s in %s: %w", filepath.Base(g.path), cmd.Args[1], cmd.Dir, err)
}

// workspace finds out whether a job's module stands apart from the workspace
// that its folder lies in: the go command would refuse it there.
func (g *goCommand) workspace(ctx context.Context, j *job) error {
	file := g.workFile(j.dir)
	if file == "" {
		return nil
	}
	var out, errs bytes.Buffer
	ok, err := g.stream(g.command(ctx, job{dir: j.dir}, "work", "edit", "-json", file), &out, &errs)
	if err != nil {
		return err
	}
	var work struct{ Use []struct{ DiskPath string } }
	if !ok || json.Unmarshal(out.Bytes(), &work) != nil {
		return nil // a broken go.work: the go command says so of every package
	}
	for _, use := range work.Use {
		at := filepath.FromSlash(use.DiskPath)
		if !filepath.IsAbs(at) {
			at = filepath.Join(filepath.Dir(file), at)
		}
		if filepath.Clean(at) == j.dir {
			return nil
		}
	}
	j.alone = true
	return nil
}

// workFile is the go.work in whose workspace a folder lies.
func (g *goCommand) workFile(dir string) string {
	for _, v := range slices.Backward(g.env) {
		if value, ok := strings.CutPrefix(v, "GOWORK="); ok && value != "" {
			return strings.TrimPrefix(value, "off")
		}
	}
	for {
		if name := filepath.Join(dir, "go.work"); isFile(name) {
			return name
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
