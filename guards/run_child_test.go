package guards

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trainvet/trainvet/guards/record"
)

// envChild makes the test binary a trainer: TestChild runs the one it names.
const envChild = "GUARDS_TEST_CHILD"

// trainers are small programs that tests start as processes of their own.
var trainers = map[string]func(){
	"kill":    trainUntilKilled,
	"full":    trainOnFullDisk,
	"quiet":   checkQuietly,
	"idle":    func() { NewSteps("SGD"); NewMetric("loss", "train") },
	"swallow": trainAndSwallow,
}

func TestChild(t *testing.T) {
	name := os.Getenv(envChild)
	if name == "" {
		t.Skip("started by other tests as a process of its own")
	}
	trainers[name]()
	os.Exit(0) // without the testing package's own output
}

// trainer prepares a process that runs a trainer in a run directory.
func trainer(name, dir string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(environ(), envChild+"="+name, EnvRun+"="+dir)
	return cmd
}

// environ is the environment without what a launcher of the tests may have set.
func environ() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name == EnvRun || name == "RANK" || name == "SLURM_PROCID" || name == "OMPI_COMM_WORLD_RANK" || name == "PMI_RANK"
	})
}

// readRecord reads the record files of a run directory, one after another.
func readRecord(t *testing.T, dir string) (recs []record.Record, issues []record.Issue) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, record.Folder, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for r := record.NewReader(f); ; {
			e, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e.Issue != nil {
				issues = append(issues, *e.Issue)
			} else {
				recs = append(recs, *e.Record)
			}
		}
	}
	return recs, issues
}

// bodies are the bodies of one type.
func bodies[B record.Body](recs []record.Record) (out []B) {
	for _, r := range recs {
		if b, ok := r.Body.(B); ok {
			out = append(out, b)
		}
	}
	return out
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}
