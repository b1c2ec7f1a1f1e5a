// Command vetbench holds what trainvet's analyzers cost against plain go vet
// on trees of Go modules: CPU seconds of all processes together, and the largest of
// them.
//
//	vetbench -tool bin/trainvet FOLDER...
//
// Cold means that nothing was analysed yet and all that the module imports is
// built; warm, that nothing changed since. Each cold run starts from a copy of
// one cache, so that both candidates find the same. The cache of the user is
// neither read nor written.
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/trainvet/trainvet/internal/bench"
)

// The bars.
const (
	warmBar = 300 * time.Millisecond // CPU above plain go vet
	coldBar = 1.3                    // times plain go vet
	peakBar = 400 << 20              // bytes of the largest process
)

func main() {
	tool := flag.String("tool", "bin/trainvet", "program to measure")
	rounds := flag.Int("rounds", 3, "warm runs of each; cold is run once")
	keep := flag.String("keep", "", "folder in which what was built is kept for another time")
	bars := flag.Bool("bars", true, "end with 1 where a bar is missed")
	flag.Parse()
	path, err := filepath.Abs(*tool)
	if err != nil {
		fail(err)
	}
	missed := false
	for _, dir := range flag.Args() {
		m, err := measure(context.Background(), path, dir, *keep, *rounds)
		if err != nil {
			fail(err)
		}
		missed = m.print(filepath.Base(dir)) || missed
	}
	if missed && *bars {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "vetbench:", err)
	os.Exit(2)
}

// measured is one module; index 0 is plain go vet, 1 the vet tool, 2 trainvet vet.
type measured struct {
	cold [3]bench.Usage
	warm [3][]bench.Usage
}

var names = [3]string{"go vet", "go vet -vettool=trainvet", "trainvet vet"}

func measure(ctx context.Context, tool, dir, keep string, rounds int) (*measured, error) {
	top, err := os.MkdirTemp("", "vetbench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(top)
	built := filepath.Join(top, "built")
	if keep != "" {
		built = filepath.Join(keep, filepath.Base(dir))
	}
	all, err := modules(dir)
	if err != nil {
		return nil, err
	}
	// Broken packages build nothing and are measured by neither; -e lets the rest build.
	prepare := exec.CommandContext(ctx, "sh", inEach("go list -e -export -deps -test -f {{.ImportPath}} ./...", all)...)
	prepare.Env = append(os.Environ(), "GOCACHE="+built)
	if err := prepare.Run(); err != nil {
		fmt.Fprintf(os.Stderr, "%s: not all of it builds: %v\n", dir, err)
	}
	m := &measured{}
	for i := range names {
		cache := filepath.Join(top, fmt.Sprint("cache", i))
		if out, err := exec.CommandContext(ctx, "cp", "-a", built, cache).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("copying the cache: %w: %s", err, out)
		}
		c := candidate(i, tool, dir, cache, all)
		var r bench.Runner
		if m.cold[i], err = r.Measure(ctx, &c); err != nil {
			return nil, err
		}
		for range rounds {
			u, err := r.Measure(ctx, &c)
			if err != nil {
				return nil, err
			}
			m.warm[i] = append(m.warm[i], u)
		}
		if err := os.RemoveAll(cache); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func candidate(i int, tool, dir, cache string, modules []string) bench.Candidate {
	argv := []string{"env", "GOCACHE=" + cache, "TOOL=" + tool}
	switch i {
	case 0:
		argv = append(append(argv, "sh"), inEach("go vet ./...", modules)...)
	case 1:
		argv = append(append(argv, "sh"), inEach(`go vet -vettool="$TOOL" ./...`, modules)...)
	case 2:
		argv = append(argv, tool, "vet", "-q", "./...")
	}
	return bench.Candidate{Name: names[i], Argv: argv, Dir: dir, OK: []int{0, 1, 3}}
}

// inEach are the arguments of a shell that runs a command in each folder.
func inEach(command string, folders []string) []string {
	script := `for d in "$@"; do (cd "$d" && ` + command + `); done`
	return append([]string{"-c", script, "sh"}, folders...)
}

// modules are the folders of all modules of a tree, as trainvet vet finds them.
func modules(top string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		base := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != top && (base == "testdata" || base == "vendor" || base == "node_modules" || base[0] == '.' || base[0] == '_'):
			return fs.SkipDir
		case base == "go.mod":
			out = append(out, filepath.Dir(name))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for modules: %w", err)
	}
	return out, nil
}

// print reports whether a bar was missed.
func (m *measured) print(name string) (missed bool) {
	fmt.Printf("%-28s %10s %10s %12s %10s\n", name, "cold CPU", "warm CPU", "largest", "cold wall")
	for i := range names {
		peak := max(m.cold[i].Peak, slices.MaxFunc(m.warm[i], func(a, b bench.Usage) int { return int(a.Peak - b.Peak) }).Peak)
		fmt.Printf("  %-26s %9.2fs %9.2fs %8d MiB %9.1fs\n", names[i], m.cold[i].CPU.Seconds(), m.warmCPU(i).Seconds(), peak>>20, m.cold[i].Wall.Seconds())
		if i == 0 {
			continue
		}
		ratio := m.cold[i].CPU.Seconds() / max(m.cold[0].CPU.Seconds(), 1e-3)
		above := m.warmCPU(i) - m.warmCPU(0)
		fmt.Printf("  %-26s %9.2fx %+9.2fs\n", "", ratio, above.Seconds())
		missed = missed || i == 1 && (ratio > coldBar || above > warmBar) || peak > peakBar
	}
	return missed
}

// warmCPU is the least of the warm runs: what else the machine does only adds.
func (m *measured) warmCPU(i int) time.Duration {
	return slices.MinFunc(m.warm[i], func(a, b bench.Usage) int { return int(a.CPU - b.CPU) }).CPU
}
