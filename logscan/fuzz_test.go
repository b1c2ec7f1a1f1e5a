package logscan

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/source"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// FuzzAuditText: whatever a console log holds, a result comes out that can be
// written down, and the text of a value is text of the log.
func FuzzAuditText(f *testing.F) {
	e, err := newEngine(&Options{})
	require.NoError(f, err)
	e.rows = maxRows(1, false)
	cfg := verdict.DefaultConfig()
	for _, seed := range []string{
		"step 1 loss 2.5\nstep 2 loss nan\nError: command buffer exited with error status.\nval loss 0.9\ntest accuracy 0.8919 (33/37)\n",
		"{'loss': 0.5, 'grad_norm': inf, 'epoch': 1.0}\r{'eval_loss': 0.4}\nOVERFLOW! Rank 0 Skipping step. Attempted loss scale: 2, reducing to 1\n",
		"[rank1]: RuntimeError: CUDA error: device-side assert triggered\n2026-01-02 10:11:12,000 INFO Resuming from out/step400.ckpt\n2026-01-02 10:11:13,000 INFO step 400 loss 0.5\n",
		"Epoch 1:  50%|#####     | 5/10 [00:01<00:01, 3.2it/s, v_num=0, train_loss=0.5]\b\b\x1b[A\x00\xff|  Test metric | DataLoader 0 |\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		c := newCollector(&evidence.Source{ID: "run.log", Kind: string(source.Console)}, e.rows)
		p := e.newTextPass(c)
		if err := e.readWhole(context.Background(), &source.Input{ID: "run.log"}, bytes.NewReader(in), p); err != nil {
			t.Fatal(err)
		}
		p.finish()
		ev := c.finish()
		res, err := verdict.Judge(&ev, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Claims) == 0 && res.Headline == verdict.Trusted {
			t.Fatal("nothing was found and it is trusted")
		}
		for _, v := range []any{res, ev} {
			if _, err := json.Marshal(v); err != nil {
				t.Fatal(err)
			}
		}
		if plainText(in) {
			textsAreOfTheLog(t, &ev, string(in))
		}
	})
}

// plainText: cleaning leaves it as it is.
func plainText(b []byte) bool {
	for _, c := range b {
		if c != '\n' && (c < ' ' || c > '~') {
			return false
		}
	}
	return true
}

func textsAreOfTheLog(t *testing.T, ev *evidence.Evidence, log string) {
	for i := range ev.Tracks {
		if strings.HasPrefix(ev.Tracks[i].Format, evidence.SkipFormat) {
			continue // counts, not texts
		}
		for _, row := range ev.Tracks[i].Rows {
			for _, cell := range row.Cells {
				if !strings.Contains(log, cell.Text) {
					t.Fatalf("%q is not in %q", cell.Text, log)
				}
			}
		}
	}
	for i := range ev.Markers {
		if m := &ev.Markers[i]; !strings.Contains(log, strings.TrimSpace(m.Text)) {
			t.Fatalf("marker %s: %q is not in %q", m.ID, m.Text, log)
		}
	}
}
