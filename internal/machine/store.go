package machine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Dir returns the state directory: TRAINVET_STATE, else trainvet under
// XDG_STATE_HOME, else under ~/.local/state. A relative XDG_STATE_HOME does
// not count, as its specification says.
func Dir(getenv func(string) string) (string, error) {
	if dir := getenv("TRAINVET_STATE"); dir != "" {
		return filepath.Abs(dir)
	}
	if base := getenv("XDG_STATE_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "trainvet"), nil
	}
	home := getenv("HOME")
	if !filepath.IsAbs(home) {
		var err error
		if home, err = os.UserHomeDir(); err != nil {
			return "", fmt.Errorf("finding the state directory (set TRAINVET_STATE): %w", err)
		}
	}
	return filepath.Join(home, ".local", "state", "trainvet"), nil
}

// Store is a state directory. It is made at the first write.
type Store struct {
	dir string
	now func() time.Time
}

// Open returns the store of a directory, which need not exist.
func Open(dir string) *Store { return &Store{dir: dir, now: time.Now} }

// maxFile bounds a state file.
const maxFile = 4 << 20

// Load reads one state file. One that is not there is an empty state; one that
// cannot be read is a state with a taint that says so.
func (s *Store) Load(key Key) State {
	st, err := s.read(key.file())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return State{Version: Version, Key: key}
	case err == nil && st.Key != key:
		err = fmt.Errorf("it is of %s %.80q", st.Key.Kind, st.Key.ID)
	}
	if err != nil {
		return s.damaged(key, err)
	}
	return st
}

// damaged is what stands for a file that cannot be read.
func (s *Store) damaged(key Key, err error) State {
	scope := "device"
	if key.Kind == KindMachine {
		scope = "node"
	}
	since := time.Time{}
	if info, err := os.Stat(filepath.Join(s.dir, key.file())); err == nil {
		since = info.ModTime()
	}
	return State{Version: Version, Key: key, Damaged: err.Error(), Taints: []Taint{{
		Marker: unknownTaint, Scope: scope, Clears: ClearsProbe, Since: since,
		Text: fmt.Sprintf("the state file cannot be read (%v): what it held is not known", err),
	}}}
}

// All reads every state file, sorted by kind and id. A damaged file whose key
// cannot be read is returned under its file name.
func (s *Store) All() ([]State, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the machine state: %w", err)
	}
	var all []State
	for _, e := range entries {
		kind, rest, ok := strings.Cut(e.Name(), "-")
		if !ok || (Kind(kind) != KindMachine && Kind(kind) != KindDevice) || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		st, err := s.read(e.Name())
		if err == nil && st.Key.file() != e.Name() {
			err = errors.New("its name is not the one of its key")
		}
		if err != nil {
			st = s.damaged(Key{Kind: Kind(kind), ID: strings.TrimSuffix(rest, ".json")}, err)
			st.File = e.Name()
			if info, err := e.Info(); err == nil {
				st.Taints[0].Since = info.ModTime()
			}
		}
		all = append(all, st)
	}
	slices.SortStableFunc(all, func(a, b State) int {
		return strings.Compare(string(b.Key.Kind)+"\x00"+a.Key.ID, string(a.Key.Kind)+"\x00"+b.Key.ID)
	})
	return all, nil
}

// SetAside takes a damaged file of [Store.All] out of the state, on the word of a
// person: it is kept under .damaged.
func (s *Store) SetAside(st State) error {
	if st.File == "" || filepath.Base(st.File) != st.File {
		return fmt.Errorf("setting the state of %s aside: it is not damaged", st.Key.ID)
	}
	path := filepath.Join(s.dir, st.File)
	if err := os.Rename(path, path+".damaged"); err != nil {
		return fmt.Errorf("setting the state of %s aside: %w", st.Key.ID, err)
	}
	return nil
}

func (s *Store) read(name string) (State, error) {
	path := filepath.Join(s.dir, name)
	info, err := os.Lstat(path)
	if err != nil {
		return State{}, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return State{}, fmt.Errorf("%s: no regular file of at most %d bytes", name, maxFile)
	}
	f, err := os.Open(path)
	if err != nil {
		return State{}, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return State{}, err
	}
	var st State
	if err := json.Unmarshal(text, &st); err != nil {
		return State{}, fmt.Errorf("%s: %w", name, err)
	}
	if st.Version != Version {
		return State{}, fmt.Errorf("%s: version %d, only %d is known", name, st.Version, Version)
	}
	return st, nil
}

// Update changes one state under its lock: what several processes do at the
// same time is done one after the other. A damaged file is kept beside, under
// .damaged, and its unknown taint goes into the new one. If change returns an
// error nothing is written.
func (s *Store) Update(key Key, change func(*State) error) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("making the state directory: %w", err)
	}
	path := filepath.Join(s.dir, key.file())
	unlock, err := lock(path + ".lock")
	if err != nil {
		return fmt.Errorf("locking the state of %s %s: %w", key.Kind, key.ID, err)
	}
	defer unlock()
	st := s.Load(key)
	if err := change(&st); err != nil {
		return err
	}
	if st.Damaged != "" {
		if err := os.Rename(path, path+".damaged"); err != nil {
			return fmt.Errorf("keeping the damaged state: %w", err)
		}
	}
	st.Version, st.Key, st.Updated = Version, key, s.now().UTC()
	return replace(path, st)
}

// replace writes a file by rename.
func replace(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding %s: %w", filepath.Base(path), err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".writing-*")
	if err != nil {
		return fmt.Errorf("writing the machine state: %w", err)
	}
	_, err = f.Write(append(text, '\n'))
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("writing the machine state: %w", err)
	}
	return nil
}

// file is a name that is safe everywhere: what people read of the id in lower
// case, and a hash, since ids may differ in nothing but case or odd bytes.
func (k Key) file() string {
	readable := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '-':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '_'
	}, k.ID)
	sum := sha256.Sum256([]byte(k.ID))
	return fmt.Sprintf("%s-%.48s-%s.json", k.Kind, readable, hex.EncodeToString(sum[:6]))
}
