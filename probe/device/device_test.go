package device

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/internal/machine"
)

func gpu(kind, arch, name string) machine.Device {
	return machine.Device{Kind: kind, Arch: arch, Name: name, ID: "id-" + name}
}

func with(accels ...machine.Device) machine.Devices {
	return machine.Devices{CPU: machine.Device{Kind: "cpu", ID: "cpu:x", Name: "x"}, Accels: accels}
}

func TestNativeDtypes(t *testing.T) {
	for _, tt := range []struct {
		d          machine.Device
		fp16, bf16 Native
	}{
		{gpu("cuda", "7.0", "Tesla V100"), NativeYes, NativeNo},
		{gpu("cuda", "7.5", "Tesla T4"), NativeYes, NativeNo},
		{gpu("cuda", "7.5", "NVIDIA GeForce GTX 1660"), NativeNo, NativeNo},
		{gpu("cuda", "8.0", "A100"), NativeYes, NativeYes},
		{gpu("cuda", "8.9", "L40S"), NativeYes, NativeYes},
		{gpu("cuda", "9.0", "H200"), NativeYes, NativeYes},
		{gpu("cuda", "12.0", "RTX 5090"), NativeYes, NativeYes},
		{gpu("cuda", "", "of an old driver"), NativeAsk, NativeAsk},
		{gpu("rocm", "gfx90a", "MI250"), NativeYes, NativeYes},
		{gpu("rocm", "gfx1030", "RX 6800"), NativeAsk, NativeAsk}, // its capability would read 10.3
		{gpu("mps", "apple-2", "Apple M2"), NativeYes, NativeNo},
		{gpu("mps", "apple-4", "Apple M4"), NativeYes, NativeYes},
		{gpu("mps", "apple-10", "Apple M10"), NativeYes, NativeYes},
		{machine.Device{Kind: "cpu", Arch: "avx2 avx512f"}, NativeNo, NativeNo},
		{machine.Device{Kind: "cpu", Arch: "avx2 avx512f avx512_bf16"}, NativeNo, NativeYes},
	} {
		p := PriorOf(tt.d)
		require.Equal(t, tt.fp16, p.FP16, tt.d.Name)
		require.Equal(t, tt.bf16, p.BF16, tt.d.Name)
	}
}

func TestIntentAndCapability(t *testing.T) {
	a100, mps := gpu("cuda", "8.0", "A100"), gpu("mps", "apple-2", "Apple M2")
	hidden := a100
	hidden.Index, hidden.Hidden = -1, "CUDA_VISIBLE_DEVICES= leaves it out"
	for _, tt := range []struct {
		word    string
		have    machine.Devices
		device  string
		met     bool
		because string
	}{
		{"auto", with(a100), "cuda:0", true, "the first visible device"},
		{"auto", with(), "cpu", true, "no accelerator"},
		{"auto", with(hidden), "cpu", true, "leaves it out"},
		{"gpu", with(a100), "cuda:0", true, "asked for"},
		{"gpu", with(), "cpu", false, "no accelerator"},
		{"gpu", with(hidden), "cpu", false, "leaves it out"},
		{"cpu", with(a100), "cpu", true, "asked for"},
		{"mps", with(a100), "cpu", false, "of kind cuda"},
		{"mps", with(mps), "mps", true, "asked for"},
		{"cuda", with(gpu("rocm", "gfx90a", "MI250")), "cuda:0", true, "asked for"},
		{"rocm", with(a100), "cpu", false, "of kind cuda"},
	} {
		intent, kind, ok := ParseIntent(tt.word)
		require.True(t, ok)
		d := Resolve(Ask{Intent: intent, Kind: kind}, tt.have, Known{})
		require.Equal(t, tt.device, d.Device, tt)
		require.Equal(t, tt.met, d.Met, tt)
		require.Contains(t, d.Why, tt.because, tt)
		require.Equal(t, tt.word, d.Asked)
		require.Len(t, d.Capability, len(tt.have.Visible())+1, "capability does not depend on the intent")
	}
}

func TestMeasurementsWin(t *testing.T) {
	a100 := gpu("cuda", "8.0", "A100")
	decide := func(dtype string, m ...machine.Dtype) Decision {
		known := Known{Measured: map[string]machine.Measured{a100.ID: {Dtypes: m}}}
		return Resolve(Ask{Intent: Auto, Dtype: dtype}, with(a100), known)
	}
	d := decide("auto")
	require.Equal(t, "bfloat16", d.Dtype)
	require.Contains(t, d.DtypeWhy, "not measured here")
	d = decide("auto", machine.Dtype{Name: "bfloat16", Word: SlowerHere, MatMul: 1.9, Step: 0.97, Finite: true})
	require.Equal(t, "float32", d.Dtype, "fast kernels, and no faster training")
	d = decide("auto", machine.Dtype{Name: "bfloat16", Word: FasterHere, Step: 1.4, Finite: true})
	require.Equal(t, "bfloat16", d.Dtype)
	d = decide("auto", machine.Dtype{Name: "bfloat16", Word: FasterHere, Step: 1.4, Finite: false})
	require.Equal(t, "float32", d.Dtype, "fast and not finite")
	d = decide("bfloat16", machine.Dtype{Name: "bfloat16", Word: Emulated, MatMul: 0.3})
	require.Equal(t, "bfloat16", d.Dtype, "what was asked for is not replaced")
	require.False(t, d.DtypeMet)
	require.Contains(t, d.PrecisionLine(), "asked bfloat16, not native;")
	require.Equal(t, "float32", Resolve(Ask{}, with(), Known{}).Dtype, "the CPU stays at float32")
	require.Equal(t, "float32", Resolve(Ask{}, with(gpu("mps", "apple-4", "M4")), Known{}).Dtype, "and so does MPS")
}

func TestWholeRunsWinOverSteps(t *testing.T) {
	a100 := gpu("cuda", "8.0", "A100")
	decide := func(lo, ratio, hi float64) Decision {
		m := machine.Measured{
			Dtypes:  []machine.Dtype{{Name: "bfloat16", Word: FasterHere, MatMul: 1.9, Step: 1.5, Finite: true}},
			Benches: []machine.BenchResult{{What: "built-in mlp", Arm: "dtype=bfloat16", Against: "dtype=float32", Lo: lo, Ratio: ratio, Hi: hi}},
		}
		return Resolve(Ask{Intent: Auto}, with(a100), Known{Measured: map[string]machine.Measured{a100.ID: m}})
	}
	require.Equal(t, "float32", decide(0.97, 1.01, 1.05).Dtype, "fast kernels, and no faster run")
	require.Equal(t, "bfloat16", decide(1.1, 1.17, 1.2).Dtype)
	require.Contains(t, decide(1.1, 1.17, 1.2).DtypeWhy, "1.17 times")
}

func TestExclusions(t *testing.T) {
	mps := gpu("mps", "apple-2", "Apple M2")
	d := Resolve(Ask{Intent: Auto, Use: Use{Ops: []string{"roi_align"}}}, with(mps), Known{})
	require.Equal(t, "cpu", d.Device)
	require.Contains(t, d.Why, "roi_align")
	d = Resolve(Ask{Intent: GPU, Use: Use{Ops: []string{"roi_align"}}}, with(mps), Known{})
	require.Equal(t, "mps", d.Device, "who asks for it gets it, and is told")
	require.Contains(t, d.Notes[0], "roi_align")
	require.Equal(t, "mps", Resolve(Ask{Use: Use{Ops: []string{"conv2d"}, Parameters: 5e7}}, with(mps), Known{}).Device)
	require.Equal(t, "cpu", Resolve(Ask{Use: Use{Parameters: 1000}}, with(mps), Known{}).Device)
	taint := Known{Taints: map[string][]machine.Taint{mps.ID: {{Marker: "mtl-cb-exited", Since: time.Unix(0, 0)}}}}
	d = Resolve(Ask{Intent: Auto}, with(mps), taint)
	require.Equal(t, "cpu", d.Device)
	require.Contains(t, d.Why, "has not been cleared (mtl-cb-exited)")
	sick := gpu("cuda", "8.0", "A100")
	sick.Details = []machine.Detail{{Name: "recovery", Value: "Reset"}}
	require.Equal(t, "cpu", Resolve(Ask{Intent: Auto}, with(sick), Known{}).Device)
	sick.Details[0].Value = "None"
	require.Equal(t, "cuda:0", Resolve(Ask{Intent: Auto}, with(sick), Known{}).Device)
}

func TestShellWords(t *testing.T) {
	require.Equal(t, `'it'\''s'`, quoted("it's"))
	require.NotContains(t, quoted("a\nb\x1b[0m"), "\n")
}
