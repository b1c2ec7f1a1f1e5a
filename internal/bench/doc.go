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
// cache, medians of 5 rounds of CPU time. The audit takes 4.4 times what cat does on
// hf, 3.7 on nccl and tqdm, and 0.25, 0.20, 0.22 of ripgrep. Megatron differs from
// one written file to the next: 4.6 times cat in one run of 3 rounds, 5.6 and 5.7 in
// two others of 5, and 0.28 of ripgrep. So a fifth of ripgrep is kept on nccl alone,
// five times cat on all but megatron. Its peak is 24 to 30 MiB, also with --all.
//
// 10,000 logs of ranks take 4.5 times cat (3 rounds) and 240 to 260 MiB: neither
// bar is kept. Measured and not taken for them: a heap that grows
// by 150 or 200 % between two collections (no difference above the noise in CPU, 20
// and 50 MiB more). Go's os.Open makes five syscalls more than it needs, twice a
// file, and they take less than a hundredth of the time.
//
// The bars are in bars.go. The command that runs all this is logbench; nothing of
// it is part of trainvet.
package bench
