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
// cache, medians of 3 rounds of CPU time. The audit takes 4.6 times what cat does on
// hf, 5.0 on megatron, 3.5 on nccl, 3.4 on tqdm, and 0.24, 0.26, 0.19, 0.19 of
// ripgrep. So a fifth of ripgrep is not kept on hf and megatron, five times cat
// barely on megatron. One run is a tenth from another, of cat and of the audit; a
// file is not from its copy, and one of another seed by no more than that: what was
// seen of megatron (4.6 to 5.7) was the machine. Its peak is 27 to 31 MiB, also with
// --all, and for a folder of one log.
//
// 10,000 logs of ranks take 3.7 times cat in one run of 5 rounds, 4.0 in one of 3, and
// 235 to 265 MiB: that bar of memory is not kept. A third of their time is the scan and
// the reading, a seventh the lines that are read whole, a sixth finding and sniffing
// the files, a sixth the verdicts. Of the memory, 80 MB is evidence: nine rows of four
// values for each rank, of 540 bytes. Without any collection they would take 9 % less
// CPU and 50 MiB more. One thread takes 7 % less CPU and a quarter more time. Go's
// os.Open makes five syscalls more than it needs, twice a file, and they take less than
// a hundredth of the time.
//
// The bars are in bars.go. The command that runs all this is logbench; nothing of
// it is part of trainvet.
package bench
