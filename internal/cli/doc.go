// Package cli turns a command line into one call of a [Command] and an error
// into an exit code. It is the only importer of urfave/cli, which does the
// parsing of values and the help pages.
//
// What it guarantees for every command:
//   - flags may stand anywhere, also behind arguments and before the command's
//     name; only where a command starts another program does parsing stop at
//     the first word that is no flag;
//   - an unknown command, an unknown flag, a bad value is exit code 2, with
//     what was probably meant, on standard error;
//   - help asked for goes to standard output with exit code 0;
//   - handlers return typed errors ([Usage], [CouldNot], [Outcome]); nothing
//     below main ends the process;
//   - a panic is reported as trainvet's own error, exit code 3, and is never
//     taken for a statement about the run;
//   - an interrupt cancels the context; a reader of standard output that has
//     gone away is no error, a full disk is one.
//
// urfave/cli v2 by itself does none of these: it takes flags behind an argument
// for arguments, exits 0 or 3 on unknown commands, and prints usage errors to
// standard output, into the middle of --format json.
package cli
