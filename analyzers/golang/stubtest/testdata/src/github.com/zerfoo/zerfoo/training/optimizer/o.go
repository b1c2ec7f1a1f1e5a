package optimizer

import "context"

type Parameter[T any] struct{}

type Optimizer[T any] interface {
	Step(ctx context.Context, params []*Parameter[T]) error
}

type AdamW[T any] struct{}

func (a *AdamW[T]) Step(ctx context.Context, params []*Parameter[T]) error { return nil }
