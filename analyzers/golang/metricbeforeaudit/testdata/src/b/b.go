// Package b does not know trainvet: it cannot ask.
package b

import (
	"encoding/json"
	"os"
)

func read() (m map[string]any) {
	text, _ := os.ReadFile("trainer_state.json")
	_ = json.Unmarshal(text, &m)
	return m
}
