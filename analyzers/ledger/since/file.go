package since

import (
	"bytes"
	"context"
)

// File returns a file below root as a revision has it; false: the revision has
// no such file.
func File(ctx context.Context, root, revision, name string) ([]byte, bool, error) {
	repo := repository{dir: root, revision: revision}
	if err := repo.check(ctx); err != nil {
		return nil, false, err
	}
	listed, err := repo.git(ctx, "ls-tree", "--name-only", "-z", revision, "--", name)
	if err != nil || len(bytes.Trim(listed, "\x00")) == 0 {
		return nil, false, err
	}
	text, err := repo.git(ctx, "show", revision+":./"+name)
	return text, err == nil, err
}
