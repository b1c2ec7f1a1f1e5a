//go:build unix && !linux

package supervise

func kernelAbout(int, int64, func(string, int) bool) (lines []string, unseen string) {
	return nil, "this system keeps none that trainvet reads"
}
