package rundir

// Trailer closes a run. It names every file of the directory but itself and
// the receipt, which comes later.
type Trailer struct {
	Version  int    `json:"version"`
	ID       string `json:"id"` // of the run, as in the manifest
	Wall     int64  `json:"wall"`
	Mono     int64  `json:"mono"`
	Manifest string `json:"manifest"` // SHA-256 of manifest.json
	Files    []File `json:"files"`    // sorted by name
}

// File is a file with what it must be.
type File struct {
	Name   string `json:"name"` // slash separated, within the directory
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}
