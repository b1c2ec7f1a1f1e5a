module github.com/trainvet/trainvet

go 1.26
