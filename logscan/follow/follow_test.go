package follow

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/require"
)

// all reads what is there by now: bytes, and gaps as their kinds.
func all(t *testing.T, f *Follower) (text string, gaps []Kind) {
	t.Helper()
	for {
		e, ok, err := f.Ready()
		require.NoError(t, err)
		if !ok {
			return text, gaps
		}
		if e.Gap != nil {
			gaps = append(gaps, e.Gap.Kind)
		} else {
			text += string(e.Bytes)
		}
	}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	require.NoError(t, err)
	_, err = f.WriteString(text)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

func TestAFileThatGrowsHasNoGap(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	appendTo(t, path, "one\n")
	f, err := Open(path, Options{})
	require.NoError(t, err)
	defer f.Close()
	for _, text := range []string{"one\n", "tw", "o\n", "three\n"} {
		if text != "one\n" {
			appendTo(t, path, text)
		}
		got, gaps := all(t, f)
		require.Equal(t, text, got)
		require.Empty(t, gaps)
	}
}

func open(t *testing.T, path string, opt Options) *Follower {
	t.Helper()
	f, err := Open(path, opt)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

// until waits for bytes that end in text, and gives all that came.
func until(t *testing.T, f *Follower, end string) (text string, gaps []Kind) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for !strings.HasSuffix(text, end) {
		e, err := f.Next(ctx)
		require.NoError(t, err, "%q", text)
		if e.Gap != nil {
			gaps = append(gaps, e.Gap.Kind)
		} else {
			text += string(e.Bytes)
		}
	}
	return text, gaps
}

func TestAFileThatIsNotThereYet(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	_, err := Open(path, Options{})
	require.ErrorIs(t, err, fs.ErrNotExist)
	f := open(t, path, Options{Wait: true})
	_, ok, err := f.Ready()
	require.NoError(t, err)
	require.False(t, ok)
	appendTo(t, path, "one\n")
	text, gaps := until(t, f, "one\n")
	require.Equal(t, "one\n", text)
	require.Empty(t, gaps)
}

func TestTakingOver(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	appendTo(t, path, "one\ntwo\n")
	text, gaps := all(t, open(t, path, Options{From: 4}))
	require.Equal(t, "two\n", text)
	require.Empty(t, gaps)

	f := open(t, path, Options{From: 100})
	text, gaps = all(t, f)
	require.Equal(t, "one\ntwo\n", text, "shorter than what had been read")
	require.Equal(t, []Kind{Truncated}, gaps)
}

func TestCuts(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	appendTo(t, path, "one\ntwo\n")
	f := open(t, path, Options{})
	all(t, f)
	for _, tt := range []struct {
		what string
		do   func() error
		text string
		gaps []Kind
	}{
		{"cut to nothing", func() error { return os.Truncate(path, 0) }, "", []Kind{Truncated}},
		{"grown", func() error { return os.WriteFile(path, []byte("1\n2\n3\n"), 0o600) }, "1\n2\n3\n", nil},
		{"cut and regrown longer", func() error { return os.WriteFile(path, []byte("a\nb\nc\nd\n"), 0o600) }, "a\nb\nc\nd\n", []Kind{Rewritten}},
		{"cut and regrown as long", func() error { return os.WriteFile(path, []byte("A\nb\nc\nd\n"), 0o600) }, "A\nb\nc\nd\n", []Kind{Rewritten}},
		{"a writer that kept its place", func() error {
			if err := os.Truncate(path, 0); err != nil {
				return err
			}
			w, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = w.WriteAt([]byte("next\n"), 300_000)
			return errors.Join(err, w.Close())
		}, "next\n", []Kind{Rewritten, Hole}},
	} {
		require.NoError(t, tt.do(), tt.what)
		text, gaps := all(t, f)
		require.Equal(t, tt.text, text, tt.what)
		require.Equal(t, tt.gaps, gaps, tt.what)
	}
}

// TestALateWriter holds the renamed file and writes on, as a logger does that
// never opens its file again. Nothing waits for it, and nothing of it is lost.
func TestALateWriter(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	late, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	require.NoError(t, err)
	defer late.Close()
	f := open(t, path, Options{Grace: 50 * time.Millisecond})
	require.NoError(t, os.Rename(path, path+".1"))
	appendTo(t, path, "new\n")
	text, gaps := until(t, f, "new\n")
	require.Equal(t, "new\n", text)
	require.Equal(t, []Kind{Rotated}, gaps)
	_, err = late.WriteString("late\n")
	require.NoError(t, err)
	e, err := f.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, "late\n", string(e.Bytes))
	require.Equal(t, 0, e.Generation)
	appendTo(t, path, "newer\n")
	e, err = f.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, "newer\n", string(e.Bytes))
	require.Equal(t, 1, e.Generation)
}

func TestRemovedAndMadeAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	appendTo(t, path, "one\n")
	f := open(t, path, Options{})
	all(t, f)
	require.NoError(t, os.Remove(path))
	e, err := f.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, Removed, e.Gap.Kind)
	_, gaps := all(t, f)
	require.Empty(t, gaps, "it is said once")
	appendTo(t, path, "two\n")
	text, gaps := until(t, f, "two\n")
	require.Equal(t, "two\n", text)
	require.Equal(t, []Kind{Replaced}, gaps)
}

// TestAGenerationThatWasPacked between two looks cannot be read on.
func TestAGenerationThatWasPacked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	appendTo(t, path, "one\n")
	f := open(t, path, Options{})
	all(t, f)
	require.NoError(t, os.Rename(path, path+".2"))
	require.NoError(t, os.WriteFile(path+".1.gz", []byte("\x1f\x8b"), 0o600))
	appendTo(t, path, "three\n")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	e, err := f.Next(ctx)
	require.NoError(t, err)
	require.Equal(t, Rotated, e.Gap.Kind)
	require.EqualValues(t, NotKnown, e.Gap.Lost)
	require.Contains(t, e.Gap.Reason, "not read: log.1.gz")
}

// TestOneRotationOfWhichAllWasRead can say that nothing is lost, where the folder
// is watched and the files of all processes can be looked at. A machine that is
// slow to notify may not know it in time.
func TestOneRotationOfWhichAllWasRead(t *testing.T) {
	t.Parallel()
	rotation := func(poll bool) Gap {
		path := filepath.Join(t.TempDir(), "log")
		appendTo(t, path, "one\n")
		f := open(t, path, Options{Poll: poll})
		all(t, f)
		require.NoError(t, os.Rename(path, path+".1"))
		appendTo(t, path, "two\n")
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		e, err := f.Next(ctx)
		require.NoError(t, err)
		require.Equal(t, Rotated, e.Gap.Kind)
		return *e.Gap
	}
	require.EqualValues(t, NotKnown, rotation(true).Lost)
	for range 20 {
		gap := rotation(false)
		if gap.Lost == 0 || runtime.GOOS != "linux" || strings.Contains(gap.Reason, "cannot be seen") {
			return
		}
	}
	t.Fatal("never known")
}

func TestLostNotificationsAreSaid(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	appendTo(t, path, "one\n")
	f := open(t, path, Options{})
	all(t, f)
	f.wake.fault(fsnotify.ErrEventOverflow)
	appendTo(t, path, "two\n")
	text, gaps := all(t, f)
	require.Equal(t, "two\n", text)
	require.Equal(t, []Kind{Overflow}, gaps)
}

func TestWhatIsNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := Open(dir, Options{})
	require.ErrorContains(t, err, "no regular file")
}

func TestPollingSaysWhy(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	appendTo(t, path, "one\n")
	require.Equal(t, "as asked", open(t, path, Options{Poll: true}).Polling())
	require.Empty(t, open(t, path, Options{}).Polling())
}

// FuzzGuard: whatever is done to a file between two looks, what is given behind
// a gap begins with the file's new start, and what is given without one goes on
// where the last bytes stood.
func FuzzGuard(f *testing.F) {
	f.Add([]byte("one\n"), []byte("one\ntwo\n"))
	f.Add([]byte("one\n"), []byte("two\n"))
	f.Add(bytes.Repeat([]byte("x"), 2000), bytes.Repeat([]byte("x"), 1999))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, before, after []byte) {
		path := filepath.Join(dir, "log")
		require.NoError(t, os.WriteFile(path, before, 0o600))
		fl, err := Open(path, Options{Poll: true})
		require.NoError(t, err)
		defer fl.Close()
		text, _ := all(t, fl)
		require.Equal(t, string(before), text)
		require.NoError(t, os.WriteFile(path, after, 0o600))
		text, gaps := all(t, fl)
		if len(gaps) == 0 {
			seen := before[max(0, len(before)-guardSize):]
			require.True(t, len(after) >= len(before) && bytes.Equal(after[len(before)-len(seen):len(before)], seen))
			require.Equal(t, string(after[len(before):]), text)
			return
		}
		require.Equal(t, string(bytes.TrimLeft(after, "\x00")), text)
	})
}
