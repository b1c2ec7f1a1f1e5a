package guards

import (
	"testing"

	"github.com/trainvet/trainvet/guards/record"
)

// A code that the table of grades does not know would be recorded as an error
// of the guards, and as nothing else.
func TestEveryCodeIsARowOfTheTable(t *testing.T) {
	t.Parallel()
	grades, err := record.Grades()
	if err != nil {
		t.Fatal(err)
	}
	class := map[string]record.Class{}
	for _, g := range grades {
		class[g.Code] = g.Class
	}
	want := map[string]record.Class{
		"ids-signature": record.ClassFault, "ids-impossible": record.ClassFault, "ids-unmapped-witness": record.ClassFault, "fill-float": record.ClassFault,
		"ids-reverse-gap": record.ClassQuality, "nonfinite-gradient-stays": record.ClassQuality, "gradient-spike": record.ClassQuality,
		"scale-zero": record.ClassQuality, "scale-nonfinite": record.ClassQuality, "scale-floor": record.ClassQuality,
		"ids-unmapped": record.ClassDoubt, "ids-unmapped-many": record.ClassDoubt, "ids-stuck": record.ClassDoubt,
	}
	for _, q := range quantities {
		want[q.code] = record.ClassQuality
	}
	for code, c := range want {
		if class[code] != c {
			t.Errorf("%s is of class %q, want %q", code, class[code], c)
		}
	}
}
