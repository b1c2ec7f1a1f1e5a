// Package python holds what `trainvet run` puts before a Python trainer, and
// writes it as the one file that a PYTHONPATH needs.
//
// What it holds is small: sitecustomize.py, which the interpreter imports
// before the trainer, and the package trainvet, which makes the streams flush
// by line, switches faulthandler on and writes the boot record. A
// sitecustomize that was there before is imported as if ours were not.
//
// What it guarantees: standard library only, Python 3.8 and later; an error of
// its own is written to the run record and the trainer goes on without it;
// TRAINVET=0 leaves the interpreter as it was.
//
// Why a zip file: imports from one leave no __pycache__, so that a run
// directory holds after the run what its trailer says; and the path of the file
// alone names the run directory, which matters where a launcher hands on
// PYTHON* variables and nothing else (DeepSpeed between hosts).
package python
