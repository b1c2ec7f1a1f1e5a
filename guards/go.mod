module github.com/trainvet/trainvet/guards

go 1.24
