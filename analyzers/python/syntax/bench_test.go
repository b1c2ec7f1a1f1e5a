package syntax

import (
	"os"
	"testing"
)

// corpus is the standard library of python3, or TRAINVET_PYTHON_TREES.
func corpus(b *testing.B) (sources [][]byte, size int) {
	b.Helper()
	for _, name := range pythonFiles(b, libraries(b, pythons(b)[0])) {
		src, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		sources = append(sources, src)
		size += len(src)
	}
	return sources, size
}

// BenchmarkParse measures one core: MB/s of source. cpu-MB/s is the same by
// processor time, which a busy machine changes less.
func BenchmarkParse(b *testing.B) {
	sources, size := corpus(b)
	b.SetBytes(int64(size))
	var p Parser
	start := processTime()
	for b.Loop() {
		for _, src := range sources {
			p.Parse(src)
		}
	}
	if used := processTime() - start; used > 0 {
		b.ReportMetric(float64(size)*float64(b.N)/1e6/used.Seconds(), "cpu-MB/s")
	}
}
