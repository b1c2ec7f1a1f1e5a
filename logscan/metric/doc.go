// Package metric finds metric values in text lines and metric files: formats
// and names are data (formats.tsv, names.tsv), the readers are code.
package metric
