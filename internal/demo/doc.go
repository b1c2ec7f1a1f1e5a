// Package demo writes a recorded run that a reader can audit without having
// one: a small training run on a laptop's GPU, whose driver gives up at step
// 340. The run goes on and prints numbers that look right.
//
// The log is modelled on public reports of such aborts; its numbers are made
// up. It is written as `trainvet run` writes one: capture, manifest, sidecar,
// trailer. Nothing here knows what the audit will say of it.
package demo
