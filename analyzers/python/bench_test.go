package python

import (
	"context"
	"os"
	"testing"
)

// BenchmarkScan scans a tree that is not here: TRAINVET_TREE names it.
func BenchmarkScan(b *testing.B) {
	dir := os.Getenv("TRAINVET_TREE")
	if dir == "" {
		b.Skip("TRAINVET_TREE is not set: it names a tree of Python to scan")
	}
	for _, c := range []struct {
		name  string
		rules func(string) bool
	}{
		{"sites", func(string) bool { return false }},
		{"core", nil},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				res, err := Scan(context.Background(), Options{Root: dir, Folders: []string{dir}, Rules: c.rules})
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(res.Stats.Bytes)
				b.ReportMetric(float64(res.Stats.Parsed), "parsed")
			}
		})
	}
}
