// Package flow gives the rules of a Go package its SSA form, once and only when
// one of them asks: most packages of a build have no site, and building SSA
// for all of them would double the cost of the analysis.
package flow
