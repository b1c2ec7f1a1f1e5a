package machine

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

var gpu = Key{Kind: KindDevice, ID: "GPU-5b1c2d3e-0000-4444-8888-0123456789ab"}

func day(n int) time.Time { return time.Date(2026, 8, n, 12, 0, 0, 0, time.UTC) }

func ecc(n int) Taint {
	return Taint{Marker: "xid-48", Scope: "device", Clears: ClearsProbe, Since: day(n), BootID: "b1", Text: "NVRM: Xid 48"}
}

func driver(n int) Taint {
	return Taint{Marker: "xid-31", Scope: "device", Clears: ClearsReboot, Since: day(n), BootID: "b1", Text: "NVRM: Xid 31"}
}

func uncleared(s *Store) []Taint {
	st := s.Load(gpu)
	return st.Uncleared()
}

func TestGolden(t *testing.T) {
	dir := t.TempDir()
	s := Open(dir)
	s.now = func() time.Time { return day(20) }
	require.NoError(t, s.Update(gpu, func(st *State) error {
		st.Name = "NVIDIA H100"
		st.AddTaint(driver(1))
		st.Boot("b2", day(2))
		st.AddTaint(ecc(3))
		st.AddProbe(Probe{Name: "all", At: day(4), BootID: "b2", Driver: "580.12", Framework: "torch 2.14.1", Text: "gradient 2.96 times too large"})
		return nil
	}))
	got, err := os.ReadFile(filepath.Join(dir, gpu.file()))
	require.NoError(t, err)
	golden := filepath.Join("..", "..", "testdata", "contracts", "machine-device.json")
	if *update {
		require.NoError(t, os.WriteFile(golden, got, 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	require.Equal(t, "device-gpu-5b1c2d3e-0000-4444-8888-0123456789ab-"+gpu.file()[len(gpu.file())-17:], gpu.file())
}

func TestWhatClearsATaint(t *testing.T) {
	pass := func(n int) Probe { return Probe{Name: "all", Passed: true, At: day(n), BootID: "b2"} }
	fail := func(n int) Probe { return Probe{Name: "all", At: day(n), BootID: "b2"} }
	for _, tt := range []struct {
		name string
		do   func(*State)
		left []string
	}{
		{"nothing", func(*State) {}, []string{"xid-31", "xid-48"}},
		{"reboot", func(s *State) { s.Boot("b2", day(5)) }, []string{"xid-48"}},
		{"same boot", func(s *State) { s.Boot("b1", day(5)) }, []string{"xid-31", "xid-48"}},
		{"boot not readable", func(s *State) { s.Boot("", day(5)) }, []string{"xid-31", "xid-48"}},
		{"reset", func(s *State) { s.Reset(day(5)) }, []string{"xid-48"}},
		{"one pass", func(s *State) { s.AddProbe(pass(5)) }, []string{"xid-31", "xid-48"}},
		{"two passes", func(s *State) { s.AddProbe(pass(5)); s.AddProbe(pass(6)) }, nil},
		{"a failure between", func(s *State) { s.AddProbe(pass(5)); s.AddProbe(fail(6)); s.AddProbe(pass(7)) }, []string{"xid-31", "xid-48"}},
		{"passes from before the fault", func(s *State) { s.AddProbe(pass(1)); s.AddProbe(pass(2)) }, []string{"xid-31", "xid-48"}},
		{"a pass before and one after", func(s *State) { s.AddProbe(pass(1)); s.AddProbe(pass(5)) }, []string{"xid-31", "xid-48"}},
		{"by hand", func(s *State) { s.Clear("ada", day(5)) }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s State
			s.AddTaint(driver(3))
			s.AddTaint(ecc(3))
			tt.do(&s)
			var left []string
			for _, x := range s.Uncleared() {
				left = append(left, x.Marker)
			}
			require.Equal(t, tt.left, left)
		})
	}
}

func TestProbed(t *testing.T) {
	var s State
	require.False(t, s.Probed("b2", "", ""))
	s.AddProbe(Probe{Passed: true, At: day(5), BootID: "b2", Driver: "580", Framework: "torch 2.14"})
	require.True(t, s.Probed("b2", "580", "torch 2.14"))
	require.True(t, s.Probed("b2", "", ""))
	require.False(t, s.Probed("b3", "", ""), "a reboot since")
	require.False(t, s.Probed("", "", ""), "the boot is not known")
	require.False(t, s.Probed("b2", "581", ""))
	require.False(t, s.Probed("b2", "580", "torch 2.6"))
	s.AddTaint(ecc(6))
	require.False(t, s.Probed("b2", "", ""))
}

func TestTheSameFaultIsOneTaint(t *testing.T) {
	var s State
	for range 1000 {
		s.AddTaint(ecc(3))
	}
	require.Len(t, s.Taints, 1)
	for i := range 500 {
		x := ecc(3)
		x.Marker = fmt.Sprint("m", i)
		s.AddTaint(x)
		s.Clear("ada", day(4))
	}
	s.AddTaint(ecc(9))
	require.LessOrEqual(t, len(s.Taints), maxCleared+1)
	require.Len(t, s.Uncleared(), 1)
}

// TestADamagedFileIsATaint: it is said, survives an update, and goes by probes.
func TestADamagedFileIsATaint(t *testing.T) {
	for _, text := range []string{"", "{", "null", `{"version":2}`, `{"version":1,"key":{"kind":"device","id":"other"}}`, "\x00\x00"} {
		dir := t.TempDir()
		s := Open(dir)
		path := filepath.Join(dir, gpu.file())
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		st := s.Load(gpu)
		require.NotEmpty(t, st.Damaged, text)
		require.Equal(t, unknownTaint, st.Uncleared()[0].Marker)
		all, err := s.All()
		require.NoError(t, err)
		require.Len(t, all, 1)
		require.Len(t, all[0].Uncleared(), 1)

		require.NoError(t, s.Update(gpu, func(st *State) error { st.AddTaint(ecc(3)); return nil }))
		require.Len(t, uncleared(s), 2)
		kept, err := os.ReadFile(path + ".damaged")
		require.NoError(t, err)
		require.Equal(t, text, string(kept))
		for range 2 {
			require.NoError(t, s.Update(gpu, func(st *State) error {
				st.AddProbe(Probe{Passed: true, At: time.Now().Add(time.Hour)})
				return nil
			}))
		}
		require.Empty(t, uncleared(s))
	}
}

// TestADamagedFileIsSetAside: nobody knows its key, so nothing else can clear it.
func TestADamagedFileIsSetAside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := Open(dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, gpu.file()), []byte("{"), 0o600))
	all, err := s.All()
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.NoError(t, s.SetAside(all[0]))
	all, err = s.All()
	require.NoError(t, err)
	require.Empty(t, all)
	require.FileExists(t, filepath.Join(dir, gpu.file()+".damaged"))
	require.Error(t, s.SetAside(State{Key: gpu}))
	require.Error(t, s.SetAside(State{Key: gpu, File: "../x"}))
}

func TestKeysMakeSafeNames(t *testing.T) {
	seen := map[string]string{}
	for _, id := range []string{"", ".", "..", "../../etc/passwd", "a/b", "a b", "a_b", "A_B", "con", "nul\x00", "é", strings.Repeat("x", 5000), strings.Repeat("x", 5001), "MIG-GPU/1/2"} {
		name := Key{Kind: KindDevice, ID: id}.file()
		require.Empty(t, seen[name], "%q and %q share %s", id, seen[name], name)
		seen[name] = id + "!"
		require.Regexp(t, `^device-[a-z0-9_-]*\.json$`, name)
		require.Less(t, len(name), 100)
	}
}

func TestDir(t *testing.T) {
	env := func(kv ...string) func(string) string {
		return func(k string) string {
			for i := 0; i < len(kv); i += 2 {
				if kv[i] == k {
					return kv[i+1]
				}
			}
			return ""
		}
	}
	for want, get := range map[string]func(string) string{
		"/s":                              env("TRAINVET_STATE", "/s", "XDG_STATE_HOME", "/x"),
		"/x/trainvet":                     env("XDG_STATE_HOME", "/x", "HOME", "/h"),
		"/h/.local/state/trainvet":        env("XDG_STATE_HOME", "relative", "HOME", "/h"),
		"/home/ada/.local/state/trainvet": env("HOME", "/home/ada"),
	} {
		dir, err := Dir(get)
		require.NoError(t, err)
		require.Equal(t, want, filepath.ToSlash(dir))
	}
}

func TestAChangeThatFailsWritesNothing(t *testing.T) {
	s := Open(t.TempDir())
	no := errors.New("no")
	require.ErrorIs(t, s.Update(gpu, func(*State) error { return no }), no)
	all, err := s.All()
	require.NoError(t, err)
	require.Empty(t, all)
	all, err = Open(filepath.Join(t.TempDir(), "none")).All()
	require.NoError(t, err)
	require.Empty(t, all)
}

// TestConcurrentWritersLoseNothing: processes, not only goroutines.
func TestConcurrentWritersLoseNothing(t *testing.T) {
	const writers, each = 4, 8
	if dir := os.Getenv("MACHINE_TEST_WRITER"); dir != "" {
		for i := range each {
			require.NoError(t, Open(dir).Update(gpu, func(st *State) error {
				x := ecc(3)
				x.Marker = fmt.Sprintf("%d-%d", os.Getpid(), i)
				st.AddTaint(x)
				return nil
			}))
		}
		return
	}
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	cmds := make([]*exec.Cmd, writers)
	for i := range cmds {
		cmds[i] = exec.Command(self, "-test.run=TestConcurrentWritersLoseNothing$")
		cmds[i].Env = append(os.Environ(), "MACHINE_TEST_WRITER="+dir)
		require.NoError(t, cmds[i].Start())
	}
	stop := make(chan struct{})
	read := make(chan error, 1)
	go func() { // a reader beside them never sees half a file
		for {
			select {
			case <-stop:
				read <- nil
				return
			default:
			}
			if st := Open(dir).Load(gpu); st.Damaged != "" {
				read <- errors.New(st.Damaged)
				return
			}
		}
	}()
	for _, c := range cmds {
		require.NoError(t, c.Wait())
	}
	close(stop)
	require.NoError(t, <-read)
	require.Len(t, Open(dir).Load(gpu).Taints, writers*each)
}

func FuzzLoad(f *testing.F) {
	good, err := json.Marshal(State{Version: Version, Key: gpu, Taints: []Taint{ecc(1)}})
	require.NoError(f, err)
	f.Add(good)
	f.Add([]byte(`{"version":1,"key":{"kind":"device"},"taints":[{}]}`))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, gpu.file()), text, 0o600))
		if st := Open(dir).Load(gpu); st.Damaged != "" && len(st.Uncleared()) == 0 {
			t.Fatalf("damaged and not tainted: %q", text)
		}
	})
}
