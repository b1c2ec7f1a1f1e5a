// Package python is the front end for Python: it reads the .py files and
// notebooks of a tree and finds in them what the ledger holds, in the words and
// forms that the front end for Go uses.
//
// A scan lists the files (as git does inside of a work tree), reads them with a
// few workers, leaves those at once that hold none of the names that a site
// needs, and parses the others into memory that is used again. No result is
// kept between runs: finding out whether it still holds costs as much.
//
// What could not be read is a unit with a problem, never silence: files that
// are too large, unreadable or not of Python, cells and statements that were
// dropped.
//
// # Dead ends of speed
//
// Measured on a tree of a million lines (45 MB, of which 21 are parsed for sites
// and 28 for the core rules). The time is spread evenly: a third of a scan for
// sites reads syntax, a fifth computes states, nothing else takes a tenth.
//
//   - To skim over the bodies of functions that hold no word of a site: they are
//     56 % of what is parsed for sites, a fifth of the time at best. The core
//     rules look at nearly all of these files and gain nothing, and whoever asks
//     for callers, callees and bindings would have to know what was left out.
//   - A stricter filter: 84 % of the bytes that are parsed hold a site (in a tree
//     of speech recipes 45 %). Of what is parsed for rules alone no rule by itself
//     asks for more than an eighth.
//   - Fewer collections, by a ballast of 48 or 96 MB: at most 2 %, for more memory.
//   - A profile (PGO), GOAMD64=v3, system calls that the scheduler does not see,
//     other orders and writes in the lexer's loop of common tokens: no difference.
//   - Files of which others ask are read once each; they are 3 % to 5 %.
//   - TV503 resolves nearly every call of a training loop sooner or later: to ask
//     first what a function does itself only moves that, and to share what was
//     resolved between rules saves nothing.
package python
