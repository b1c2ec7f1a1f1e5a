package record

// Boot says that the guards are live in this process. A process writes it
// again when more checks come to life later (a framework imported on demand);
// the checks of all its boots count together.
type Boot struct {
	Run        string     `json:"run"`        // id of the run that the process belongs to
	Host       string     `json:"host"`       // as the process calls itself
	BootID     string     `json:"boot_id"`    // of the kernel; empty: not known
	Parent     int        `json:"ppid"`       // parent process
	Start      int64      `json:"start"`      // start of the process, Unix nanoseconds; with the pid it is unique
	Lang       string     `json:"lang"`       // go, python
	Runtime    string     `json:"runtime"`    // version of the language's runtime
	Guards     string     `json:"guards"`     // version of the guards
	Argv       []string   `json:"argv"`       // command line
	World      int        `json:"world"`      // processes in the job; 0: not known
	LocalRank  int        `json:"local_rank"` // None: not known
	Why        string     `json:"why"`        // the event that brought the record about: libtorch, accelerator, guard
	Frameworks []Software `json:"frameworks"` // what is loaded
	Checks     []string   `json:"checks"`     // live from here on: decode, steps, finite, phase, replicas
	Off        []NotLive  `json:"off"`        // checks that are not live in this process, and why
}

// Software is a name with its version.
type Software struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// NotLive is a check that does not run: a check that did not run is not a
// check that passed.
type NotLive struct {
	Check string `json:"check"`
	Why   string `json:"why"`
}

// Child says that this process started another one.
type Child struct {
	Pid    int      `json:"pid"`    // of the child
	How    string   `json:"how"`    // fork, spawn, forkserver, exec
	Argv   []string `json:"argv"`   // empty for a fork
	Expect bool     `json:"expect"` // it is to write a boot of its own; a fork carries the hooks of its parent
}

// End closes the record of a process. Its sequence number is the number of
// records that the process wrote, those that were lost included.
type End struct {
	Why        string `json:"why"`         // exit, close, exec
	Lost       int64  `json:"lost"`        // records that could not be written
	HookErrors int64  `json:"hook_errors"` // errors of the guards themselves
}
