package arch

// module is the root module; guards is a module of its own below it.
const module = "github.com/trainvet/trainvet"

// layer places a part of the tree. Imports run downwards only: from a higher
// level to a lower one, or within one part. The longest path that fits decides.
type layer struct {
	path  string
	level int
	why   string
}

var layers = []layer{
	{"cmd", 60, "one file per subcommand"},
	{"examples", 60, "what users copy"},
	{"internal/arch", 60, "reads the tree, imports nothing of it"},
	{"docs/schema", 55, "the contracts' JSON schemas, made from their types"},
	{"internal/explain", 55, "looks into every catalogue, answers in report's form"},
	{"internal/demo", 55, "writes a recorded run"},
	{"internal/bench", 45, "measures the audit; no part of the binary"},
	{"internal/cli", 50, "command lines"},
	{"internal/report", 50, "one printer per format"},
	{"internal/supervise", 50, "trainvet run"},
	{"analyzers", 40, "static rules"},
	{"probe", 40, "machine checks"},
	{"logscan", 40, "the audit"},
	{"analyzers/ledger", 30, "leaf of the analyzers, read by the audit"},
	{"logscan/rundir", 30, "the run directory, written by supervise, read by the audit"},
	{"internal/machine", 30, "devices and their state"},
	{"logscan/verdict", 26, "pure: the receipt of a run directory holds verdicts"},
	{"logscan/order", 24, "pure: proves a < b"},
	{"analyzers/rules", 25, "rule texts: data for the ledger, analyzers, explain and docs"},
	{"analyzers/catalog", 30, "which APIs are sites, guards, bounds that lie: data"},
	{"analyzers/site", 20, "leaf: words of the ledger"},
	{"logscan/evidence", 20, "leaf: what was found"},
	{"guards", 20, "what trainers link; imports nothing of the repository"},
	{"internal/config", 10, "leaf"},
	{"internal/plain", 10, "leaf"},
	{"internal/nearest", 0, "leaf of leaves: did you mean"},
}

// never are imports that the levels would allow and the design does not.
var never = []struct{ from, to, why string }{
	{"logscan", "internal/machine", "the same bytes give the same verdict on every machine: taint comes from the manifest"},
	{"logscan", "internal/config", "the library is told its thresholds"},
	{"logscan", "analyzers", "the audit reads the ledger and no analyzer"},
	{"logscan/order", "os", "order does no I/O"},
	{"logscan/order", "io/fs", "order does no I/O"},
	{"logscan/order", "net", "order does no I/O"},
	{"logscan/verdict", "os", "verdict does no I/O"},
	{"logscan/verdict", "io/fs", "verdict does no I/O"},
	{"logscan/verdict", "net", "verdict does no I/O"},
}

// inits are the files that may act on import, each with the reason.
var inits = map[string]string{
	"examples/golangci/plugin.go": "golangci-lint finds its plugins by what they register on import",
}

// only are packages of others that one part alone may import.
var only = map[string]string{
	"github.com/urfave/cli": "internal/cli",
}

// long lists files above maxLines with the reason why they are one.
const maxLines = 450

var long = map[string]string{}
