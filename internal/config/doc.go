// Package config finds trainvet's configuration, checks it and remembers where
// each value came from.
//
// The nearest file upwards from the working folder counts, and only that one:
// trainvet.toml, or pyproject.toml with a table [tool.trainvet]. Files are not
// merged, so that one look shows what holds.
//
// Every key is declared in keys.tsv with its type, range, default and the
// reason for that default. A key that is not declared, or a value outside its
// range, is an [Error] with file, line and the key that was probably meant: a
// misspelt threshold that is silently ignored would be worse than none.
//
// The package knows nothing of what the keys mean; the commands hand the values
// to the packages that do.
package config
