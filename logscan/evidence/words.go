package evidence

// Class of a marker.
type Class string

// The classes of design.md.
const (
	Fault    Class = "fault"    // the machine miscomputed, or may have
	Crash    Class = "crash"    // process or job ends here; poisons nothing before it
	Degraded Class = "degraded" // a named thing was lost: steps, data, precision, speed, completeness
	Notice   Class = "notice"   // information
)

// Scope is how far a marker reaches.
type Scope string

// From narrow to wide.
const (
	Process Scope = "process"
	Device  Scope = "device"
	Node    Scope = "node"
	Job     Scope = "job"
)

// Continues says whether the process goes on after a marker.
type Continues string

// Whether it goes on.
const (
	GoesOn  Continues = "yes"
	Stops   Continues = "no"
	MayGoOn Continues = "unknown"
)

// Role of a metric.
type Role string

// The roles of design.md. Whether an evaluation value is a claim is decided
// over the whole run, by package verdict.
const (
	Eval       Role = "eval"       // an evaluation value: its last one is a claim
	Final      Role = "final"      // labelled best, final, test or summary: a claim
	Series     Role = "series"     // training value over steps
	Diagnostic Role = "diagnostic" // gradient norm, scale, learning rate, KL, memory
	Speed      Role = "speed"      // throughput and times
	Item       Role = "item"       // per-item lines (an utterance's WER): data, listed only with --all
)

// Kind is what a metric measures.
type Kind string

// Kinds, by the metric's name.
const (
	KindLoss     Kind = "loss"
	KindAccuracy Kind = "accuracy" // more is better: accuracy, F1, BLEU, mAP, IoU, reward ...
	KindError    Kind = "error"    // less is better: WER, CER, perplexity, FID, RMSE ...
	KindReward   Kind = "reward"   // more is better, and an environment gives it: not computed from the model's loss
	KindNorm     Kind = "grad-norm"
	KindScale    Kind = "loss-scale"
	KindRate     Kind = "learning-rate"
	KindStepTime Kind = "step-time" // seconds, whatever the log's unit
	KindSpeed    Kind = "speed"
	KindMemory   Kind = "memory"
	KindSkips    Kind = "skips" // skipped steps: since the record before, or cumulative (Window run)
	KindCount    Kind = "count"
	KindOther    Kind = "other"
)

// Window is what a value covers.
type Window string

// Windows, from narrow to wide.
const (
	Instant  Window = "instant"  // one step, one batch, one evaluation
	Interval Window = "interval" // everything since the record before (a logging interval's mean)
	Running  Window = "running"  // a mean over the epoch so far, or a moving average: one NaN stays in it
	Epoch    Window = "epoch"    // the epoch that ends here
	WholeRun Window = "run"      // the whole run or process
	Best     Window = "best"     // the best over the run so far
)

// NonFiniteParameters is the name of the value by which the reader of a
// checkpoint says how many parameters of the model are NaN or infinite.
const NonFiniteParameters = "nonfinite_parameters"
