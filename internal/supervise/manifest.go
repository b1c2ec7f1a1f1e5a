//go:build unix

package supervise

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/trainvet/trainvet/guards/python"
	"github.com/trainvet/trainvet/internal/machine"
	"github.com/trainvet/trainvet/logscan/rundir"
)

// telling are the beginnings of variables that choose devices, ranks, precision
// or how a framework computes. Others may be secret and are not written down.
var telling = []string{
	"CUDA_", "NVIDIA_VISIBLE_DEVICES", "HIP_", "ROCR_", "HSA_", "ZE_AFFINITY_MASK", "PYTORCH_", "TORCH_", "NCCL_", "OMP_NUM_THREADS",
	"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "SLURM_JOB_ID", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_JOB_END_TIME",
	"OMPI_COMM_WORLD_", "PMI_RANK", "PMI_SIZE", "TF_", "XLA_FLAGS", "JAX_", "ACCELERATE_MIXED_PRECISION", "PYTHONUNBUFFERED", "PYTHONHASHSEED", "TRAINVET",
}

func tellingVars(env []string) []rundir.Var {
	var vars []rundir.Var
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		if slices.ContainsFunc(telling, func(p string) bool { return strings.HasPrefix(name, p) && (name == p || strings.HasSuffix(p, "_")) }) {
			vars = append(vars, rundir.Var{Name: name, Value: value})
		}
	}
	slices.SortFunc(vars, func(a, b rundir.Var) int { return strings.Compare(a.Name, b.Name) })
	return vars
}

// describe fills the manifest but for the capture.
func describe(ctx context.Context, opt *Options, id string, where surroundings) rundir.Manifest {
	m := rundir.Manifest{
		ID: id, Trainvet: opt.Version, Argv: opt.Argv, World: where.world, Rank: where.rank, Launcher: where.launcher,
		Env: tellingVars(os.Environ()), Intent: opt.Intent.Asked, Resolved: opt.Intent.Line, IntentMet: opt.Intent.Met, BatchCap: opt.BatchCap,
		Host: rundir.Host{
			OS: runtime.GOOS, Arch: runtime.GOARCH, Kernel: kernelVersion(), CPUs: runtime.NumCPU(), Memory: memory(),
		},
	}
	m.Cwd, _ = os.Getwd()          // a folder that is gone has no name
	m.Host.Name, _ = os.Hostname() // none is as good as unknown
	devices := make(chan machine.Devices, 1)
	go func() { devices <- listDevices(ctx) }()
	changes := make(chan *rundir.Commit, 1)
	go func() { changes <- commit(ctx) }()
	before := machine.Preflight(ctx)
	m.BootID, m.Host.InitialPids = before.BootID, before.InitialPids
	for _, s := range before.Seen {
		m.Before = append(m.Before, rundir.Seen{Kind: string(s.Kind), Text: s.Text})
	}
	for _, s := range before.Unseen {
		m.Unseen = append(m.Unseen, rundir.Seen{Kind: string(s.Kind), Text: s.Text})
	}
	found := <-devices
	var ids []string
	for _, d := range found.Visible() {
		m.Devices = append(m.Devices, rundir.Device{UUID: d.ID, Index: d.Index, Name: d.Name, Kind: d.Kind, Driver: d.Driver, Memory: d.Memory, Bus: d.Bus, Parent: d.Parent})
		if ids = append(ids, d.ID); d.Parent != "" { // what the whole device carries, its parts do
			ids = append(ids, d.Parent)
		}
	}
	for _, note := range found.Notes {
		m.Unseen = append(m.Unseen, rundir.Seen{Kind: "devices", Text: note})
	}
	m.Machine = snapshot(opt.State, before.BootID, ids)
	for _, t := range m.Machine.Taints {
		m.Before = append(m.Before, rundir.Seen{Kind: "taint", Text: t.Device + " carries " + t.Marker + " since " + t.Since})
	}
	m.Commit = <-changes
	m.Wall, m.Mono = time.Now().UnixNano(), monotonic()
	return m
}

// snapshot copies what is known of the machine, so that the audit of the run
// needs no machine.
func snapshot(dir, bootID string, devices []string) rundir.Machine {
	if dir == "" {
		return rundir.Machine{Why: "there is no state directory"}
	}
	return rundir.Machine(machine.Open(dir).Snapshot(bootID, devices))
}

// deviceTime bounds what the vendors' tools may take: one that hangs is a note in
// the manifest.
const deviceTime = time.Second

func listDevices(ctx context.Context) machine.Devices {
	ctx, cancel := context.WithTimeout(ctx, deviceTime)
	defer cancel()
	return machine.ListDevices(ctx, machine.Here())
}

// Targets are the devices of a run as a fault line may name them, those of which
// they are a part among them. They are those of its beginning: a device that fell
// off the bus is not there any more.
func Targets(_ context.Context, m *rundir.Manifest) []machine.Target {
	var out []machine.Target
	add := func(t machine.Target) {
		if !slices.ContainsFunc(out, func(o machine.Target) bool { return o.ID == t.ID }) {
			out = append(out, t)
		}
	}
	for _, d := range m.Devices {
		add(machine.Target{ID: d.UUID, Name: d.Name, Bus: d.Bus})
		if d.Parent != "" {
			add(machine.Target{ID: d.Parent, Bus: d.Bus})
		}
	}
	return out
}

// gitTime bounds what git may take: a work tree on a slow disk must not hold up
// the trainer.
const gitTime = 2 * time.Second

// commit asks git for the state of the work tree; nil where there is none.
func commit(ctx context.Context) *rundir.Commit {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	git := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0")
		return cmd.Output()
	}
	id, err := git("rev-parse", "HEAD")
	if err != nil {
		return nil
	}
	c := &rundir.Commit{ID: string(bytes.TrimSpace(id))}
	diff, err := git("diff", "HEAD", "--no-ext-diff", "--no-textconv", "--binary")
	if err != nil {
		return c
	}
	if c.Dirty = len(diff) > 0; c.Dirty {
		sum := sha256.Sum256(diff)
		c.Diff = hex.EncodeToString(sum[:])
	}
	return c
}

// guarded: guards are required of a Python program once they check something.
func guarded(p program) bool { return p.python && len(python.Checks()) > 0 }
