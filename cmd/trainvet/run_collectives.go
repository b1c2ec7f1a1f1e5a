package main

import (
	"github.com/trainvet/trainvet/guards/python"
	"github.com/trainvet/trainvet/internal/cli"
)

// collectivesFlag costs a line of the record for each call.
var collectivesFlag = cli.Flag{Name: "collectives", Help: "each rank writes what it hands to collectives, for the audit to hold against the other ranks (a line a call)"}

func collectivesVars(call *cli.Call) ([]string, error) {
	if !call.Switch("collectives") {
		return nil, nil
	}
	return []string{python.EnvCollectives + "=1"}, nil
}
