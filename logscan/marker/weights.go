package marker

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// heads knows the parts of a model that are expected to start untrained, and
// the buffers that checkpoints leave out without harm (heads.txt).
type heads map[string]bool

func (c *Catalog) loadHeads() error {
	b, err := data.ReadFile("heads.txt")
	if err != nil {
		return fmt.Errorf("reading the embedded heads.txt: %w", err)
	}
	c.heads = make(heads)
	for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
		if w := strings.TrimSpace(sc.Text()); w != "" && w[0] != '#' {
			c.heads[w] = true
		}
	}
	return nil
}

// judgeKeys tidies the attribute keys (names of parameters) and says in the
// attribute part whether they are of a head, of an adapter's base model, or of
// the body. Only keys of the body show a loss: else the match is a notice.
func (m *Match) judgeKeys(h heads) {
	if m.Effect != "weights" {
		return
	}
	if keys := splitKeys(m.Attrs["keys"]); len(keys) > 0 {
		m.Attrs["keys"] = strings.Join(keys, ",")
		m.Attrs["part"] = h.part(keys)
	}
	if m.Class == evidence.Degraded && m.Attrs["part"] != "body" {
		m.Class = evidence.Notice
	}
}

func splitKeys(list string) []string {
	if strings.Contains(list, "{") { // layers.{0, 1}.weight: one key for many
		return []string{strings.ReplaceAll(list, " ", "")}
	}
	var keys []string
	for k := range strings.FieldsFuncSeq(list, func(r rune) bool { return strings.ContainsRune(", '\"[](){}", r) }) {
		if k = strings.Trim(k, "."); k != "" && k != "..." {
			keys = append(keys, k)
		}
	}
	return keys
}

func (h heads) part(keys []string) string {
	switch {
	case !slices.ContainsFunc(keys, func(k string) bool { return !h.isHead(k) }):
		return "head"
	case !slices.ContainsFunc(keys, func(k string) bool { return !isAdapterBase(k) }):
		return "adapter-base"
	}
	return "body"
}

// isHead looks at the words of a key: a head's name anywhere but in the last
// place, or a buffer's in the last.
func (h heads) isHead(key string) bool {
	words := strings.Split(key, ".")
	for i, w := range words {
		if h[w] || i == len(words)-1 && h["*."+w] {
			return true
		}
	}
	return false
}

// isAdapterBase: loading an adapter into a PEFT model lists the whole base
// model as missing, since the adapter's file does not hold it.
func isAdapterBase(key string) bool {
	return strings.HasPrefix(key, "base_model.model.") && !strings.Contains(key, "lora_") &&
		!strings.Contains(key, "modules_to_save")
}
