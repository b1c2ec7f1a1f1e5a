// Package schema holds the JSON Schemas (draft 2020-12) of every file that
// trainvet writes for other programs: version 1 of each. They are generated
// from the Go types and their comments; the test of this package writes them
// with -update, holds them against the types, and validates the golden files
// of testdata/contracts.
package schema

import "embed"

// Files are the schemas, NAME.schema.json each.
//
//go:embed *.schema.json
var Files embed.FS
