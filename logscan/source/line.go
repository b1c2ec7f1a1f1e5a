package source

// Line is one record of a text source: what stands between two record ends
// (\n or \r), cleaned of terminal control, its prefixes read and taken off.
type Line struct {
	Offset int64  // of the first raw byte, in the decoded source
	End    int64  // behind the last raw byte
	No     int64  // line number from 1, counted by \n only; several records of a bar share one
	Text   []byte // cleaned, prefixes off; valid until the next line
	Bar    bool   // ended by \r, or followed one on the same physical line: a progress bar update
	Prefix Prefix

	// A record over 64 KiB comes in pieces. More: another piece of it follows.
	// Overlap: so many bytes at the start of Text already stood at the end of the
	// piece before; 0 in the first piece.
	More    bool
	Overlap int
}

// Prefix is what stood before the text: stamps, levels, ranks.
type Prefix struct {
	Time       int64  // Unix nanoseconds; for monotonic clocks nanoseconds since boot; 0: none
	Resolution int64  // nanoseconds
	Clock      string // wall, monotonic; empty: no stamp
	Zone       bool   // the stamp names its zone
	Level      byte   // D I W E F C (critical); 0: none
	Rank       int    // -1: none
	Pid        int    // 0: none
	// Printer names the process that printed the line, as evidence.Apart reads it;
	// empty: not said. What may be a thread's number is no process.
	Printer string
	Host    string
	Stream  string // out, err; empty: not said
	Logger  string // python logger, file or program that the prefix names
	Kernel  bool   // a kernel ring buffer line
	// NoYear: the stamp names no year and the source did not show one: Time is
	// counted in the year 2000 and compares only with its like.
	NoYear bool
	// Partial: a container runtime cut the line here; the next record of the
	// same stream goes on with it. Lines joins them, so it never shows there.
	Partial bool
}
