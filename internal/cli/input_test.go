package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestInterruptibleHandsOnWhatIsRead(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("step 1 loss 0.5\n", 20_000)
	for name, r := range map[string]io.Reader{
		"whole": strings.NewReader(text), "bytes": iotest.OneByteReader(strings.NewReader(text)),
		"the end beside data": iotest.DataErrReader(strings.NewReader(text)),
	} {
		got, err := io.ReadAll(Interruptible(t.Context(), r))
		require.NoError(t, err, name)
		require.True(t, text == string(got), name)
	}
	broken := errors.New("broken")
	got, err := io.ReadAll(Interruptible(t.Context(), io.MultiReader(strings.NewReader("a"), iotest.ErrReader(broken))))
	require.ErrorIs(t, err, broken)
	require.Equal(t, "a", string(got))
}

func TestInterruptEndsAReadThatWaits(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	waits, _ := io.Pipe() // nobody ever writes
	r := Interruptible(ctx, waits)
	done := make(chan error)
	go func() { _, err := r.Read(make([]byte, 1)); done <- err }()
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	_, err := r.Read(make([]byte, 1))
	require.ErrorIs(t, err, context.Canceled)
}
