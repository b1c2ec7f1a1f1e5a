// Package mend writes the code of suggested fixes.
package mend
