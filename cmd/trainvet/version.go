package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// build says what this binary was made from and which contracts it speaks.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Evidence int    `json:"evidence_version"`
	Result   int    `json:"result_version"`
}

func versionCommand() cli.Command {
	return cli.Command{
		Name:    "version",
		Summary: "print what this binary was built from",
		Formats: []string{"text", "json"},
		Run: func(_ context.Context, call *cli.Call) error {
			if err := printBuild(call); err != nil {
				return cli.CouldNot("printing the version", err)
			}
			return nil
		},
	}
}

func printBuild(call *cli.Call) error {
	b := readBuild()
	if call.Format == "json" {
		enc := json.NewEncoder(call.Stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(b)
	}
	commit := b.Commit
	if b.Modified {
		commit += " (modified)"
	}
	if commit == "" {
		commit = "not recorded"
	}
	_, err := fmt.Fprintf(call.Stdout, "trainvet %s\ncommit %s\n%s %s\nevidence v%d, result v%d\n",
		b.Version, commit, b.Go, b.Platform, b.Evidence, b.Result)
	return err
}

func readBuild() build {
	b := build{
		Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Evidence: evidence.Version, Result: verdict.ResultVersion,
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}
