// Package other trains with nothing that knows the parameter.
package other

func set(params map[string]any) { params["clip_nan"] = true }

var _ = map[string]any{"clip_nan": true}
