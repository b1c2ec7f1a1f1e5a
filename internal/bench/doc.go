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
// 32 MiB, also with --all. 10,000 logs of ranks take 4.6 times cat and 260 to
// 280 MiB: neither bar is kept.
//
// The bars are in bars.go. The command that runs all this is logbench; nothing of
// it is part of trainvet.
package bench
