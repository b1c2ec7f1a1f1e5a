// Package since tells what of a work tree is older than a git revision, for
// --new-from: old sites are debt, new ones fail.
//
// A line is new when git's line map does not lead it back to the revision.
// White space does not make a line new, nor does the renaming of its file, nor
// moving it: a block of lines that was taken out in one place and put in at
// another is old. A block counts when three of its lines say more than a
// bracket; a single line that turns up elsewhere is as likely a new call as an
// old one, and is new. A file that git does not know is new.
package since
