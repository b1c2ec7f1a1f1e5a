package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
)

// shape is how a kind of trainer prints. print adds one record, or a few lines
// that belong together.
type shape struct {
	name  string
	print func(*page)
	// inline: faults stand inside the line, for there are no line ends.
	inline bool
	// storm: every line is a fault.
	storm bool
}

// Shapes names the shapes of single logs.
func Shapes() []string {
	var names []string
	for _, s := range shapes() {
		names = append(names, s.name)
	}
	return names
}

func shapes() []shape {
	return []shape{
		{name: "hf", print: (*page).hf},
		{name: "nccl", print: (*page).nccl},
		{name: "tqdm", print: (*page).tqdm},
		{name: "megatron", print: (*page).megatron},
		{name: "json", print: (*page).json},
		{name: "longline", print: (*page).longline, inline: true},
		{name: "storm", print: (*page).storm, storm: true},
		{name: rankShape, print: (*page).rankLine},
	}
}

// rankShape is the line of the many small logs of a job's ranks.
const rankShape = "rank"

func shapeOf(name string) (shape, error) {
	all := shapes()
	if i := slices.IndexFunc(all, func(s shape) bool { return s.name == name }); i >= 0 {
		return all[i], nil
	}
	return shape{}, fmt.Errorf("no log shape is called %q: there are %v", name, Shapes())
}

// page is text under construction, and what of it is counted.
type page struct {
	rand  *rand.Rand
	text  []byte
	step  int
	evals int // evaluation lines
	piece int // of a line without an end
	loss  int // training-loss values
}

func (p *page) str(s string)                 { p.text = append(p.text, s...) }
func (p *page) num(n int)                    { p.text = strconv.AppendInt(p.text, int64(n), 10) }
func (p *page) end()                         { p.text = append(p.text, '\n') }
func (p *page) float(most float64, prec int) { p.fixed(p.rand.Float64()*most, prec) }
func (p *page) fixed(v float64, prec int)    { p.text = strconv.AppendFloat(p.text, v, 'f', prec, 64) }
func (p *page) exp(most float64, prec int) {
	p.text = strconv.AppendFloat(p.text, p.rand.Float64()*most, 'e', prec, 64)
}
func (p *page) format(form string, a ...any) { p.text = fmt.Appendf(p.text, form, a...) }
func (p *page) padded(n, width int)          { p.format("%*d", width, n) }

// curve is a training loss that falls and then stays, with some noise: a step of
// healthy training never leaves the run of the ones before.
func (p *page) curve() float64 {
	return 0.8 + 2.2/(1+float64(p.step)/2000) + 0.2*p.rand.Float64()
}

func (p *page) trainCurve(n int) { p.fixed(p.curve(), n); p.loss++ }

// hf is the dictionary of the Hugging Face trainer.
func (p *page) hf() {
	p.step += 10
	switch {
	case p.step%5000 == 0:
		p.evals++
		p.str("{'eval_loss': ")
		p.fixed(p.curve(), 6)
		p.str(", 'eval_wer': ")
		p.float(40, 4)
		p.str(", 'eval_runtime': ")
		p.float(100, 3)
		p.str(", 'eval_samples_per_second': 11.872, 'eval_steps_per_second': 1.484")
	case p.step%7770 == 0:
		p.format("Saving model checkpoint to out/checkpoint-%d\nConfiguration saved in out/checkpoint-%[1]d/config.json\n", p.step)
		return
	default:
		p.str("{'loss': ")
		p.trainCurve(4)
		p.str(", 'grad_norm': ")
		p.float(9, 16)
		p.str(", 'learning_rate': ")
		p.exp(1e-4, 15)
	}
	p.str(", 'epoch': ")
	p.fixed(float64(p.step)/50000, 2)
	p.str("}\n")
}

// tqdm is a bar: records that end in a carriage return, and a line end only now
// and then.
func (p *page) tqdm() {
	const total, between = 100_000, 50 << 10
	for from := len(p.text); len(p.text)-from < between; {
		p.step++
		at := p.step % total
		tenths := at * 10 / total
		p.str("\r")
		p.padded(at*100/total, 3)
		p.str("%|")
		for i := range 10 {
			if i < tenths {
				p.str("█")
			} else {
				p.str(" ")
			}
		}
		p.str("| ")
		p.num(at)
		p.str("/100000 [")
		p.num(at / 3600)
		p.str(":21:09<8:57:13,  ")
		p.fixed(1+p.rand.Float64(), 2)
		p.str("it/s, loss=")
		p.trainCurve(3)
		p.str("]")
	}
	p.end()
}

// megatron is the long line of Megatron-LM, whose counters read zero in health.
func (p *page) megatron() {
	p.step++
	if p.step%1000 == 0 {
		p.evals++
		p.format(" validation loss at iteration %d | lm loss value: %.6E | lm loss PPL: %.6E | \n", p.step, p.curve(), 1+20*p.rand.Float64())
		return
	}
	p.format(" [2026-08-01 %02d:%02d:%02d", p.step/3600%24, p.step/60%60, p.step%60)
	p.str(".482913] iteration ")
	p.padded(p.step, 8)
	p.str("/ 9500000 | consumed samples: ")
	p.padded(p.step*256, 12)
	p.str(" | elapsed time per iteration (ms): ")
	p.fixed(1000+200*p.rand.Float64(), 1)
	p.str(" | throughput per GPU (TFLOP/s/GPU): ")
	p.fixed(300+50*p.rand.Float64(), 1)
	p.str(" | learning rate: ")
	p.exp(1e-4, 6)
	p.str(" | global batch size:   256 | lm loss: ")
	p.text = strconv.AppendFloat(p.text, p.curve(), 'E', 6, 64)
	p.loss++
	p.str(" | loss scale: 65536.0 | grad norm: ")
	p.float(1, 3)
	p.str(" | num zeros: 0 | params norm: 1234.567 | number of skipped iterations:   0 | number of nan iterations:   0 |\n")
}

// json is one object a line, from a logger of several ranks.
func (p *page) json() {
	p.step++
	rank := p.rand.IntN(8)
	p.format(`{"time":"2026-08-01T%02d:%02d:%02d.%06dZ","level":"info","logger":"train.loop","host":"node-%d","rank":%[5]d,"step":%[6]d`,
		p.step/360_000%24, p.step/6000%60, p.step/100%60, p.rand.IntN(1e6), rank, p.step)
	if p.step%2000 == 0 {
		p.evals++
		p.str(`,"event":"eval","eval_loss":`)
		p.fixed(p.curve(), 6)
		p.str(`,"eval_accuracy":`)
		p.float(1, 4)
	} else {
		p.str(`,"loss":`)
		p.trainCurve(6)
		p.str(`,"tokens_per_sec":`)
		p.float(1e5, 1)
		p.str(`,"gpu_mem_gib":71.25,"msg":"optimizer step done; scheduler advanced"`)
	}
	p.str("}\n")
}

// nccl is NCCL_DEBUG=INFO with several subsystems on: no metric at all.
func (p *page) nccl() {
	p.step++
	rank := p.rand.IntN(8)
	p.format("node-1%d:%d:%d [%[1]d] NCCL INFO ", rank, 12000+rank, 13000+p.rand.IntN(999))
	switch p.step % 7 {
	case 0:
		p.format("comm 0x%x rank %d nranks 64 cudaDev %[2]d nvmlDev %[2]d busId 1b000 commId 0x%[3]x - Init START\n", p.rand.Uint32(), rank, p.rand.Uint64())
	case 1:
		p.str("Trees [0] 1/-1/-1->0->-1 [1] 1/-1/-1->0->-1 [2] -1/-1/-1->0->7 [3] 1/2/-1->0->-1\n")
	case 2:
		p.format("AllReduce: opCount %x sendbuff 0x%x recvbuff 0x%x count %d datatype 9 op 0 root 0 comm 0x%x [nranks=64] stream 0x%x\n",
			p.step, p.rand.Uint64(), p.rand.Uint64(), p.rand.IntN(1<<26), p.rand.Uint64(), p.rand.Uint64())
	default:
		ways := []string{"P2P/CUMEM/read", "NET/IB/3/GDRDMA", "NET/Socket/0", "SHM/direct/direct"}
		p.format("Channel %02d/%d : %d[%[3]d] -> %d[%[4]d] via %s\n", p.rand.IntN(32), p.rand.IntN(2), rank, (rank+1)%8, ways[p.rand.IntN(len(ways))])
	}
}

// longline has neither line ends nor carriage returns but one every 100 MiB.
func (p *page) longline() {
	const piece, pieces = 64 << 10, 1600
	for from := len(p.text); len(p.text)-from < piece; p.step++ {
		p.str("step=")
		p.num(p.step)
		p.str(" loss=")
		p.trainCurve(4)
		p.str("; ")
	}
	if p.piece++; p.piece == pieces {
		p.piece = 0
		p.end()
	}
}

// storm is what a wrong label does: a line for every thread of the kernel.
func (p *page) storm() {
	p.step++
	p.format("../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: block: [%d,0,0], thread: [%d,0,0] Assertion `t >= 0 && t < n_classes` failed.\n",
		p.step/1024, p.step%1024)
}

// rankLine is what each rank of a job writes to a log of its own.
func (p *page) rankLine() {
	p.step++
	p.format("2026-08-01 %02d:%02d:%02d,%03d INFO train: step %d/100000 loss %.4f grad_norm %.3f lr 1.000e-04 tokens/s %.1f\n",
		p.step/3600%24, p.step/60%60, p.step%60, p.rand.IntN(1000), p.step, p.curve(), 0.2+0.1*p.rand.Float64(), 1e4+100*p.rand.Float64())
	p.loss++
}
