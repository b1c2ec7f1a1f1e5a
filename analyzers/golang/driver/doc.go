// Package driver has the go command analyse Go packages and collects what the
// units say: the front end for Go of trainvet vet.
//
// It starts go vet with this program as the tool, once per module and set of
// build tags, so that the go command resolves packages, builds what they
// import, runs units in parallel and keeps their output in its cache. What the
// units found comes back as JSON (package unit).
//
// What it guarantees: a package that was asked for is either analysed or named
// with the reason why it is not. The go command does not keep that promise by
// itself: it gives up on every package when one imports a module that is
// missing, and passes over the importers of a package that does not build. So
// whenever it reports failure, the packages are listed and held against the
// units that answered.
//
// Packages with type errors are not analysed: the facts of what they import
// would be there, their own types would not, and a guard that is not recognised
// for that reason would make a finding. They are searched for the names of
// sites instead, so that it can be said what may have been missed.
package driver
