// Package words finds many words in a text, in one pass: those by which the
// front end tells which of many files it has to parse at all.
//
// What it guarantees: every occurrence of every word is found, overlapping ones
// too. What the words mean, and what may stand around them, is the business of
// the callers.
//
// Why it is shaped so. An occurrence of a word of five bytes or more holds four
// bytes that begin at an even offset, wherever it starts. So only every second
// offset is hashed, into a table that marks the four bytes to look at; of each
// word two are marked, one for each parity, the ones that source holds least
// often. A word of four bytes is marked behind each byte that may stand before
// it: a hundred marks cost less than a pass of its own. Eight offsets share one branch, and no step waits for the one before.
// Letters are folded before they are hashed; a word that counts them is compared
// as it is.
//
// Measured and not taken: the window of Wu and Manber, which stood here first. A
// step that depends on what was found by the one before waits for the table, and
// with hundreds of words it is two bytes long: five times slower.
package words
