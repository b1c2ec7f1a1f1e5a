package source

// Kind is what a file is; it becomes evidence.Source.Kind.
type Kind string

// The kinds that are read.
const (
	Console      Kind = "console"
	Kernel       Kind = "kernel" // dmesg, journal of the kernel
	Slurm        Kind = "slurm"  // the scheduler's own log
	TrainerState Kind = "trainer-state"
	HFResults    Kind = "hf-results"
	TFEvents     Kind = "tfevents"
	CSV          Kind = "csv"
	JSONL        Kind = "jsonl"
	MLflow       Kind = "mlflow"
	Wandb        Kind = "wandb"
	WandbSummary Kind = "wandb-summary"
	Notebook     Kind = "notebook"
	JSON         Kind = "json"
	GoMLX        Kind = "gomlx" // checkpoint of GoMLX: the list of its variables
)

// The kinds that are recognised and not read.
const (
	Checkpoint Kind = "checkpoint"
	Archive    Kind = "archive" // tar, zip: has to be unpacked
	Binary     Kind = "binary"
	Empty      Kind = "empty"
)

// Lines says whether sources of this kind are text lines with prefixes.
func (k Kind) Lines() bool { return k == Console || k == Kernel || k == Slurm }
