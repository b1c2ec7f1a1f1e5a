package machine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
)

// other describes a machine that is not this one.
func other(files map[string]string, env map[string]string, tools map[string]string) System {
	root := fstest.MapFS{}
	for name, text := range files {
		root[strings.TrimPrefix(name, "/")] = &fstest.MapFile{Data: []byte(text)}
	}
	return System{
		OS: "linux", Arch: "amd64", Root: root,
		Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		Tool: func(_ context.Context, name string, args ...string) (string, error) {
			line := strings.Join(append([]string{name}, args...), " ")
			for start, out := range tools {
				if strings.HasPrefix(line, start) {
					if out == "refused" {
						return "", errors.New(`exit code 2: Field "x" is not a valid field to query.`)
					}
					return out, nil
				}
			}
			if len(tools) > 0 && strings.HasPrefix(line, "nvidia-smi") {
				return "", errors.New("exit code 2")
			}
			return "", ErrNoTool
		},
	}
}

// smi answers the way a driver does: the basic fields, and compute capability.
func smi(rows, caps string) map[string]string {
	return map[string]string{
		"nvidia-smi --query-gpu=index,uuid,name,":   rows,
		"nvidia-smi --query-gpu=index,compute_cap ": caps,
		"nvidia-smi --query-gpu=index,gsp":          "refused",
	}
}

const twoCards = `0, GPU-aaaa1111-0000-0000-0000-000000000000, NVIDIA A100-SXM4-80GB, 580.12, 00000000:3B:00.0, 81920
1, GPU-bbbb2222-0000-0000-0000-000000000000, NVIDIA A100-SXM4-80GB, 580.12, 00000000:86:00.0, 81920
`

func labels(d Devices) []string {
	var out []string
	for _, x := range d.Visible() {
		out = append(out, x.Label()+" "+x.ID[:min(8, len(x.ID))])
	}
	return out
}

func TestNvidiaDevices(t *testing.T) {
	sys := other(nil, nil, smi(twoCards, "0, 8.0\n1, 8.0\n"))
	d := ListDevices(t.Context(), sys)
	require.Equal(t, []string{"cuda:0 GPU-aaaa", "cuda:1 GPU-bbbb"}, labels(d))
	one := d.Accels[0]
	require.Equal(t, "8.0", one.Arch)
	require.Equal(t, "0000:3b:00.0", one.Bus)
	require.EqualValues(t, 81920<<20, one.Memory)
	require.Equal(t, "580.12", one.Driver)
}

// TestVisibleDevices holds the semantics of CUDA_VISIBLE_DEVICES.
func TestVisibleDevices(t *testing.T) {
	for list, want := range map[string][]string{
		"0,1":               {"cuda:0 GPU-aaaa", "cuda:1 GPU-bbbb"},
		"1":                 {"cuda:0 GPU-bbbb"},
		"1,0":               {"cuda:0 GPU-bbbb", "cuda:1 GPU-aaaa"},
		"1gpu,0ampere":      {"cuda:0 GPU-bbbb", "cuda:1 GPU-aaaa"},
		"0,-1,1":            {"cuda:0 GPU-aaaa"},
		"0,7,1":             {"cuda:0 GPU-aaaa"},
		"0,0":               nil,
		"":                  nil,
		"-1":                nil,
		"NoDevFiles":        nil,
		"GPU-bbbb":          {"cuda:0 GPU-bbbb"},
		"GPU-bbbb,GPU-aaaa": {"cuda:0 GPU-bbbb", "cuda:1 GPU-aaaa"},
		"GPU-bbbb,0":        {"cuda:0 GPU-bbbb"},
		"GPU-":              nil, // of two devices
	} {
		sys := other(nil, map[string]string{"CUDA_VISIBLE_DEVICES": list}, smi(twoCards, ""))
		d := ListDevices(t.Context(), sys)
		require.Equal(t, want, labels(d), list)
		require.Len(t, d.Accels, 2, list)
		for _, x := range d.Accels {
			require.Equal(t, x.Index < 0, x.Hidden != "", list)
		}
	}
}

func TestMIG(t *testing.T) {
	tools := smi("0, GPU-aaaa1111, NVIDIA A100, 580.12, 00000000:3B:00.0, 40960\n", "0, 8.0\n")
	tools["nvidia-smi --query-gpu=index,mig.mode.current"] = "0, Enabled\n"
	tools["nvidia-smi -L"] = "GPU 0: NVIDIA A100 (UUID: GPU-aaaa1111)\n  MIG 1g.5gb      Device  0: (UUID: MIG-c6d4f1ef)\n  MIG 3g.20gb     Device  1: (UUID: MIG-cba663e8)\n"
	d := ListDevices(t.Context(), other(nil, nil, tools))
	require.Equal(t, []string{"cuda:0 MIG-c6d4", "cuda:1 MIG-cba6"}, labels(d))
	require.Equal(t, "GPU-aaaa1111", d.Accels[0].Parent)
	require.EqualValues(t, 20<<30, d.Accels[1].Memory)
	delete(tools, "nvidia-smi -L")
	tools["nvidia-smi -L"] = "GPU 0: NVIDIA A100 (UUID: GPU-aaaa1111)\n"
	d = ListDevices(t.Context(), other(nil, nil, tools))
	require.Empty(t, d.Visible())
	require.Contains(t, d.Accels[0].Hidden, "no part is made")
}

func TestNvidiaWithoutItsTool(t *testing.T) {
	files := map[string]string{
		"/proc/driver/nvidia/version":                       "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.12  Mon\n",
		"/proc/driver/nvidia/gpus/0000:3b:00.0/information": "Model: \t\t NVIDIA H100\nGPU UUID: \t GPU-cccc\nBus Location: \t 0000:3b:00.0\nVideo BIOS: ??.??\n",
	}
	d := ListDevices(t.Context(), other(files, nil, nil))
	require.Equal(t, []string{"cuda:0 GPU-cccc"}, labels(d))
	require.Equal(t, "580.12", d.Accels[0].Driver)
	require.Contains(t, d.Notes[0], "compute capability is not known")
	// The twin: neither tool nor driver is no device and no note.
	d = ListDevices(t.Context(), other(nil, nil, nil))
	require.Empty(t, d.Accels)
	require.Empty(t, d.Notes)
	// A driver that does not answer: the device is there and cannot be relied on.
	sys := other(files, nil, map[string]string{"nvidia-smi": "refused"})
	d = ListDevices(t.Context(), sys)
	require.Empty(t, d.Visible())
	require.Contains(t, d.Accels[0].Hidden, "nvidia-smi")
}

func TestAMDDevices(t *testing.T) {
	node := "/sys/class/kfd/kfd/topology/nodes/"
	files := map[string]string{
		node + "0/properties":             "cpu_cores_count 64\nsimd_count 0\ngfx_target_version 0\n",
		node + "1/properties":             "simd_count 416\ngfx_target_version 90010\nunique_id 1311768467463790320\nlocation_id 768\ndomain 0\n",
		node + "1/mem_banks/0/properties": "heap_type 1\nsize_in_bytes 68702699520\n",
		node + "2/properties":             "simd_count 160\ngfx_target_version 100300\nunique_id 0\nlocation_id 1024\n",
		"/dev/kfd":                        "",
	}
	d := ListDevices(t.Context(), other(files, nil, nil))
	require.Equal(t, []string{"cuda:0 GPU-1234", "cuda:1 rocm:AMD"}, labels(d))
	require.Equal(t, "gfx90a", d.Accels[0].Arch)
	require.Equal(t, "gfx1030", d.Accels[1].Arch)
	require.Equal(t, "0000:03:00.0", d.Accels[0].Bus)
	require.EqualValues(t, 68702699520, d.Accels[0].Memory)
	d = ListDevices(t.Context(), other(files, map[string]string{"HIP_VISIBLE_DEVICES": "1", "CUDA_VISIBLE_DEVICES": "0"}, nil))
	require.Equal(t, []string{"cuda:0 rocm:AMD"}, labels(d), "HIP's variable wins")
	delete(files, "/dev/kfd")
	d = ListDevices(t.Context(), other(files, nil, nil))
	require.Empty(t, d.Visible())
}

func TestAppleDevice(t *testing.T) {
	sys := other(nil, nil, map[string]string{
		"sysctl -n machdep.cpu.brand_string": "Apple M2 Max\n", "sysctl -n kern.osproductversion": "15.3\n",
		"sysctl -n hw.memsize": "68719476736\n", "ioreg -rc AGXAccelerator": `"gpu-core-count" = 38` + "\n",
	})
	sys.OS, sys.Arch = "darwin", "arm64"
	d := ListDevices(t.Context(), sys)
	require.Len(t, d.Accels, 1)
	require.Equal(t, "apple-2", d.Accels[0].Arch)
	require.Equal(t, "mps", d.Accels[0].Label())
	require.Equal(t, "mps:Apple M2 Max", d.Accels[0].ID)
	require.Equal(t, "38", d.Accels[0].Detail("gpu cores"))
}

// TestAToolThatHangs is left behind.
func TestAToolThatHangs(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "nvidia-smi"), []byte("#!/bin/sh\nexec sleep 30\n"), 0o755))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begin := time.Now()
	d := ListDevices(ctx, Here())
	require.Less(t, time.Since(begin), 25*time.Second)
	require.Contains(t, strings.Join(d.Notes, "\n"), "nvidia-smi: no answer in time")
	require.NotEmpty(t, d.CPU.Name)
}

func TestFingerprint(t *testing.T) {
	env := map[string]string{}
	sys := other(map[string]string{"/proc/sys/kernel/osrelease": "6.12"}, env, nil)
	d := Device{Kind: "cuda", ID: "GPU-1", Index: 3, Name: "A100", Details: []Detail{{"recovery", "None"}, {"power cap", "400"}}}
	f := FingerprintOf(t.Context(), sys, d)
	same := d
	same.Index = 0
	same.Details = []Detail{{"recovery", "Reset"}, {"power cap", "400"}}
	require.Equal(t, f.Key(), FingerprintOf(t.Context(), sys, same).Key(), "neither index nor moment is part of it")
	changed := d
	changed.Driver = "581"
	g := FingerprintOf(t.Context(), sys, changed)
	require.NotEqual(t, f.Key(), g.Key())
	require.Equal(t, []string{"driver"}, g.Changed(f))
	env["NVIDIA_TF32_OVERRIDE"] = "0"
	require.Equal(t, []string{"env NVIDIA_TF32_OVERRIDE"}, FingerprintOf(t.Context(), sys, d).Changed(f))
	for _, kind := range []string{"cpu", "cuda", "mps"} { // each fact stands there once
		one := FingerprintOf(t.Context(), sys, Device{Kind: kind, MIG: "1g.10gb"})
		require.Empty(t, one.Changed(one), kind)
	}
	require.Contains(t, f.With(Detail{"torch", ""}), Detail{"torch", unknown})
	require.NotEqual(t, Fingerprint{{"a", "b"}}.Key(), Fingerprint{{"ab", ""}}.Key())
}

func TestMeasurements(t *testing.T) {
	s := Open(t.TempDir())
	torch := filepath.Join(t.TempDir(), "torch")
	require.NoError(t, os.MkdirAll(torch, 0o755))
	version := func(v string) {
		require.NoError(t, os.WriteFile(filepath.Join(torch, "version.py"), []byte("__version__ = '"+v+"'\n"), 0o644))
	}
	version("2.6.0")
	setup := Fingerprint{{"driver", "580"}}
	framework := Fingerprint{{"torch", "2.6.0"}}
	require.NoError(t, s.Measure(setup, framework, func(m *Measured) {
		m.Device, m.FrameworkAt = "GPU-1", torch
		m.Dtypes = []Dtype{{Name: "bfloat16", MatMul: 0.5}}
	}))
	require.NoError(t, s.Measure(setup, framework, func(m *Measured) { m.Benches = []BenchResult{{What: "x"}} }))
	got, err := s.MeasuredOf("GPU-1")
	require.NoError(t, err)
	require.Len(t, got, 1)
	require.Len(t, got[0].Dtypes, 1)
	require.Len(t, got[0].Benches, 1)
	ok, _ := got[0].Holds(setup)
	require.True(t, ok)
	ok, why := got[0].Holds(Fingerprint{{"driver", "581"}})
	require.False(t, ok)
	require.Contains(t, why, "driver")
	version("2.7.0")
	ok, _ = got[0].Holds(setup)
	require.False(t, ok)
	none, err := s.MeasuredOf("GPU-2")
	require.NoError(t, err)
	require.Empty(t, none)
	all, err := s.All()
	require.NoError(t, err)
	require.Empty(t, all, "measurements are no state of a device")
}

func FuzzVisible(f *testing.F) {
	f.Add("0,1")
	f.Add("GPU-a,1")
	f.Add("-1,,999999999999999999999")
	ids := []string{"GPU-a", "GPU-b", "MIG-c"}
	f.Fuzz(func(t *testing.T, list string) {
		order, _ := visible(list, ids)
		seen := map[int]bool{}
		for _, i := range order {
			require.True(t, i >= 0 && i < len(ids) && !seen[i])
			seen[i] = true
		}
	})
}

func TestAround(t *testing.T) {
	d := Device{Kind: "cuda", ID: "GPU-1"}
	sys := other(map[string]string{"/proc/loadavg": "3.25 1.0 1.0 2/300 4711"}, nil, map[string]string{
		"nvidia-smi --id=GPU-1 --query-gpu=utilization.gpu,clocks.sm":      "97, 1410\n",
		"nvidia-smi --id=GPU-1 --query-gpu=clocks_throttle_reasons.active": "0x0000000000000024\n",
		"nvidia-smi --id=GPU-1 --query-compute-apps=pid":                   "17\n18\n",
	})
	require.Equal(t, Around{Load: 3.25, Others: 2, Throttle: "power cap, heat", Clock: "1410", Use: "97", Power: "mains"}, AroundOf(t.Context(), sys, d))
	require.Empty(t, throttled("0x0000000000000001"), "idle is no throttle")
	require.Equal(t, Around{Power: "mains"}, AroundOf(t.Context(), other(nil, nil, nil), Device{Kind: "cpu"}))
}
