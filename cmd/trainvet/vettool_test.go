package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOnlyTheGoCommandIsAnsweredAsAVetTool: what a person types is a command.
func TestOnlyTheGoCommandIsAnsweredAsAVetTool(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"-V=full": true, "-flags": true, "/tmp/b001/vet.cfg": true, "-json /tmp/b001/vet.cfg": true, "-json -faultdropped=false /tmp/b001/vet.cfg": true,
		"": false, "vet": false, "vet ./...": false, "audit run.cfg": false, "audit -V=full": false, "--version": false, "-q audit run.cfg": false, "-flags audit": false,
	} {
		require.Equal(t, want, vettool(strings.Fields(line)), line)
	}
}
