package metric

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

func TestNormalise(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"lm loss": "lm_loss", "%WER": "wer", "valid hit@1": "valid_hit@1", "TFLOPs": "tflops", "Loss x": "loss_x",
		"losses/total_loss": "losses/total_loss", "samples per second": "samples_per_second", "mIoU": "miou",
		"Loss/train_mean_inlier_rep_error": "loss/train_mean_inlier_rep_error", "F1-score": "f1_score",
		"metrics/mAP50-95(B)": "metrics/map50_95(b)", "'val_wer'": "val_wer", "valid_0's auc": "valid_0_auc",
		"elapsed time per iteration (ms)": "elapsed_time_per_iteration", "train_step_timing in s": "train_step_timing",
		"Batch (t)": "batch_t", "~loss": "~loss",
	} {
		require.Equal(t, want, Normalise(printed), printed)
	}
}

func TestClassify(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct {
		name, phase string
		role        evidence.Role
		kind        evidence.Kind
		split       Split
		window      evidence.Window
	}{
		{"loss", "", evidence.Series, evidence.KindLoss, "", evidence.Instant},
		{"loss", "val", evidence.Eval, evidence.KindLoss, "val", evidence.Instant},
		{"eval_loss", "", evidence.Eval, evidence.KindLoss, "val", evidence.Instant},
		{"train/loss_ce", "", evidence.Series, evidence.KindLoss, "train", evidence.Instant},
		{"best_val_acc", "", evidence.Final, evidence.KindAccuracy, "val", evidence.Best},
		{"test_wer", "", evidence.Final, evidence.KindError, "test", evidence.Instant},
		{"eval_foo_bar", "", evidence.Eval, evidence.KindOther, "val", evidence.Instant},
		{"foo_bar", "", evidence.Diagnostic, evidence.KindOther, "", evidence.Instant},
		{"grad_norm", "", evidence.Diagnostic, evidence.KindNorm, "", evidence.Instant},
		{"optim0_lr0", "", evidence.Diagnostic, evidence.KindRate, "", evidence.Instant},
		{"loss_scale", "", evidence.Diagnostic, evidence.KindScale, "", evidence.Instant},
		{"eval_samples_per_second", "", evidence.Speed, evidence.KindSpeed, "val", evidence.Instant},
		{"val/box_loss", "", evidence.Eval, evidence.KindLoss, "val", evidence.Instant},
		{"metrics/mAP50-95(B)", "", evidence.Eval, evidence.KindAccuracy, "", evidence.Instant},
		{"train_loss_epoch", "", evidence.Series, evidence.KindLoss, "train", evidence.Epoch},
		{"ep_rew_mean", "", evidence.Series, evidence.KindReward, "", evidence.Instant},
		{"number of skipped iterations", "", evidence.Diagnostic, evidence.KindSkips, "", evidence.Interval},
	} {
		role, kind, split, window := c.Classify(tc.name, tc.phase)
		require.Equal(t, tc.role, role, tc.name)
		require.Equal(t, tc.kind, kind, tc.name)
		require.Equal(t, tc.split, split, tc.name)
		require.Equal(t, tc.window, window, tc.name)
	}
}

// TestLoadTakesTheUsersRows: a new framework is a line of data.
func TestLoadTakesTheUsersRows(t *testing.T) {
	t.Parallel()
	rows := "ours\tour trainer\t@@ \tre:^@@ (?P<step>\\d+) (?P<zap>[\\d.]+) (?P<val_zap>[\\d.]+)\n" +
		"word\tzap\tloss\n"
	c, err := Load(strings.NewReader(rows))
	require.NoError(t, err)
	require.Equal(t, "1 ours step=12\n  zap = 0.5  series loss instant\n  val_zap = 0.6  eval loss val instant\n",
		render(read(t, c, "@@ 12 0.5 0.6\n")))
}

func TestLoadNamesTheBadRow(t *testing.T) {
	t.Parallel()
	for rows, want := range map[string]string{
		"\nours\tx\t@@ \tre:(":            "line 2",
		"ours\tx\t@\tkv":                  "anchor",
		"ours\tx\t@@ \tglob:*":            "neither kv nor re:",
		"counter\tfoo\tstep\t\tmany":      "priority of counter foo",
		"counter\tfoo\tweek\t\t3":         "not step or epoch",
		"unit\tfortnights\tspeed\t\ttwo":  "factor of unit fortnights",
		"word\t":                          "without pattern",
		"ours\tx\tstep 12: \tre:^(?P<a>)": "digit",
	} {
		_, err := Load(strings.NewReader(rows))
		var row *RowError
		require.ErrorAs(t, err, &row, rows)
		require.ErrorContains(t, err, want)
	}
}

// TestEvalAnchors: what the chunk filter looks for stands in, or at most
// three lines above, every evaluation line of the corpora, save those whose
// name is short and names no split.
func TestEvalAnchors(t *testing.T) {
	t.Parallel()
	c := load(t)
	anchors := c.EvalAnchors()
	require.Less(t, len(anchors), 1100)
	for _, a := range anchors {
		require.GreaterOrEqual(t, len(a), minAnchor, a)
	}
	var missed []string
	for _, path := range []string{"testdata/examples.txt", "testdata/frameworks.txt"} {
		for _, s := range sections(t, path) {
			lines := strings.Split(s.text, "\n")
			for _, rec := range read(t, c, s.text) {
				if quotable(&rec) && !near(lines, int(rec.Line), anchors) {
					missed = append(missed, s.name)
				}
			}
		}
	}
	require.LessOrEqual(t, len(missed), 12, strings.Join(missed, " "))
}

// TestFilterAnchors: an anchor of eight bytes is made longer where its format lets
// nothing but a number follow, and only there.
func TestFilterAnchors(t *testing.T) {
	t.Parallel()
	anchors := map[string][]string{}
	for _, f := range load(t).formats.rows {
		anchors[f.id] = f.filterAnchors()
	}
	require.Len(t, anchors["gluoncv-epoch"], 13)
	for _, begin := range []string{"0", "9", "-", "n", "i"} {
		require.Contains(t, anchors["gluoncv-epoch"], "] train="+begin)
	}
	require.Equal(t, []string{"] loss: "}, anchors["torch-tutorial"], "what follows is no number alone")
	require.Equal(t, []string{"val loss "}, anchors["llmc-val"], "nine bytes")
}

func quotable(rec *Record) bool {
	for i := range rec.Fields {
		if f := &rec.Fields[i]; f.Role == evidence.Eval || f.Role == evidence.Final {
			return true
		}
	}
	return false
}

func near(lines []string, no int, anchors []string) bool {
	text := strings.ToLower(strings.Join(lines[max(0, no-4):min(len(lines), no+1)], "\n"))
	for _, a := range anchors {
		if strings.Contains(text, strings.ToLower(a)) {
			return true
		}
	}
	return false
}
