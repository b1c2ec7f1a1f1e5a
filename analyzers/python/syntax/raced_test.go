//go:build race

package syntax

func init() { raced = true }
