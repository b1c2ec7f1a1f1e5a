package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	logText   = "step 1 loss 2.31\nstep 2 loss 2.11\n"
	stateText = "{\n  \"epoch\": 1.0,\n  \"global_step\": %STEP%,\n  \"is_world_process_zero\": true,\n  \"log_history\": []\n}\n"
)

func state(step string) string { return strings.ReplaceAll(stateText, "%STEP%", step) }

// tree writes files (path -> content) into a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return root
}

func expand(t *testing.T, opt Options, paths ...string) (*Set, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return Expand(ctx, paths, strings.NewReader(""), opt)
}

// kinds lists "rel kind" of a set's inputs.
func kinds(root string, s *Set) map[string]Kind {
	got := map[string]Kind{}
	for _, in := range s.Inputs {
		got[strings.TrimPrefix(in.ID, filepath.ToSlash(root)+"/")] = in.Kind
	}
	return got
}

func TestKinds(t *testing.T) {
	t.Parallel()
	tfevents := "\x18\x00\x00\x00\x00\x00\x00\x00\xa3\x7f\x4b\x22\x09\x00\x00\xc0\x1e\x00\x00\x00\x00\x1a\x0dbrain.Event:2\x00\x00\x00\x00"
	versionless := "\x1e\x00\x00\x00\x00\x00\x00\x00\xd9\xdc\x12\x32\x09\x00\x00\x80\xee\xea\x53\xd8\x41\x2a\x13\x0a\x11\x0a\x04RMSE\x15\x53\x1a\xa9\x47" // CatBoost begins with a value
	files := map[string]struct {
		text string
		want Kind
	}{
		"learn/events.out.tfevents":    {versionless, TFEvents},
		"train.log":                    {logText, Console},
		"nohup.out":                    {logText, Console},
		"notes_of_run":                 {logText, Console},
		"train.log.1":                  {logText, Console},
		"dict.log":                     {"{'loss': 2.0, 'epoch': 1.0}\n{'loss': 1.0, 'epoch': 2.0}\n", Console},
		"json_in_console.log":          {"{\"loss\": 2.0}\nstarting\nsaving\nloading\nready\n", Console},
		"dmesg.txt":                    {"[    1.000001] usb 1-1: new device\n[    2.000001] NVRM: loading\n", Kernel},
		"kern.log":                     {"Jan  2 10:11:12 n1 kernel: a\nJan  2 10:11:13 n1 kernel: b\n", Kernel},
		"slurmd.log":                   {"slurmstepd: error: a\nslurmstepd: error: b\n", Slurm},
		"pod.log":                      {"{\"log\":\"loss 1\\n\",\"stream\":\"stderr\",\"time\":\"2026-01-02T10:11:12.1Z\"}\n", Console},
		"trainer_state.json":           {state("20"), TrainerState},
		"all_results.json":             {"{\"eval_loss\": 1.0, \"epoch\": 3.0}", HFResults},
		"runs/events.out.tfevents.1.n": {tfevents, TFEvents},
		"metrics.csv":                  {"epoch,step,train_loss,val_loss\n0,49,0.6931,\n0,117,,0.5127\n", CSV},
		"progress.txt":                 {"epoch\tloss\tacc\n1\t0.5\t0.6\n2\t0.4\t0.7\n", CSV},
		"trainer_log.jsonl":            {"{\"loss\": 1.0, \"current_steps\": 1}\n{\"loss\": 0.9, \"current_steps\": 2}\n", JSONL},
		"settings-first.txt":           {"{\n  \"lr\": 0.1\n}\n{\n  \"bs\": 4\n}\nepoch 1 loss 0.5\n", Console},
		"scalars.json":                 {"{\"loss\": 1.0, \"step\": 1}\n{\"loss\": 0.9, \"step\": 2}\n", JSONL},
		"metrics.json":                 {"{\n \"accuracy\": 0.91\n}\n", JSON},
		"mlruns/0/0123456789abcdef0123456789abcdef/metrics/eval/loss": {"1700000000123 0.4127 120\n1700000000999 nan 121\n", MLflow},
		"wandb/run-20260102_101112-abcd/run-abcd.wandb":               {":W&B\xe1\xbe\x00rest", Wandb},
		"wandb/run-20260102_101112-abcd/files/wandb-summary.json":     {"{\"_runtime\": 3, \"_step\": 4, \"_wandb\": {}, \"loss\": 1.0}", WandbSummary},
		"nb.ipynb": {"{\n \"cells\": [\n  {\n   \"cell_type\": \"code\"}], \"nbformat\": 4}", Notebook},
	}
	passed := map[string]string{
		"config.json": "{\"loss\": 1.0}", "train.py": "loss = 0.5", "README.md": "loss: 0.5", "vocab.txt": "a\nb\n",
		"prose.txt": "It was a bright cold day in April.\nThe clocks were striking thirteen.\n", "model.safetensors": "\x08\x00\x00\x00\x00\x00\x00\x00{}",
		"data.csv": "text,label\nhello,1\nworld,0\n", "data.jsonl": "{\"text\": \"a\"}\n", "pytorch_model.bin": "PK\x03\x04", "image.dat": "\x00\x01\x02\x03\x04\x05\x06\x07",
		".git/HEAD.log": logText,
	}
	all := map[string]string{}
	want := map[string]Kind{}
	for name, f := range files {
		all[name], want[name] = f.text, f.want
	}
	for name, text := range passed {
		all[name] = text
	}
	root := tree(t, all)
	set, err := expand(t, Options{}, root)
	require.NoError(t, err)
	require.Equal(t, want, kinds(root, set))
	require.Empty(t, set.Unread)
	require.Equal(t, []string{root}, set.Groups())
	for _, in := range set.Inputs {
		if in.Kind == MLflow {
			require.Equal(t, "eval/loss", in.Member)
		}
	}
}

func TestNamedFilesAreReadWhateverTheyAreCalled(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"config.json": "{\"loss\": 1.0}", "a.py": logText, "b.md": logText, "e.log": "", "m.pt": "PK\x03\x04", "x.dat": "\x00\x01\x02\x03\x04\x05\x06\x07"})
	var paths []string
	for _, name := range []string{"config.json", "a.py", "b.md", "e.log", "m.pt", "x.dat", "a.py"} {
		paths = append(paths, filepath.Join(root, name))
	}
	set, err := expand(t, Options{}, paths...)
	require.NoError(t, err)
	require.Equal(t, map[string]Kind{"config.json": JSON, "a.py": Console, "b.md": Console, "e.log": Empty}, kinds(root, set))
	require.Len(t, set.Unread, 2)
	require.Contains(t, set.Unread[0].Why, "checkpoint")
	require.Contains(t, set.Unread[1].Why, "binary")
}

func TestMissingPathIsAnError(t *testing.T) {
	t.Parallel()
	_, err := expand(t, Options{}, filepath.Join(t.TempDir(), "nothing"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestLinks(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"a/train.log": logText})
	require.NoError(t, os.Symlink("..", filepath.Join(root, "a", "up")))
	require.NoError(t, os.Symlink("self", filepath.Join(root, "self")))
	require.NoError(t, os.Symlink("nowhere", filepath.Join(root, "dangling")))
	require.NoError(t, os.Symlink("a", filepath.Join(root, "A-latest")))
	require.NoError(t, os.Symlink("a/train.log", filepath.Join(root, "0.log")))
	set, err := expand(t, Options{}, root, filepath.Join(root, "a", "train.log"))
	require.NoError(t, err)
	require.Equal(t, map[string]Kind{"a/train.log": Console}, kinds(root, set))
	why := map[string]string{}
	for _, u := range set.Unread {
		why[strings.TrimPrefix(u.Path, filepath.ToSlash(root)+"/")] = u.Why
	}
	require.Len(t, why, 3)
	require.Contains(t, why["a/up"], "leads back")
	require.Contains(t, why["self"], "leads back")
	require.Contains(t, why["dangling"], "nowhere")
}

func TestStandardInput(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(logText, 10000)
	set, err := Expand(context.Background(), []string{"-"}, strings.NewReader(long), Options{})
	require.NoError(t, err)
	require.Len(t, set.Inputs, 1)
	require.Equal(t, Console, set.Inputs[0].Kind)
	require.Equal(t, long, readAll(t, &set.Inputs[0]))

	set, err = Expand(context.Background(), []string{"-"}, bytes.NewReader(gzipBytes(t, long)), Options{})
	require.NoError(t, err)
	require.Equal(t, long, readAll(t, &set.Inputs[0]))
}

func readAll(t *testing.T, in *Input) string {
	t.Helper()
	r, err := in.Open(context.Background())
	require.NoError(t, err)
	defer r.Close()
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(b)
}

func TestPairing(t *testing.T) {
	t.Parallel()
	type want struct {
		stream, host, job string
		rank              int
	}
	for path, w := range map[string]want{
		"run/none_abc/attempt_0/3/stderr.log": {"err", "", "none_abc", 3},
		"attempt_0/12/stdout.log":             {"out", "", "", 12},
		"slurm-4711.out":                      {"out", "", "4711", noRank},
		"slurm-4711_3.err":                    {"err", "", "4711_3", noRank},
		"bert-123456_7.out":                   {"out", "", "123456", 7},
		"bert-123456.err":                     {"err", "", "123456", noRank},
		"123456.out":                          {"out", "", "123456", noRank},
		"bert-123456.out.gz":                  {"out", "", "123456", noRank},
		"logs/rank_0.log":                     {"", "", "", 0},
		"log_rank17":                          {"", "", "", 17},
		"train_rank3.log":                     {"", "", "", 3},
		"rank3/stdout":                        {"out", "", "", 3},
		"rank-3.err":                          {"err", "", "", 3},
		"job-worker-3.log":                    {"", "worker-3", "", 3},
		"worker-3":                            {"", "worker-3", "", 3},
		"node01/train.log":                    {"", "node01", "", noRank},
		"a/gpu-node-17/train.log":             {"", "gpu-node-17", "", noRank},
		"train_node01.log":                    {"", "node01", "", noRank},
		"workerlog.5":                         {"", "", "", 5},
		"train.out":                           {"out", "", "", noRank},
		"train.err":                           {"err", "", "", noRank},
		"stdout.log":                          {"out", "", "", noRank},
		"train.stderr.txt":                    {"err", "", "", noRank},
		"stderr/train.log":                    {"err", "", "", noRank},
		"log/log-train-2024-01-14-01-02-58-3": {"", "", "", 3},
		"worker-0f3a8b-01000000-812.err":      {"err", "", "", noRank},
		"train.log":                           {"", "", "", noRank},
		"epoch_10.log":                        {"", "", "", noRank},
		"layout.txt":                          {"", "", "", noRank},
		"franking/12/train.log":               {"", "", "", noRank},
		"2024-01-02/train.log":                {"", "", "", noRank},
		"resnet50/train.log":                  {"", "", "", noRank},
		"exp.o12345":                          {"out", "", "12345", noRank},
	} {
		p, err := newPairing(Options{})
		require.NoError(t, err)
		got := p.of(path)
		g := want{got.stream, got.host, got.job, noRank}
		if got.rank != nil {
			g.rank = *got.rank
		}
		require.Equal(t, w, g, path)
		require.Equal(t, got, p.of(path), "by the remembered shape")
	}
}

func TestOwnPatterns(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"a/shard_1_x.txt": logText, "a/shard_2_x.txt": logText})
	set, err := expand(t, Options{Ranks: "shard_{rank}_*.txt", Hosts: "{host}/*"}, root)
	require.NoError(t, err)
	require.Len(t, set.Inputs, 2)
	require.Equal(t, 1, *set.Inputs[0].Rank)
	require.Equal(t, "a", set.Inputs[0].Host)
	_, err = expand(t, Options{Ranks: "shard_*"}, root)
	var bad *BadPattern
	require.ErrorAs(t, err, &bad)
}

func TestJobs(t *testing.T) {
	t.Parallel()
	wandb := ":W&B\xe1\xbe\x00"
	for name, c := range map[string]struct {
		files []string
		jobs  int
	}{
		"one run of many kinds": {[]string{"train.log", "trainer_state.json", "checkpoint-20/trainer_state.json", "checkpoint-40/trainer_state.json",
			"all_results.json", "metrics.csv", "logs/console.log", "slurm-4711.out", "slurm-4711.err", "dmesg.txt",
			"wandb/run-20260102_101112-abcd/run-abcd.wandb", "wandb/run-20260102_101112-abcd/files/output.log"}, 1},
		"console and output apart":   {[]string{"logs/train.log", "output/trainer_state.json"}, 1},
		"streams apart":              {[]string{"stdout/train.log", "stderr/train.log"}, 1},
		"ranks":                      {[]string{"attempt_0/0/stdout.log", "attempt_0/0/stderr.log", "attempt_0/1/stdout.log", "attempt_0/1/stderr.log"}, 1},
		"rank folders":               {[]string{"rank0/train.log", "rank1/train.log"}, 1},
		"hosts":                      {[]string{"node01/train.log", "node02/train.log"}, 1},
		"tasks of a step":            {[]string{"bert-123456_0.out", "bert-123456_1.out"}, 1},
		"launcher above one run":     {[]string{"launch.log", "exp1/train.log"}, 1},
		"several logs of one folder": {[]string{"train.log", "eval.log"}, 1},
		"train and eval folders":     {[]string{"train/log.txt", "eval/log.txt"}, 1},
		"resumed wandb run":          {[]string{"wandb/run-20260102_101112-a/run-a.wandb", "wandb/run-20260103_101112-a/run-a.wandb"}, 1},
		"a wandb run for each rank":  {[]string{"wandb/run-20260102_101112-a/run-a.wandb", "wandb/run-20260102_101113-b/run-b.wandb"}, 1},
		"two experiments":            {[]string{"exp1/train.log", "exp2/train.log"}, 2},
		"two experiments, deep":      {[]string{"a/exp1/logs/train.log", "a/exp2/logs/train.log"}, 2},
		"two and a launcher":         {[]string{"launch.log", "exp1/train.log", "exp2/train.log"}, 2},
		"two trainer states":         {[]string{"a/trainer_state.json", "b/trainer_state.json"}, 2},
		"two job numbers":            {[]string{"slurm-4711.out", "slurm-4711.err", "slurm-4712.out", "dmesg.txt"}, 2},
		"array tasks":                {[]string{"slurm-4711_1.out", "slurm-4711_2.out"}, 2},
		"two versions":               {[]string{"lightning_logs/version_0/metrics.csv", "lightning_logs/version_1/metrics.csv"}, 2},
		"two wandb runs":             {[]string{"wandb/run-20260102_101112-a/run-a.wandb", "wandb/run-20260103_101112-b/run-b.wandb"}, 2},
		"cases":                      {[]string{"D01/log.txt", "D02/log.txt", "D03/log.txt"}, 3},
		"numbered runs":              {[]string{"0/train.log", "1/train.log"}, 2},
		"run directories":            {[]string{"a/manifest.json", "a/run.log", "b/manifest.json", "b/run.log"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{}
			for _, f := range c.files {
				switch base := filepath.Base(f); {
				case base == "trainer_state.json":
					files[f] = state("20")
				case base == "manifest.json":
					files[f] = "{\"trainvet\": \"1\"}"
				case base == "all_results.json":
					files[f] = "{\"eval_loss\": 1.0}"
				case base == "dmesg.txt":
					files[f] = "[    1.000001] NVRM: a\n"
				case strings.HasSuffix(f, ".csv"):
					files[f] = "epoch,loss\n1,0.5\n2,0.4\n"
				case strings.HasSuffix(f, ".wandb"):
					files[f] = wandb
				default:
					files[f] = logText
				}
			}
			root := tree(t, files)
			set, err := expand(t, Options{}, root)
			if c.jobs == 1 {
				require.NoError(t, err)
				require.Len(t, set.Groups(), 1)
				return
			}
			var many *ManyJobs
			require.ErrorAs(t, err, &many)
			require.Len(t, many.Jobs, c.jobs, "%v", many.Jobs)
			require.Contains(t, err.Error(), "--each")
			set, err = expand(t, Options{Each: true}, root)
			require.NoError(t, err)
			require.Len(t, set.Groups(), c.jobs)
			// Whoever names the files says that they are one run.
			var paths []string
			for _, f := range c.files {
				paths = append(paths, filepath.Join(root, f))
			}
			set, err = expand(t, Options{}, paths...)
			require.NoError(t, err)
			require.Len(t, set.Groups(), 1)
		})
	}
}

func TestNewestTrainerStateCounts(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{
		"checkpoint-20/trainer_state.json": state("20"), "checkpoint-100/trainer_state.json": state("100"), "checkpoint-40/trainer_state.json": state("40"),
	})
	set, err := expand(t, Options{}, root)
	require.NoError(t, err)
	require.Equal(t, map[string]Kind{"checkpoint-100/trainer_state.json": TrainerState}, kinds(root, set))
	require.Len(t, set.Passed, 2)
	require.Contains(t, set.Passed[0].Why, "superseded by")

	require.NoError(t, os.WriteFile(filepath.Join(root, "trainer_state.json"), []byte(state("100")), 0o644))
	set, err = expand(t, Options{}, root)
	require.NoError(t, err)
	require.Equal(t, map[string]Kind{"trainer_state.json": TrainerState}, kinds(root, set))
}

func TestRunDirectory(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{
		"r/manifest.json": "{\"trainvet\": {\"version\": 1}}", "r/run.log": logText, "r/sidecar.jsonl": "{}\n", "r/trailer.json": "{}",
		"r/records/1.tvr": "x", "r/receipt.json": "{\"loss\": 1.0}",
	})
	set, err := expand(t, Options{}, filepath.Join(root, "r"))
	require.NoError(t, err)
	require.Equal(t, map[string]Kind{"r/run.log": Console}, kinds(root, set))
	require.Equal(t, filepath.Join(root, "r"), set.RunDir)
	require.Equal(t, []string{filepath.Join(root, "r")}, set.RunDirs[set.Inputs[0].Group])
}

func TestFileLimit(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"a.log": logText, "b.log": logText, "c.log": logText})
	set, err := expand(t, Options{MaxFiles: 2}, root)
	require.NoError(t, err)
	require.Len(t, set.Inputs, 2)
	require.Len(t, set.Unread, 1)
}

func TestMasterIsRankZero(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"job-master-0.log": logText, "job-worker-0.log": logText, "job-worker-1.log": logText})
	set, err := expand(t, Options{}, root)
	require.NoError(t, err)
	var ranks []int
	for _, in := range set.Inputs {
		ranks = append(ranks, *in.Rank)
	}
	require.Equal(t, []int{0, 1, 2}, ranks)
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Expand(ctx, []string{t.TempDir()}, nil, Options{})
	require.True(t, errors.Is(err, context.Canceled))
}
