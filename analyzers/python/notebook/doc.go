// Package notebook makes one Python module of a Jupyter notebook (nbformat 3
// and 4): the code cells one behind the other, so that what one cell binds the
// next one knows, with a map from its lines back to cell and line.
//
// What IPython adds to Python becomes pass on its own line: magics (%), shell
// commands (!), questions (?), cell magics (%%) with the cell they rule. Where
// a magic runs Python (%time, %%capture; magics.txt lists them) the Python
// stays, in its columns.
//
// A cell that is no Python even so is left out alone, and named; where only few
// of its statements are broken, only these. Outputs, most of the bytes of a
// notebook, are passed without being decoded.
package notebook
