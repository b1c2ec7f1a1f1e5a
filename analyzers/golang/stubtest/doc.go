// Package stubtest gives the fixtures of the Go rules stand-ins for the
// libraries that they are about: a rule's folder holds its own fixtures and no
// copy of a tokenizer.
package stubtest
