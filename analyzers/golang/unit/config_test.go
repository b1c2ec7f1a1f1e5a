package unit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWholeAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cfg   string
		wider bool
	}{
		"asked for":           {`{"VetxOnly":false,"ModulePath":"m"}`, false},
		"an import of ours":   {`{"VetxOnly":true,"ModulePath":"m","GoFiles":["a.go"],"New":{"x":[1]}}`, true},
		"newer go command":    {`{"VetxOnly":true,"Module":{"Path":"m"}}`, true},
		"of another module":   {`{"VetxOnly":true,"ModulePath":"m","ModuleVersion":"v1.0.0"}`, false},
		"the same, newer":     {`{"VetxOnly":true,"Module":{"Path":"m","Version":"v1.0.0"}}`, false},
		"standard library":    {`{"VetxOnly":true}`, false},
		"no module at all":    {`{"VetxOnly":true,"ModulePath":""}`, false},
		"said of both, newer": {`{"VetxOnly":true,"ModulePath":"m","Module":{"Path":"m","Version":"v1.0.0"}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "vet.cfg")
			require.NoError(t, os.WriteFile(file, []byte(c.cfg), 0o644))
			args, err := Whole([]string{"-json", file})
			require.NoError(t, err)
			require.Equal(t, c.wider, args[1] != file)
			var before, after map[string]any
			require.NoError(t, json.Unmarshal([]byte(c.cfg), &before))
			text, err := os.ReadFile(args[1])
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(text, &after))
			if c.wider {
				require.Equal(t, false, after["VetxOnly"])
				after["VetxOnly"] = true
			}
			require.Equal(t, before, after, "nothing else is changed")
			plain, err := Whole([]string{file})
			require.NoError(t, err)
			require.Equal(t, []string{file}, plain, "an older go command takes diagnostics of an import for a failure")
		})
	}
	broken := filepath.Join(t.TempDir(), "vet.cfg")
	require.NoError(t, os.WriteFile(broken, []byte("{"), 0o644))
	_, err := Whole([]string{"-json", broken})
	require.ErrorContains(t, err, broken)
	_, err = Whole([]string{"-json", broken + ".absent"})
	require.Error(t, err)
}
