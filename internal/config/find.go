package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The files that are looked for in each folder, in this order.
const (
	ownFile    = "trainvet.toml"
	pythonFile = "pyproject.toml"
)

// maxBytes is far more than any configuration needs.
const maxBytes = 1 << 20

// Find loads the nearest configuration from folder upwards. Where there is
// none, the defaults hold.
func (s *Schema) Find(folder string) (*Config, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, fmt.Errorf("looking for %s: %w", ownFile, err)
	}
	for {
		c, err := s.inFolder(folder)
		if c != nil || err != nil {
			return c, err
		}
		up := filepath.Dir(folder)
		if up == folder {
			return s.Default(), nil
		}
		folder = up
	}
}

// inFolder returns nil, nil if the folder holds no configuration.
func (s *Schema) inFolder(folder string) (*Config, error) {
	for _, name := range []string{ownFile, pythonFile} {
		path := filepath.Join(folder, name)
		text, err := read(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNoFile) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// Any pyproject.toml on the way up belongs to somebody; only one that
		// speaks of trainvet concerns us.
		if name == pythonFile && !bytes.Contains(text, []byte("trainvet")) {
			continue
		}
		c, err := s.Parse(path, text)
		if err != nil || c.File != "" {
			return c, err
		}
	}
	return nil, nil
}

// Load reads the named file; the null device stands for no file.
func (s *Schema) Load(path string) (*Config, error) {
	if path == os.DevNull {
		return s.Default(), nil
	}
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	c, err := s.Parse(path, text)
	if err == nil && c.File == "" {
		return nil, &Error{File: path, Text: "there is no table [tool.trainvet] in it"}
	}
	return c, err
}

var errNoFile = errors.New("it is not a regular file")

func read(path string) ([]byte, error) {
	// Asked before opening: opening a FIFO would wait for a writer.
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the configuration: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("reading the configuration %s: %w", path, errNoFile)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the configuration %s: %w", path, err)
	case len(text) > maxBytes:
		return nil, &Error{File: path, Text: "it is larger than 1 MiB"}
	}
	return text, nil
}
