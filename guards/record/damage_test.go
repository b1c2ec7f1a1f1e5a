package record

import (
	"bytes"
	"fmt"
	"testing"
)

// FuzzDamage breaks a sound file as disks, kills and strangers do: cuts of
// lines, lines of another process between, bytes that are none of ours. No torn
// record may be misread, and none that is whole may be missed.
func FuzzDamage(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7}, []byte("x"))
	f.Add([]byte{40, 200, 81, 17, 250, 3, 99}, []byte("{\"v\":1,"))
	f.Add([]byte{1, 2, 2, 2, 3}, []byte("\n\n\x00\"}"))
	f.Add([]byte{255, 254, 3, 129, 130}, []byte(stepLine(7, 3)[:50]))
	f.Add([]byte{9, 9, 9}, []byte(`,"crc":"00000000"}`))
	f.Fuzz(func(t *testing.T, plan, foreign []byte) {
		var file bytes.Buffer
		whole := map[string]int{} // records that stand in the file as they were written
		for i, what := range plan[:min(len(plan), 64)] {
			line := Append(nil, Head{Wall: int64(i), Mono: 1, Pid: 1 + int(what>>6&1), Rank: None, Seq: uint64(i + 1)}, loss(int64(i)))
			switch what % 5 {
			case 0, 1:
				file.Write(line)
			case 2: // a write that was cut; the writer goes on with a line feed first
				file.Write(line[:int(what)*len(line)/256])
				file.WriteByte('\n')
				continue
			case 3: // a write that was cut, and the next record right behind it
				file.Write(line[:int(what)*len(line)/256])
				continue
			case 4: // bytes of a stranger, and the record behind them
				file.Write(foreign)
				file.WriteByte('\n')
				file.Write(line)
			}
			whole[key(1+int(what>>6&1), int64(i))]++
		}
		recs, _ := readAll(t, file.Bytes())
		for _, r := range recs {
			m, ok := r.Body.(*Metric)
			if !ok {
				continue // the stranger's
			}
			if m.Name == "loss" && m.N == int64(r.Seq)-1 && r.Wall == m.N {
				whole[key(r.Pid, m.N)]--
			}
		}
		for k, n := range whole {
			if n > 0 && !bytes.Contains(foreign, recordStart) {
				t.Fatalf("record %s is whole and was missed in %q", k, file.Bytes())
			}
			if n < 0 && !bytes.Contains(foreign, []byte("crc")) {
				t.Fatalf("record %s was read %d times too often", k, -n)
			}
		}
	})
}

func key(pid int, n int64) string { return fmt.Sprint(pid, "/", n) }
