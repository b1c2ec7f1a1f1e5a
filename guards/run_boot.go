package guards

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/trainvet/trainvet/guards/record"
)

// preamble opens each file of the record: that the guards are live, and where.
func (r *Run) preamble(why string) []record.Body {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.booted = len(r.live)
	bodies := []record.Body{r.boot(why)}
	for i := range r.sites {
		s := r.sites[i]
		bodies = append(bodies, &s)
	}
	return bodies
}

// bootMore names the checks that came to life after the last boot record.
func (r *Run) bootMore() {
	if r.out == nil || !r.out.Opened() {
		return
	}
	r.mu.Lock()
	if r.booted == len(r.live) {
		r.mu.Unlock()
		return
	}
	r.booted = len(r.live)
	b := r.boot("check")
	r.mu.Unlock()
	r.write(b)
}

// boot needs the lock.
func (r *Run) boot(why string) *record.Boot {
	host, _ := os.Hostname() // none is as good as unknown
	b := &record.Boot{
		Run: filepath.Base(r.dir), Host: host, BootID: bootID(), Parent: os.Getppid(), Start: processStart(),
		Lang: "go", Runtime: runtime.Version(), Guards: version(), Argv: slices.Clone(os.Args),
		World: int(r.world.Load()), LocalRank: localRank(), Why: why, Checks: slices.Clone(r.live),
	}
	for _, c := range []string{"decode", "finite", "steps"} {
		if !slices.Contains(r.live, c) {
			b.Off = append(b.Off, record.NotLive{Check: c, Why: "not in use so far"})
		}
	}
	return b
}

// version is the version of this module as the trainer was built with it.
func version() string {
	const module = "github.com/trainvet/trainvet/guards"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, d := range info.Deps {
		if d.Path == module {
			return d.Version
		}
	}
	return ""
}
