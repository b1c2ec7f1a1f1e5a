package since

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// RevisionError is a revision that git cannot compare with.
type RevisionError struct {
	Revision string
	Text     string
}

func (e *RevisionError) Error() string {
	return fmt.Sprintf("comparing with revision %q: %s", e.Revision, e.Text)
}

// repository runs git in one folder.
type repository struct{ dir, revision string }

// diff compares the work tree below the folder with the revision.
func (r repository) diff(ctx context.Context) ([]byte, error) {
	return r.git(ctx, "diff", "--unified=0", "--ignore-all-space", "--find-renames", "--no-color", "--no-ext-diff",
		"--no-textconv", "--relative", "--src-prefix=a/", "--dst-prefix=b/", r.revision, "--", ".")
}

// known lists the files of the index below the folder; the others are new.
func (r repository) known(ctx context.Context) (map[string]bool, error) {
	out, err := r.git(ctx, "ls-files", "-z")
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for name := range strings.SplitSeq(string(out), "\x00") {
		names[name] = true
	}
	return names, nil
}

// check refuses what git would take for something else than a commit.
func (r repository) check(ctx context.Context) error {
	if strings.HasPrefix(r.revision, "-") {
		return &RevisionError{r.revision, "that is no revision"}
	}
	_, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", r.revision+"^{commit}")
	var wrong *RevisionError
	if errors.As(err, &wrong) && wrong.Text == "exit status 1" {
		return &RevisionError{r.revision, "this repository has no such commit; a shallow clone lacks older ones"}
	}
	return err
}

func (r repository) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.quotePath=true"}, args...)...)
	cmd.Dir = r.dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	switch {
	case err == nil:
		return out.Bytes(), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, &RevisionError{r.revision, "there is no git"}
	}
	text, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
	if text == "" {
		text = err.Error()
	}
	return nil, &RevisionError{r.revision, text}
}
