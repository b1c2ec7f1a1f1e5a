// Package python is the front end for Python: it reads the .py files and
// notebooks of a tree and finds in them what the ledger holds, in the words and
// forms that the front end for Go uses.
//
// A scan lists the files (as git does inside of a work tree), reads them with a
// few workers, leaves those at once that hold none of the names that a site
// needs, and parses the others into memory that is used again. No result is
// kept between runs: finding out whether it still holds costs as much. Building
// with a profile (PGO) was measured and makes no difference.
//
// What could not be read is a unit with a problem, never silence: files that
// are too large, unreadable or not of Python, cells and statements that were
// dropped.
package python
