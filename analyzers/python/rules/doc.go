// Package rules says what is wrong with a Python trainer, beyond its sites.
//
// A Rule is one code: the words that a file must hold for it to run at all, and
// a function that looks at a File and reports. Its text, its severity and its
// tier stand in analyzers/rules, under its code. A File gives a rule the tree,
// the names, calls by name, flow graphs and the frameworks that the file uses,
// each made when a rule asks for it first.
//
// Most files hold none of the words and are never parsed: one pass over the
// bytes finds all words of all rules. What a rule has to know of other files it
// asks through conditions of a finding (a word that no file of the tree may
// hold) or through notes, which come together once every file was read.
//
// Rules report nothing in tests, unless they are about tests.
package rules
