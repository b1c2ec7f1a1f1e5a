package ledger

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// replayVariable lists git folders of Go repositories, for the measurement
// that match speaks of:
//
//	TRAINVET_REPLAY=/src/ollama/.git:/src/gomlx/.git go test ./analyzers/ledger -run Replay -v
const replayVariable = "TRAINVET_REPLAY"

// snapshots is how many commits of each history are compared, one after the other.
const snapshots = 40

// TestReplay follows the calls of real histories. Each call of a snapshot gets
// an exemption of its own; git's line map says which call of the next snapshot
// is the same; the ladder must find it or none.
func TestReplay(t *testing.T) {
	list := os.Getenv(replayVariable)
	if list == "" {
		t.Skip("no histories: " + replayVariable)
	}
	for _, dir := range filepath.SplitList(list) {
		h := history{dir: dir, calls: map[string][]placed{}}
		var n outcome
		var before snapshot
		for i, commit := range h.commits() {
			now := h.snapshot(commit)
			if i > 0 {
				h.compare(before, now, &n)
			}
			before = now
		}
		t.Logf("%s: %d calls stayed, %d kept their row, %d of them suspended, %d without", dir, n.stayed, n.kept, n.suspended, n.stayed-n.kept-n.paired)
		require.NotZero(t, n.stayed, "%s: nothing to follow", dir)
		require.Empty(t, n.wrong, "exemptions that hold for another call")
	}
}

// placed is a call with the lines that it stands on.
type placed struct {
	call
	line, last int
}

type snapshot struct {
	commit string
	calls  []placed
}

type outcome struct {
	stayed, kept, suspended int
	paired                  int // with another call, suspended
	wrong                   []string
}

type history struct {
	dir   string
	calls map[string][]placed // by blob and path
}

func (h history) git(args ...string) []string {
	out, err := exec.Command("git", append([]string{"--git-dir=" + h.dir, "-c", "core.quotePath=false"}, args...)...).Output()
	if err != nil && len(out) == 0 {
		return nil // grep finds nothing
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// commits are spread over the last four fifths of the first-parent line.
func (h history) commits() (out []string) {
	all := h.git("rev-list", "--first-parent", "--reverse", "HEAD")
	all = all[len(all)/5:]
	for i := 0; i < len(all); i += max(1, len(all)/snapshots) {
		out = append(out, all[i])
	}
	return out
}

func (h history) snapshot(commit string) snapshot {
	s := snapshot{commit: commit}
	blobs := map[string]string{}
	for _, line := range h.git("ls-tree", "-r", commit) {
		if meta, name, ok := strings.Cut(line, "\t"); ok && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			blobs[name] = strings.Fields(meta)[2]
		}
	}
	for _, line := range h.git("grep", "-lE", replayCalls, commit, "--", "*.go") {
		_, name, _ := strings.Cut(line, ":")
		blob := blobs[name]
		if blob == "" {
			continue
		}
		key := blob + " " + name
		if _, ok := h.calls[key]; !ok {
			h.calls[key] = readCalls(name, strings.Join(h.git("cat-file", "blob", blob), "\n"))
		}
		s.calls = append(s.calls, h.calls[key]...)
	}
	return s
}

func plainCalls(list []placed) []call {
	out := make([]call, len(list))
	for i, p := range list {
		out[i] = p.call
		out[i].number = i
	}
	return out
}

// compare follows the calls of one snapshot into the next.
func (h history) compare(a, b snapshot, n *outcome) {
	truth := h.truth(a, b)
	old, now := plainCalls(a.calls), plainCalls(b.calls)
	p := match(keys(now), rowsFor(old), wholeTree(now))
	for s, r := range p.rows {
		want, stayed := truth[r]
		switch holds := p.how[s] == Same || p.how[s] == Moved; {
		case r < 0 || !stayed:
		case want == s:
			n.kept++
			if !holds {
				n.suspended++
			}
		case holds:
			n.wrong = append(n.wrong, fmt.Sprintf("%s..%s: %v at line %d holds for line %d", a.commit[:9], b.commit[:9], old[r], a.calls[r].line, b.calls[s].line))
		default:
			n.paired++
		}
	}
	n.stayed += len(truth)
}

// truth is the same call in the next snapshot, by git's line map: none of its
// lines was changed.
func (h history) truth(a, b snapshot) map[int]int {
	lines := h.lineMap(a.commit, b.commit)
	at := map[string][]int{}
	for i, p := range b.calls {
		key := fmt.Sprintf("%s:%d", p.path, p.line)
		at[key] = append(at[key], i)
	}
	out, used := map[int]int{}, map[int]bool{}
	for i, p := range a.calls {
		path, line, ok := lines.follow(p)
		if !ok {
			continue
		}
		for _, j := range at[fmt.Sprintf("%s:%d", path, line)] {
			if c := b.calls[j]; !used[j] && c.kind == p.kind && c.callee == p.callee && c.shape == p.shape {
				out[i], used[j] = j, true
				break
			}
		}
	}
	return out
}
