// Package golang holds the Go analyzers: one folder for each rule, and below
// it what they share: unit (a package as the go command hands it over), sites
// (which calls are decode and step sites), guarded (what checks them).
package golang
