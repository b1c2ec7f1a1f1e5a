package child

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStarts(t *testing.T) {
	t.Parallel()
	table := readTrainers()
	for line, want := range map[string]string{
		"python train.py": "train.py",
		"/usr/bin/python3 -u src/run_train.py --lr 1": "run_train.py",
		"python -m torch.distributed.launch x.py":     "torch.distributed.launch",
		"python -m pkg.train":                         "pkg.train",
		"? train_gpt2.py":                             "train_gpt2.py",
		"?/bin/python eval.py":                        "eval.py",
		"torchrun x.py":                               "torchrun",
		"accelerate launch x.py":                      "accelerate launch",
		"uv run python -O finetune.py":                "finetune.py",
		"env CUDA_VISIBLE_DEVICES=0 torchrun x.py":    "torchrun",
		"srun -n 4 python pretrain_gpt.py":            "pretrain_gpt.py",
		"nohup ./train.sh":                            "train.sh",
		"whisper a.wav":                               "whisper",
		"C:\\tools\\llama-server.exe -m x":            "llama-server",
		"python constrain.py":                         "",
		"python strainer.py":                          "",
		"python -c train.py":                          "",
		"python -m pip install train.py":              "",
		"python setup.py train.py":                    "",
		"accelerate config":                           "",
		"torchrun --help":                             "",
		"git add train.py":                            "",
		"vim train.py":                                "",
		"? --port 80":                                 "",
		"python ?":                                    "",
		"":                                            "",
	} {
		argv := strings.Fields(strings.ReplaceAll(line, "?", hole))
		require.Equal(t, want, table.starts(argv), line)
	}
	for line, want := range map[string]string{
		"cd x && A=1 python train.py > log": "train.py",
		"torchrun x.py | tee log":           "torchrun",
		"echo train.py":                     "",
		"ls; cat eval.py":                   "",
	} {
		require.Equal(t, want, table.starts([]string{"sh", "-c", line}), line)
	}
	require.Equal(t, "train_all.sh", table.starts([]string{"bash", "-e", "train_all.sh"}))
}
