package logscan_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/internal/demo"
	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/follow"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// live is a live audit under way.
type live struct {
	t    *testing.T
	l    *logscan.Live
	stop context.CancelFunc
	why  chan string

	mu   sync.Mutex
	news []logscan.News
}

func startLive(t *testing.T, how logscan.LiveOptions, paths ...string) *live {
	t.Helper()
	x := &live{t: t, why: make(chan string, 1)}
	how.Every = 20 * time.Millisecond
	l, err := logscan.NewLive(paths, logscan.Options{}, how, func(n logscan.News) {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.news = append(x.news, n)
	})
	require.NoError(t, err)
	x.l = l
	ctx, stop := context.WithCancel(t.Context())
	x.stop = stop
	go func() {
		why, err := l.Run(ctx)
		if err != nil {
			why = err.Error()
		}
		x.why <- why
	}()
	return x
}

func (x *live) of(kind logscan.NewsKind) []logscan.News {
	x.mu.Lock()
	defer x.mu.Unlock()
	var out []logscan.News
	for _, n := range x.news {
		if n.Kind == kind {
			out = append(out, n)
		}
	}
	return out
}

// wait waits for news of a kind.
func (x *live) wait(kind logscan.NewsKind, n int) {
	x.t.Helper()
	require.Eventually(x.t, func() bool { return len(x.of(kind)) >= n }, 20*time.Second, 5*time.Millisecond, "%s", kind)
}

// finish ends the run and returns the final result.
func (x *live) finish() *verdict.Result {
	x.t.Helper()
	x.stop()
	<-x.why
	res, _, err := x.l.Final(x.t.Context(), logscan.Options{})
	require.NoError(x.t, err)
	return res
}

func add(t *testing.T, path string, text []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	require.NoError(t, err)
	_, err = f.Write(text)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

func plainAudit(t *testing.T, paths ...string) *verdict.Result {
	t.Helper()
	res, _, err := logscan.Audit(t.Context(), paths, nil, logscan.Options{})
	require.NoError(t, err)
	return res
}

// sameResult compares by JSON: values that are not finite are equal there.
func sameResult(t *testing.T, want, got *verdict.Result) {
	t.Helper()
	a, err := json.MarshalIndent(want, "", " ")
	require.NoError(t, err)
	b, err := json.MarshalIndent(got, "", " ")
	require.NoError(t, err)
	require.Equal(t, string(a), string(b))
}

func shortClaims(r *verdict.Result) (out [][3]string) {
	for _, c := range r.Claims {
		why := ""
		if len(c.Why) > 0 {
			why = c.Why[0].Code
		}
		out = append(out, [3]string{c.Name, c.Verdict.String(), why})
	}
	return out
}

// faultAt is where the demo's fault line begins.
func faultAt(t *testing.T, log []byte) int {
	t.Helper()
	at := bytes.Index(log, []byte("command buffer"))
	require.Positive(t, at)
	return bytes.LastIndexByte(log[:at], '\n') + 1
}

// TestLiveSaysTheFaultWhenItIsWritten, once, and the verdict of the claims as it
// changes; the verdict at the end is that of a plain audit.
func TestLiveSaysTheFaultWhenItIsWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "train.log")
	log := demo.Log()
	at := faultAt(t, log)
	x := startLive(t, logscan.LiveOptions{}, path)
	x.wait(logscan.NewsWaiting, 1)
	add(t, path, log[:at])
	x.wait(logscan.NewsVerdict, 1)
	require.Empty(t, x.of(logscan.NewsFault))
	for _, n := range x.of(logscan.NewsVerdict) {
		require.NotEqual(t, verdict.Poisoned, n.Subject.Verdict)
	}
	add(t, path, log[at:])
	x.wait(logscan.NewsFault, 1)
	require.Contains(t, x.of(logscan.NewsFault)[0].Text, "command buffer")
	res := x.finish()
	require.Len(t, x.of(logscan.NewsFault), 1)
	sameResult(t, plainAudit(t, path), res)
	require.Equal(t, verdict.Poisoned, res.Headline)
	last := map[string]verdict.Verdict{}
	for _, n := range x.of(logscan.NewsVerdict) {
		last[n.Subject.Name] = n.Subject.Verdict
	}
	for _, c := range res.Claims {
		require.Equal(t, c.Verdict, last[c.Name], "what was said live of %s", c.Name)
	}
	require.Empty(t, x.of(logscan.NewsGap))
}

// TestLiveEvidenceIsThatOfAPlainAudit: recorded logs come in pieces, and what was
// said last of each claim is what a plain audit says.
func TestLiveEvidenceIsThatOfAPlainAudit(t *testing.T) {
	t.Parallel()
	logs, err := filepath.Glob("../testdata/runs/*/run/*.log")
	require.NoError(t, err)
	more, err := filepath.Glob("../testdata/runs/*/run/*.txt")
	require.NoError(t, err)
	logs = append(logs, more...)
	require.NotEmpty(t, logs)
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range logs {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		if len(text) == 0 {
			continue
		}
		path := filepath.Join(t.TempDir(), filepath.Base(name))
		add(t, path, nil)
		x := startLive(t, logscan.LiveOptions{}, path)
		x.wait(logscan.NewsSource, 1)
		for at := 0; at < len(text); {
			n := min(1+r.IntN(1+len(text)/3), len(text)-at)
			add(t, path, text[at:at+n])
			at += n
		}
		plain := plainAudit(t, path)
		want := map[string]verdict.Verdict{}
		for _, c := range plain.Claims {
			want[c.Name+c.Split+c.Ranks] = c.Verdict
		}
		sameResult(t, plain, x.finish())
		got := map[string]verdict.Verdict{}
		for _, n := range x.of(logscan.NewsVerdict) {
			got[n.Subject.Name+n.Subject.Split+n.Subject.Ranks] = n.Subject.Verdict
		}
		for key, v := range want {
			require.Equal(t, v, got[key], "%s: %s", name, key)
		}
	}
}

// TestWhatWasSeenBeforeACutCounts: the file no longer holds the fault, the
// audit still knows of it, and no value behind the gap is trusted.
func TestWhatWasSeenBeforeACutCounts(t *testing.T) {
	t.Parallel()
	fault := "Error: command buffer exited with error status.\n\tError: Caused GPU Timeout Error (00000002:kIOGPUCommandBufferCallbackErrorTimeout)\n"
	train := "{'loss': 0.5, 'epoch': 1.0}\n{'eval_loss': 0.4, 'epoch': 1.0}\n"
	later := "{'loss': 0.4, 'epoch': 2.0}\n{'eval_loss': 0.3, 'epoch': 2.0}\n"
	for _, tt := range []struct {
		name, first string
		want        verdict.Verdict
	}{
		{"healthy", train, verdict.Unproven},
		{"with a fault", train + fault, verdict.Poisoned},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "train.log")
			add(t, path, []byte(tt.first))
			x := startLive(t, logscan.LiveOptions{}, path)
			x.wait(logscan.NewsVerdict, 1)
			if tt.want == verdict.Poisoned {
				x.wait(logscan.NewsFault, 1)
			}
			require.NoError(t, os.Truncate(path, 0))
			x.wait(logscan.NewsGap, 1)
			add(t, path, []byte(later))
			require.Eventually(t, func() bool {
				for _, n := range x.of(logscan.NewsVerdict) {
					if n.Subject.Verdict == tt.want {
						return true
					}
				}
				return false
			}, 20*time.Second, 5*time.Millisecond)
			res := x.finish()
			require.Equal(t, tt.want, res.Headline, "%v", shortClaims(res))
			require.Equal(t, verdict.Trusted, plainAudit(t, path).Headline, "what an audit of the file alone would say")
		})
	}
}

// TestRotationKeepsWhatWasRead: the first file is gone from the paths, its
// claims are not.
func TestRotationKeepsWhatWasRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "train.log")
	add(t, path, []byte("{'loss': 0.5, 'epoch': 1.0}\n{'eval_loss': 0.4, 'epoch': 1.0}\n{'eval_wer': 0.2, 'epo"))
	x := startLive(t, logscan.LiveOptions{}, path)
	x.wait(logscan.NewsVerdict, 1)
	require.NoError(t, os.Rename(path, path+".1"))
	add(t, path, []byte("{'loss': 0.4, 'epoch': 2.0}\n"))
	x.wait(logscan.NewsGap, 1)
	res := x.finish()
	require.Equal(t, [][3]string{{"eval_loss", "TRUSTED", ""}}, shortClaims(res)[:1])
}

// TestLateLinesTearNoOthers: a writer that holds the renamed file goes on; its
// lines are read, whole, and that their order is lost is said.
func TestLateLinesTearNoOthers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "train.log")
	late, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	require.NoError(t, err)
	defer late.Close()
	write := func(text string) {
		_, err := late.WriteString(text)
		require.NoError(t, err)
	}
	write("{'loss': 0.5, 'epoch': 1.0}\n{'eval_loss': 0.4, 'epoch': 1.0}\n")
	x := startLive(t, logscan.LiveOptions{Follow: follow.Options{Grace: 50 * time.Millisecond}}, path)
	x.wait(logscan.NewsVerdict, 1)
	require.NoError(t, os.Rename(path, path+".1"))
	add(t, path, []byte("{'eval_wer': 0.2, 'epo"))
	x.wait(logscan.NewsGap, 1)
	write("{'eval_cer': 0.1, 'epoch': 2.0}\n{'eval_bleu")
	x.wait(logscan.NewsGap, 2)
	require.Contains(t, x.of(logscan.NewsGap)[1].Text, "late")
	add(t, path, []byte("ch': 2.0}\n"))
	write("': 30.5, 'epoch': 2.0}\n")
	res := x.finish()
	got := map[string]string{}
	for _, c := range res.Claims {
		got[c.Name] = c.Text + " " + c.Verdict.String()
	}
	require.Equal(t, map[string]string{"eval_loss": "0.4 TRUSTED", "eval_wer": "0.2 UNPROVEN", "eval_cer": "0.1 UNPROVEN", "eval_bleu": "30.5 UNPROVEN"}, got)
}

func TestLiveEnds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		how  logscan.LiveOptions
		more string
		why  string
	}{
		"a line":  {logscan.LiveOptions{Until: "training done"}, "INFO training done.\n", `a line holds "training done"`},
		"silence": {logscan.LiveOptions{Idle: 300 * time.Millisecond}, "", "nothing was written for 300ms"},
		"polling": {logscan.LiveOptions{Until: "done", Follow: follow.Options{Poll: true}}, "done\n", `a line holds "done"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "train.log")
			add(t, path, []byte("{'loss': 0.5, 'epoch': 1.0}\n"))
			x := startLive(t, tt.how, path)
			x.wait(logscan.NewsSource, 1)
			add(t, path, []byte(tt.more))
			require.Equal(t, tt.why, <-x.why)
		})
	}
}

// TestLiveOfARunDirectory ends with its trailer, and a rank that begins to write
// late is followed too.
func TestLiveOfARunDirectory(t *testing.T) {
	t.Parallel()
	whole := filepath.Join(t.TempDir(), "whole")
	require.NoError(t, demo.Write(whole, demo.Log()))
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, os.CopyFS(dir, os.DirFS(whole)))
	trailer := filepath.Join(dir, "trailer.json")
	text, err := os.ReadFile(trailer)
	require.NoError(t, err)
	require.NoError(t, os.Remove(trailer))
	at := faultAt(t, demo.Log())
	require.NoError(t, os.Truncate(filepath.Join(dir, "run.log"), int64(at)))
	x := startLive(t, logscan.LiveOptions{}, dir)
	x.wait(logscan.NewsVerdict, 1)
	for _, n := range x.of(logscan.NewsVerdict) {
		require.NotEqual(t, verdict.Poisoned, n.Subject.Verdict)
	}
	add(t, filepath.Join(dir, "run.log"), demo.Log()[at:])
	x.wait(logscan.NewsFault, 1)
	require.NoError(t, os.WriteFile(trailer, text, 0o600))
	require.Equal(t, "the run was closed", <-x.why)
	res, _, err := x.l.Final(t.Context(), logscan.Options{})
	require.NoError(t, err)
	sameResult(t, plainAudit(t, dir), res)
}
