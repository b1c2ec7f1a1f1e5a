package syntax

import (
	"os"
	"testing"
)

// BenchmarkParse reads the standard library of python3 again and again.
func BenchmarkParse(b *testing.B) {
	var sources [][]byte
	size := 0
	for _, name := range pythonFiles(b, libraries(b, pythons(b)[0])) {
		src, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		sources = append(sources, src)
		size += len(src)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var p Parser
	for b.Loop() {
		for _, src := range sources {
			p.Parse(src)
		}
	}
}
