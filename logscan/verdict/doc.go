// Package verdict computes what can be believed: Judge(Evidence) Result. It is
// pure: the same evidence gives the same result everywhere.
package verdict
