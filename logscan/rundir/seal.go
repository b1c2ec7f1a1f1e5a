package rundir

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// Version is the version of every file of a run directory.
const Version = 1

// errSeal says that a file does not hold the digest of its own bytes.
var errSeal = errors.New("the file's own digest does not hold")

// A sealed file is indented JSON whose last key is the SHA-256 of all bytes
// before it, so that no byte of it can change unseen, white space included.
const (
	sealKey = ",\n  \"digest\": \""
	sealEnd = "\"\n}\n"
)

// seal encodes v, which must encode as an object with at least one key.
func seal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	body := bytes.TrimSuffix(b.Bytes(), []byte("\n}\n"))
	return append(body, sealKey+digest(body)+sealEnd...), nil
}

// unseal reads what seal wrote. Where only the seal is broken, v is filled all
// the same and the error is errSeal: what the file says is still evidence.
func unseal(b []byte, v any) error {
	if err := json.Unmarshal(b, v); err != nil {
		return err
	}
	n := len(b) - len(sealKey) - sha256.Size*2 - len(sealEnd)
	if n < 0 || string(b[n:]) != sealKey+digest(b[:n])+sealEnd {
		return errSeal
	}
	return nil
}

// checkVersion comes before a file is believed: a later version may mean
// something else by the same words.
func checkVersion(file string, v int) error {
	if v != Version {
		return fmt.Errorf("%s has version %d, only %d is known", file, v, Version)
	}
	return nil
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
