package golangci

import (
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"
)

// TestLinterIsFound takes the way that golangci-lint takes.
func TestLinterIsFound(t *testing.T) {
	newPlugin, err := register.GetPlugin("trainvet")
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := newPlugin(nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := plugin.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	if err := analysis.Validate(list); err != nil || len(list) == 0 {
		t.Errorf("%d analyzers: %v", len(list), err)
	}
	if plugin.GetLoadMode() != register.LoadModeTypesInfo {
		t.Error("the analyzers need types")
	}
}
