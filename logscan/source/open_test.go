package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"github.com/ulikunitz/xz"
)

func gzipBytes(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func zstdBytes(t *testing.T, text string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return w.EncodeAll([]byte(text), nil)
}

func xzBytes(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := xz.NewWriter(&b)
	require.NoError(t, err)
	_, err = io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// input expands one file with this content.
func input(t *testing.T, name string, content []byte, opt Options) (*Input, *Set) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, content, 0o644))
	set, err := expand(t, opt, path)
	require.NoError(t, err)
	if len(set.Inputs) == 0 {
		return nil, set
	}
	return &set.Inputs[0], set
}

func manyLines() string {
	var b strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&b, "step %d loss %.4f time %d\n", i, 3/float64(i+1), i*7919%10007)
	}
	return b.String()
}

func TestCompressed(t *testing.T) {
	t.Parallel()
	text := manyLines()
	for name, pack := range map[string]func(*testing.T, string) []byte{"gz": gzipBytes, "zst": zstdBytes, "xz": xzBytes} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := pack(t, text)
			in, _ := input(t, "train.log", whole, Options{}) // the name does not count
			require.Equal(t, Console, in.Kind)
			require.True(t, text == readAll(t, in))

			in, _ = input(t, "two."+name, append(bytes.Clone(whole), pack(t, "tail\n")...), Options{})
			require.True(t, text+"tail\n" == readAll(t, in))

			in, _ = input(t, "cut."+name, whole[:len(whole)*2/3], Options{})
			got, err := readPrefixOf(t, in)
			var cut *Truncated
			require.ErrorAs(t, err, &cut)
			require.EqualValues(t, len(got), cut.At)
			require.Greater(t, len(got), len(text)/3)
			require.True(t, strings.HasPrefix(text, got))
		})
	}
}

func readPrefixOf(t *testing.T, in *Input) (string, error) {
	t.Helper()
	r, err := in.Open(context.Background())
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return string(b), err
}

func TestGzipPaddingAndGarbage(t *testing.T) {
	t.Parallel()
	whole := gzipBytes(t, logText)
	in, _ := input(t, "a.gz", append(bytes.Clone(whole), make([]byte, 1000)...), Options{})
	require.Equal(t, logText, readAll(t, in))
	in, _ = input(t, "b.gz", append(bytes.Clone(whole), "garbage and more of it"...), Options{})
	got, err := readPrefixOf(t, in)
	var damaged *Corrupt
	require.ErrorAs(t, err, &damaged)
	require.Equal(t, logText, got)
	damagedText := gzipBytes(t, manyLines())
	damagedText[len(damagedText)/2] ^= 0x55
	in, _ = input(t, "c.gz", damagedText, Options{})
	_, err = readPrefixOf(t, in)
	var cut *Truncated
	require.True(t, errors.As(err, &damaged) || errors.As(err, &cut), "%v", err)
}

func TestBombs(t *testing.T) {
	t.Parallel()
	zeros := func(t *testing.T, pack func(io.Writer) (io.WriteCloser, error), n int64) []byte {
		t.Helper()
		var b bytes.Buffer
		w, err := pack(&b)
		require.NoError(t, err)
		_, err = io.WriteString(w, logText)
		require.NoError(t, err)
		_, err = io.CopyN(w, endless('\n'), n)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return b.Bytes()
	}
	packers := map[string]func(io.Writer) (io.WriteCloser, error){
		"gz":  func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		"zst": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
	}
	for name, pack := range packers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bomb := zeros(t, pack, 2*ratioFrom)
			in, _ := input(t, "a."+name, bomb, Options{})
			r, err := in.Open(context.Background())
			require.NoError(t, err)
			defer r.Close()
			n, err := io.Copy(io.Discard, r)
			var b *Bomb
			require.ErrorAs(t, err, &b)
			require.Less(t, n, int64(2*ratioFrom))

			in, _ = input(t, "b."+name, zeros(t, pack, 1<<20), Options{MaxOutput: 1 << 18})
			_, err = readPrefixOf(t, in)
			require.ErrorAs(t, err, &b)
		})
	}
}

func TestWindowsAreBounded(t *testing.T) {
	t.Parallel()
	// A zstd frame that asks for a window of 2 GiB, and an xz block that asks for
	// a dictionary of 4 GiB (its header's checksum is not even looked at).
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, (31 - 10) << 3, 1, 0, 0}
	in, set := input(t, "a.zst", frame, Options{})
	require.Nil(t, in)
	require.Len(t, set.Unread, 1)
	require.Contains(t, set.Unread[0].Why, "64 MiB")
	block := xzBytes(t, logText)
	block[12+4] = 40
	in, set = input(t, "a.xz", block, Options{})
	require.Nil(t, in)
	require.Contains(t, set.Unread[0].Why, "64 MiB")
	require.EqualValues(t, 8<<20, xzDictionary(xzBytes(t, logText)))
}

func TestFileThatBecomesShorter(t *testing.T) {
	t.Parallel()
	in, _ := input(t, "train.log", []byte(manyLines()), Options{})
	r, err := in.Open(context.Background())
	require.NoError(t, err)
	defer r.Close()
	require.NoError(t, os.Truncate(in.Path, 100))
	got, err := io.ReadAll(r)
	var cut *Truncated
	require.ErrorAs(t, err, &cut)
	require.Len(t, got, 100)
}

func TestArchivesAreNamed(t *testing.T) {
	t.Parallel()
	tar := make([]byte, 2048)
	copy(tar, "train.log")
	copy(tar[257:], "ustar\x00")
	for name, content := range map[string][]byte{"a.tar": tar, "a.tar.gz": gzipBytes(t, string(tar)), "a.zip": []byte("PK\x03\x04rest of it"), "a.bz2": []byte("BZh91AY&SY")} {
		in, set := input(t, name, content, Options{})
		require.Nil(t, in, name)
		require.Contains(t, set.Unread[0].Why, "archive", name)
	}
}

func utf16Bytes(text string, big, mark bool) []byte {
	units := utf16.Encode([]rune(text))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	var b []byte
	for _, u := range units {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

func TestUTF16(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("step 3 loss 0.51 █▏ 😀 ü\r\n", 3000)
	for _, big := range []bool{false, true} {
		for _, mark := range []bool{false, true} {
			in, _ := input(t, "train.log", utf16Bytes(text, big, mark), Options{})
			require.Equal(t, Console, in.Kind)
			require.Equal(t, text, readAll(t, in))
		}
	}
	in, _ := input(t, "train.log.gz", gzipBytes(t, string(utf16Bytes(text, false, true))), Options{})
	require.Equal(t, text, readAll(t, in))
}

func TestNotUTF16(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"begins like a mark": "\xff\xfestep 3 loss 0.5\nNVRM: Xid\n",
		"invalid UTF-8":      "step 3 loss 0.5 \xe9\xff\n",
		"hole":               strings.Repeat("\x00", 40000) + logText,
		"hole within":        logText + strings.Repeat("\x00", 40000) + logText,
	} {
		in, set := input(t, "train.log", []byte(text), Options{})
		require.NotNil(t, in, "%s: %v", name, set.Unread)
		require.Equal(t, Console, in.Kind, name)
		require.Equal(t, text, readAll(t, in), name)
		r, err := in.Open(context.Background())
		require.NoError(t, err)
		at, size, ok := r.Plain()
		require.True(t, ok)
		require.EqualValues(t, len(text), size)
		first := make([]byte, 1)
		_, err = at.ReadAt(first, size-1)
		require.NoError(t, err)
		require.Equal(t, byte('\n'), first[0])
		r.Close()
	}
}

func TestDocker(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	entry := func(log, stream string) {
		text, err := json.Marshal(log)
		require.NoError(t, err)
		fmt.Fprintf(&b, "{\"log\":%s,\"stream\":%q,\"attrs\":{\"tag\":\"a\",\"n\":[1,2]},\"time\":\"2026-01-02T10:11:12.5Z\"}\n", text, stream)
	}
	entry("loss: 0.5 \"q\" \\ é 😀 \x1b[31mred\x1b[0m\n", "stdout")
	entry("half ", "stderr")
	entry("line\r\n", "stderr")
	entry("10%\r20%\n", "stdout")
	b.WriteString("torn {\"log\":\n")
	in, _ := input(t, "c-json.log", []byte(b.String()), Options{})
	require.Equal(t, Console, in.Kind)
	r, err := in.Open(context.Background())
	require.NoError(t, err)
	defer r.Close()
	var got []string
	require.NoError(t, NewLines(r, in.Style).Each(context.Background(), func(l *Line) error {
		got = append(got, fmt.Sprintf("%d %s %s", l.No, l.Prefix.Stream, l.Text))
		return nil
	}))
	require.Equal(t, []string{"1 out loss: 0.5 \"q\" \\ é 😀 red", "2 err half line", "4 out 10%", "4 out 20%", "5  torn {\"log\":"}, got)
}

func TestJournal(t *testing.T) {
	t.Parallel()
	log := `{"__REALTIME_TIMESTAMP":"1767348672500000","_HOSTNAME":"node7","SYSLOG_IDENTIFIER":"kernel","_TRANSPORT":"kernel","PRIORITY":"3","MESSAGE":"NVRM: \"q\"\nsecond"}
{"MESSAGE":[115,116,101,112,32,255],"_PID":"12","_COMM":"train","__REALTIME_TIMESTAMP":"1767348673500000","_HOSTNAME":"node7"}
{"__REALTIME_TIMESTAMP":"1767348674500000","PRIORITY":"3"}
`
	in, _ := input(t, "journal.json", []byte(log), Options{})
	require.Equal(t, Console, in.Kind)
	r, err := in.Open(context.Background())
	require.NoError(t, err)
	defer r.Close()
	var got []string
	require.NoError(t, NewLines(r, in.Style).Each(context.Background(), func(l *Line) error {
		got = append(got, fmt.Sprintf("%d %v %s %s %s", l.No, l.Prefix.Kernel, l.Prefix.Host, time.Unix(0, l.Prefix.Time).UTC().Format(time.RFC3339Nano), l.Text))
		return nil
	}))
	require.Equal(t, []string{
		`1 true node7 2026-01-02T10:11:12.5Z NVRM: "q"`, "1 false node7 2026-01-02T10:11:12.5Z second", "2 false node7 2026-01-02T10:11:13.5Z step \xff",
		`3 false  1970-01-01T00:00:00Z {"__REALTIME_TIMESTAMP":"1767348674500000","PRIORITY":"3"}`,
	}, got)
}

func FuzzWrapped(f *testing.F) {
	f.Add([]byte(`{"log":"a\n","stream":"stdout","time":"2026-01-02T10:11:12.5Z"}`))
	f.Add([]byte(`{"log":"\ud83d\ude00","attrs":{"a":[{}]},"stream":"stderr","time":"2026-01-02T10:11:12Z"}`))
	f.Add([]byte(`{"MESSAGE":[78,10,86],"_PID":"1","__REALTIME_TIMESTAMP":"1767348673500000"}`))
	lines := func(b []byte) int { return bytes.Count(append(bytes.TrimSuffix(b, []byte{'\n'}), '\n'), []byte{'\n'}) }
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, as := range []wrapping{dockerLines, journalLines} {
			out, err := io.ReadAll(newUnwrapReader(bytes.NewReader(in), as))
			if err != nil || len(in) > 0 && lines(bytes.Clone(in)) != lines(out) {
				t.Fatalf("%q became %q, %v", in, out, err)
			}
		}
	})
}
