package machine

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"
)

// Before is what the machine is like before a run. Whatever could not be
// looked at is said: what was not seen is not known to be absent.
type Before struct {
	BootID      string // of the kernel; empty: not readable
	Container   string // docker, kubernetes …; empty: none was seen
	InitialPids bool   // the process stands in the machine's first pid namespace
	Seen        []Seen // stuck processes, stale contexts, kernel fault lines
	Unseen      []Seen // what could not be looked at, and why
}

// Seen is one thing that was looked at.
type Seen struct {
	Kind SeenKind
	Text string
}

// SeenKind says what was looked at.
type SeenKind string

// What a preflight looks at.
const (
	SeenStuck   SeenKind = "stuck-process" // it waits in the kernel and does not come back
	SeenContext SeenKind = "stale-context" // a process that is gone still has memory on a device
	SeenKernel  SeenKind = "kernel-line"   // a fault that the kernel has logged since it was booted
)

// budget is what a preflight may take. What takes longer is unseen.
const budget = 180 * time.Millisecond

// look is one thing to look at.
type look struct {
	kind SeenKind
	do   func(ctx context.Context) (found []string, unseen string)
}

// Preflight looks at this machine, in under 200 ms, whatever hangs.
func Preflight(ctx context.Context) Before {
	p := Before{BootID: BootID(), Container: container(), InitialPids: initialPids()}
	p.run(ctx, budget, []look{
		{SeenStuck, stuckProcesses},
		{SeenContext, staleContexts},
		{SeenKernel, kernelFaults},
	})
	return p
}

// run does all looks at the same time. One that hangs is left behind: it may
// wait in the kernel, where nothing can end it.
func (p *Before) run(ctx context.Context, within time.Duration, looks []look) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	var mu sync.Mutex
	done := make(chan int, len(looks))
	found := make([][]string, len(looks))
	unseen := make([]string, len(looks))
	for i, l := range looks {
		unseen[i] = "it took longer than " + within.String()
		go func() {
			f, u := l.do(ctx)
			mu.Lock()
			found[i], unseen[i] = f, u
			mu.Unlock()
			done <- i
		}()
	}
	for range looks {
		select {
		case <-done:
			continue
		case <-ctx.Done():
		}
		break
	}
	mu.Lock()
	defer mu.Unlock()
	for i, l := range looks {
		for _, text := range found[i] {
			p.Seen = append(p.Seen, Seen{l.kind, text})
		}
		if unseen[i] != "" {
			p.Unseen = append(p.Unseen, Seen{l.kind, unseen[i]})
		}
	}
}

//go:embed kernel.txt
var kernelTable string

// maxKernel bounds the kernel lines that are kept: the last ones.
const maxKernel = 16

// kernelPatterns are the lines of kernel.txt: fragments, all of which a line holds.
func kernelPatterns() [][]string {
	var all [][]string
	for line := range strings.Lines(kernelTable) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, strings.Split(line, " & "))
		}
	}
	return all
}

// faultLines picks the lines of a kernel log that tell of a fault.
func faultLines(log string) []string {
	patterns := kernelPatterns()
	var found []string
	for line := range strings.Lines(log) {
		line = withoutLevel(strings.TrimSpace(line))
		if slices.ContainsFunc(patterns, func(p []string) bool { return holdsAll(line, p) }) {
			found = append(found, line)
		}
	}
	return found[max(0, len(found)-maxKernel):]
}

// withoutLevel takes off the priority that the ring buffer puts first: <3>.
func withoutLevel(line string) string {
	if level, rest, ok := strings.Cut(line, ">"); ok && len(level) > 1 && len(level) <= 4 && level[0] == '<' {
		return rest
	}
	return line
}

func holdsAll(line string, fragments []string) bool {
	return !slices.ContainsFunc(fragments, func(f string) bool { return !strings.Contains(line, f) })
}
