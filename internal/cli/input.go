package cli

import (
	"context"
	"io"
)

const inputBuffer = 64 << 10

// Interruptible reads r until ctx ends: a read that waits for a terminal or a
// pipe cannot be ended, so it is left behind. Nothing is read ahead.
func Interruptible(ctx context.Context, r io.Reader) io.Reader {
	return &input{ctx: ctx, r: r}
}

type input struct {
	ctx  context.Context
	r    io.Reader
	got  chan read // nil before the first read
	ask  chan struct{}
	rest []byte // read and not yet handed on
	err  error  // comes behind rest
}

type read struct {
	bytes []byte
	err   error
}

func (in *input) Read(p []byte) (int, error) {
	if len(in.rest) == 0 && in.err == nil {
		if err := in.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, in.rest)
	in.rest = in.rest[n:]
	if len(in.rest) == 0 {
		return n, in.err
	}
	return n, nil
}

// next waits for more. After ctx has ended the reader behind may never answer.
func (in *input) next() error {
	if err := in.ctx.Err(); err != nil {
		return err
	}
	if in.got == nil {
		in.got, in.ask = make(chan read, 1), make(chan struct{}, 1)
		go answer(in.r, in.ask, in.got)
	}
	in.ask <- struct{}{}
	select {
	case r := <-in.got:
		in.rest, in.err = r.bytes, r.err
		return nil
	case <-in.ctx.Done():
		in.err = in.ctx.Err()
		return in.err
	}
}

func answer(r io.Reader, ask <-chan struct{}, got chan<- read) {
	buf := make([]byte, inputBuffer)
	for range ask {
		n, err := r.Read(buf)
		got <- read{buf[:n], err}
		if err != nil {
			return
		}
	}
}
