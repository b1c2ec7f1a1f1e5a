// Package calls knows who calls whom, by names.
//
// An Index is of one file: functions and classes are found by what their names
// are bound to there, methods of self over the class and its bases in the file,
// and a function that is handed on as a value (to map, Thread, partial) counts
// as called where it is handed on. What an object is, beyond self, is not known:
// a method of another object has no callee.
//
// A Tree is of many files. It follows imports (from m import f, import m.n as x,
// relative ones, what an __init__.py hands on, stars) to the function, class or
// value that a name stands for in another file, methods of self over bases in
// other files, and methods of an object that a known class makes. Files are read
// when they are asked for, and what a Tree says of a file depends on nothing but
// the text of the files: not on who asked first.
//
// An import means a file below the folder of the importing file, one of the
// folders above it up to the root that are no packages themselves, or src, lib
// and python below those; then below the folders that the file itself adds to
// sys.path. What another file adds there, or an installed package would make of
// it, is not known, and a name with several meanings has none.
package calls
