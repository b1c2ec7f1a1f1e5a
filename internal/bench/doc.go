// Package bench measures what an audit costs beside what it cannot do without:
// reading the bytes (cat) and looking for the same literals (ripgrep).
//
// It writes logs of the shapes that trainers print, by seed, with the truth of
// each beside it: an audit that is fast and misses a fault has measured nothing.
// Every candidate runs as a process of its own, its CPU time and peak memory are
// those that the kernel counted. Candidates take turns within a round, and what
// is compared is the median of the ratios inside the rounds: a machine that others
// use as well slows all of a round alike.
//
// Measured on two virtual Xeon processors (2.9 GHz), quiet, 1 GiB in the page
// cache, medians of 3 rounds of CPU time. The audit takes 3.6 times what cat does
// on hf, 2.9 on nccl and tqdm, 4.1 on megatron, and 0.25, 0.21, 0.21, 0.28 of
// ripgrep: five times cat is kept, a fifth of ripgrep is not. Its peak is 26 to
// 32 MiB, also with --all. Since then the filter's table has twice the places:
// megatron took 0.23 of ripgrep, beside others' work, nccl 0.22, tqdm 0.21.
//
// 10,000 logs of ranks took 4.6 times cat. Since then a sixth of their CPU time is
// gone, by turns with the binary of before; beside cat it was measured on a busy
// machine only (4.2 and 5.0, the binary of before 5.1). They take 245 to 260 MiB:
// the bar of memory is not kept. Measured and not taken for them: a heap that grows
// by 150 or 200 % between two collections (no difference above the noise in CPU, 20
// and 50 MiB more). Go's os.Open makes five syscalls more than it needs, twice a
// file, and they take less than a hundredth of the time.
//
// The bars are in bars.go. The command that runs all this is logbench; nothing of
// it is part of trainvet.
package bench
