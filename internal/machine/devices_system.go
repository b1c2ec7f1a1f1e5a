package machine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// System is where devices are looked for: a machine's file system, tools and
// environment. Tests describe other machines with it.
type System struct {
	OS   string // as runtime.GOOS
	Arch string
	Root fs.FS // of the file system, for /proc, /sys and /etc
	Env  func(name string) (string, bool)
	// Tool runs a program and returns its standard output.
	Tool func(ctx context.Context, name string, args ...string) (string, error)
}

// Here is this machine.
func Here() System {
	return System{OS: runtime.GOOS, Arch: runtime.GOARCH, Root: os.DirFS("/"), Env: os.LookupEnv, Tool: runTool}
}

// ErrNoTool is returned where a program is not installed.
var ErrNoTool = errors.New("not installed")

// errHangs is returned where a program did not end in time. Its process may
// wait in the kernel, where nothing can end it.
var errHangs = errors.New("no answer in time")

// toolTime bounds one tool, toolOutput what it may say.
const (
	toolTime   = 4 * time.Second
	toolOutput = 1 << 20
)

// runTool leaves a program behind that does not end: a driver that hangs keeps
// its tools in the kernel, and waiting for them would hang us too.
func runTool(ctx context.Context, name string, args ...string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", ErrNoTool
	}
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	type answer struct {
		out string
		err error
	}
	done := make(chan answer, 1)
	go func() {
		defer cancel()
		var out, errs bounded
		cmd := exec.CommandContext(ctx, path, args...)
		cmd.Stdout, cmd.Stderr = &out, &errs
		cmd.WaitDelay = time.Second
		err := cmd.Run()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("exit code %d: %.200s", exit.ExitCode(), firstLine(out.String()+errs.String()))
		}
		done <- answer{out.String(), err}
	}()
	select {
	case a := <-done:
		if ctx.Err() == context.DeadlineExceeded && a.err != nil {
			return "", errHangs
		}
		return a.out, a.err
	case <-ctx.Done():
		// The goroutine ends the program; it gets a moment to be seen doing so.
		select {
		case a := <-done:
			if a.err == nil {
				return a.out, nil
			}
		case <-time.After(100 * time.Millisecond):
		}
		return "", errHangs
	}
}

// bounded keeps the beginning of what is written and drops the rest.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if room := toolOutput - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// read returns a small file of the system, trimmed; empty: it cannot be read.
func (s *System) read(name string) string {
	f, err := s.Root.Open(strings.TrimPrefix(name, "/"))
	if err != nil {
		return ""
	}
	defer f.Close()
	buf := make([]byte, 1<<16)
	n := 0
	for n < len(buf) {
		k, err := f.Read(buf[n:])
		n += k
		if err != nil {
			break
		}
	}
	return strings.TrimSpace(string(buf[:n]))
}

func (s *System) there(name string) bool {
	_, err := fs.Stat(s.Root, strings.TrimPrefix(name, "/"))
	return err == nil
}

// env returns a variable; empty where it is not set.
func (s *System) env(name string) string {
	v, _ := s.Env(name)
	return v
}

// glob lists paths of the system, with their leading slash.
func (s *System) glob(pattern string) []string {
	names, err := fs.Glob(s.Root, strings.TrimPrefix(pattern, "/"))
	if err != nil {
		return nil
	}
	for i := range names {
		names[i] = "/" + names[i]
	}
	return names
}

func itoa(n int) string { return strconv.Itoa(n) }
