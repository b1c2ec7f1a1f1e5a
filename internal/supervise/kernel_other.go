//go:build unix && !linux

package supervise

func kernelAbout(int, int64) (lines []string, unseen string) {
	return nil, "this system keeps none that trainvet reads"
}
