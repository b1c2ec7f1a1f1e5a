package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
)

// validator knows the part of JSON Schema that the generator writes.
type validator struct{ root map[string]any }

func (v validator) check(schema map[string]any, value any, at string) error {
	for key, want := range schema {
		if err := v.keyword(key, want, schema, value, at); err != nil {
			return err
		}
	}
	return nil
}

func (v validator) keyword(key string, want any, schema map[string]any, value any, at string) error {
	object, isObject := value.(map[string]any)
	switch key {
	case "$ref":
		name := strings.TrimPrefix(want.(string), "#/$defs/")
		def, ok := v.root["$defs"].(map[string]any)[name].(map[string]any)
		if !ok {
			return fmt.Errorf("%s: no definition %s", at, name)
		}
		return v.check(def, value, at)
	case "type":
		return checkType(want, value, at)
	case "enum":
		if !slices.ContainsFunc(want.([]any), func(w any) bool { return reflect.DeepEqual(w, value) }) {
			return fmt.Errorf("%s: %v is none of %v", at, value, want)
		}
	case "const":
		if !reflect.DeepEqual(want, value) {
			return fmt.Errorf("%s: %v is not %v", at, value, want)
		}
	case "minimum":
		if n, ok := value.(json.Number); ok && strings.HasPrefix(n.String(), "-") {
			return fmt.Errorf("%s: %s is below 0", at, n)
		}
	case "required":
		for _, k := range want.([]any) {
			if _, ok := object[k.(string)]; isObject && !ok {
				return fmt.Errorf("%s: %s is missing", at, k)
			}
		}
	case "properties":
		for k, sub := range want.(map[string]any) {
			if x, ok := object[k]; ok {
				if err := v.check(sub.(map[string]any), x, at+"/"+k); err != nil {
					return err
				}
			}
		}
	case "additionalProperties":
		for k, x := range object {
			if err := v.check(want.(map[string]any), x, at+"/"+k); err != nil {
				return err
			}
		}
	case "items":
		list, _ := value.([]any)
		for i, x := range list {
			if err := v.check(want.(map[string]any), x, fmt.Sprintf("%s/%d", at, i)); err != nil {
				return err
			}
		}
	case "anyOf":
		var errs []string
		for _, sub := range want.([]any) {
			err := v.check(sub.(map[string]any), value, at)
			if err == nil {
				return nil
			}
			errs = append(errs, err.Error())
		}
		return fmt.Errorf("%s: none of the forms fits: %s", at, strings.Join(errs, "; "))
	case "$schema", "$id", "title", "description", "$defs", "format":
	default:
		return fmt.Errorf("%s: the validator does not know %q", at, key)
	}
	return nil
}

func checkType(want, value any, at string) error {
	list, ok := want.([]any)
	if !ok {
		list = []any{want}
	}
	got := typeOf(value)
	if slices.Contains(list, any(got)) || (got == "integer" && slices.Contains(list, any("number"))) {
		return nil
	}
	return fmt.Errorf("%s: %s where %v is expected", at, got, want)
}

func typeOf(value any) string {
	switch x := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case json.Number:
		if r, ok := new(big.Rat).SetString(x.String()); ok && r.IsInt() {
			return "integer"
		}
		return "number"
	}
	return fmt.Sprintf("%T", value)
}
