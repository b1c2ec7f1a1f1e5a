// Package table reads metric tables: CSV and its relatives, row by row, each
// with its offset and line.
//
// It follows how training programs write them: headers padded with spaces,
// cells that are empty because another metric was logged, a header that is
// written again in the middle of the file with other columns, separators of
// comma, semicolon (then with decimal commas) or tab, quoted cells. A last row
// that was torn off is not a row: it is dropped and reported, as is every row
// whose cells do not fit its header.
package table
