package guards

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trainvet/trainvet/guards/record"
)

func TestRankOfEachLauncher(t *testing.T) {
	tests := []struct {
		name        string
		env         map[string]string
		rank, world int
	}{
		{"none", nil, None, 0},
		{"torchrun", map[string]string{"RANK": "3", "WORLD_SIZE": "8"}, 3, 8},
		{"slurm", map[string]string{"SLURM_PROCID": "1", "SLURM_NTASKS": "2"}, 1, 2},
		{"open mpi", map[string]string{"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "4"}, 0, 4},
		{"mpich", map[string]string{"PMI_RANK": "2", "PMI_SIZE": "4"}, 2, 4},
		{"torchrun under slurm", map[string]string{"RANK": "5", "WORLD_SIZE": "8", "SLURM_PROCID": "1", "SLURM_NTASKS": "2"}, 5, 8},
		{"no number", map[string]string{"RANK": "first"}, None, 0},
		{"negative", map[string]string{"RANK": "-1", "WORLD_SIZE": "-1"}, None, 0},
		{"world not said", map[string]string{"RANK": "0"}, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, v := range []string{"RANK", "WORLD_SIZE", "SLURM_PROCID", "SLURM_NTASKS", "OMPI_COMM_WORLD_RANK", "PMI_RANK"} {
				t.Setenv(v, "")
			}
			for v, text := range tt.env {
				t.Setenv(v, text)
			}
			r := New(Options{})
			if rank, world := r.Rank(), int(r.world.Load()); rank != tt.rank || world != tt.world {
				t.Errorf("rank %d of %d, want %d of %d", rank, world, tt.rank, tt.world)
			}
		})
	}
}

// TestBootSaysWhoWhereAndWhat: the audit tells processes apart by pid and start,
// within 2 seconds of what the supervisor saw.
func TestBootSaysWhoWhereAndWhat(t *testing.T) {
	dir, before := t.TempDir(), time.Now()
	cmd := trainer("swallow", dir)
	if err := cmd.Run(); err == nil {
		t.Fatal("the trainer swallowed a fault and ended well")
	}
	recs, _ := readRecord(t, dir)
	b := recs[0].Body.(*record.Boot)
	if recs[0].Pid != cmd.Process.Pid || b.Parent != os.Getpid() || b.Lang != "go" || b.Runtime != runtime.Version() || len(b.Argv) != 2 {
		t.Errorf("%+v", b)
	}
	if runtime.GOOS == "linux" {
		if off := time.Unix(0, b.Start).Sub(before); off < -time.Second || off > 2*time.Second {
			t.Errorf("the start of the process is %v off", off)
		}
		if b.BootID == "" {
			t.Error("no boot id")
		}
	}
}

// TestChecksThatComeLater are named by a further boot record, before their counts.
func TestChecksThatComeLater(t *testing.T) {
	r, dir := recording(t)
	r.Steps("SGD").Apply(1)
	r.check("decode", r.addSite(record.Site{Kind: "decode", Name: "late", Live: true})).ran(448)
	r.check("decode", 0).ran(1)
	r.Close()
	recs, issues := readRecord(t, dir)
	var order []string
	for _, rec := range recs {
		order = append(order, string(rec.Type))
	}
	if got := strings.Join(order, " "); got != "boot step site boot count count count count end" || len(issues) > 0 {
		t.Errorf("%s, %v", got, issues)
	}
	boots := bodies[*record.Boot](recs)
	if !slices.Equal(boots[0].Checks, []string{"steps"}) || !slices.Equal(boots[1].Checks, []string{"steps", "decode"}) {
		t.Errorf("%v, then %v", boots[0].Checks, boots[1].Checks)
	}
	for _, off := range boots[1].Off {
		if off.Check == "decode" || off.Check == "steps" {
			t.Errorf("%s is live and said not to be", off.Check)
		}
	}
}

func TestSiteIsNamedByItsPackage(t *testing.T) {
	r, dir := recording(t)
	vocab, err := NewVocab(10)
	if err != nil {
		t.Fatal(err)
	}
	CheckTokenIDs(r.DecodeSite("here", vocab), []int32{1})
	recs, _ := readRecord(t, dir)
	s := bodies[*record.Site](recs)[0]
	if s.File != "github.com/trainvet/trainvet/guards/run_boot_test.go" || s.Line == 0 || !strings.HasSuffix(s.Function, "TestSiteIsNamedByItsPackage") {
		t.Errorf("%+v", s)
	}
}
