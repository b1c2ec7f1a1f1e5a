package unit

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Whole makes sure that a unit says what it finds. It returns the name of the
// configuration to run, which it may have written beside the given one.
//
// The go command 1.26 keeps what a unit prints under a key that does not tell
// whether the unit was asked for diagnostics or, as the import of another
// package, for facts only. A package that was analysed as an import first
// answers from the cache with nothing ever after: go vet ./a, which imports b,
// makes go vet ./b pass. So packages of the main modules always answer in
// full. That needs a go command that takes diagnostics as JSON; older ones
// take them for a failure and keep no empty answers.
func Whole(args []string) ([]string, error) {
	last := len(args) - 1
	asJSON := false
	for _, a := range args[:last] {
		name := strings.TrimLeft(a, "-")
		asJSON = asJSON || name == "json" || name == "json=true"
	}
	if !asJSON {
		return args, nil
	}
	name, err := whole(args[last])
	if err != nil {
		return nil, err
	}
	return append(args[:last:last], name), nil
}

func whole(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("reading the unit's configuration: %w", err)
	}
	var cfg struct {
		VetxOnly                  bool
		ModulePath, ModuleVersion string
		Module                    *struct{ Path, Version string }
	}
	var all map[string]json.RawMessage
	if err = json.Unmarshal(text, &cfg); err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return "", fmt.Errorf("reading the unit's configuration %s: %w", file, err)
	}
	if cfg.Module != nil {
		cfg.ModulePath, cfg.ModuleVersion = cfg.Module.Path, cfg.Module.Version
	}
	if !cfg.VetxOnly || cfg.ModulePath == "" || cfg.ModuleVersion != "" {
		return file, nil
	}
	all["VetxOnly"] = json.RawMessage("false")
	if text, err = json.Marshal(all); err != nil {
		return "", fmt.Errorf("writing the unit's configuration: %w", err)
	}
	name := filepath.Join(filepath.Dir(file), "trainvet.cfg")
	if err := os.WriteFile(name, text, 0o666); err != nil {
		return "", fmt.Errorf("writing the unit's configuration: %w", err)
	}
	return name, nil
}
