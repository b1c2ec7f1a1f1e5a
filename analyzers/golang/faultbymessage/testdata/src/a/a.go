package a

import (
	"errors"
	"fmt"
	"log"
	"regexp"
	"strings"

	"github.com/trainvet/trainvet/guards"
)

func contains(ids []int32) error {
	err := guards.CheckTokenIDs(nil, ids)
	if err != nil && strings.Contains(strings.ToLower(err.Error()), "range") { // want `the text of an error`
		return nil
	}
	return err
}

func equal(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		if err.Error() != "fault" { // want `the text of an error`
			return err
		}
	}
	return nil
}

func chosen(ids []int32) int {
	err := guards.CheckTokenIDs(nil, ids)
	if err == nil {
		return 0
	}
	switch err.Error() {
	case "fault": // want `the text of an error`
		return 1
	default:
		panic(err)
	}
}

var pattern = regexp.MustCompile("range")

func matched(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		if !pattern.MatchString(err.Error()) { // want `the text of an error`
			return err
		}
		log.Print("skipped")
	}
	return nil
}

func printed(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		if strings.HasPrefix(fmt.Sprint(err), "fault") { // want `the text of an error`
			return nil
		}
		return err
	}
	return nil
}

func byPredicate(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		if transient(err) { // want `the text of an error`
			return nil
		}
		return err
	}
	return nil
}

func transient(err error) bool { return strings.Contains(err.Error(), "busy") }

// The twins.

func typed(ids []int32) error {
	if err := guards.CheckTokenIDs(nil, ids); err != nil {
		if errors.Is(err, guards.ErrFault) {
			return err
		}
		if strings.Contains(err.Error(), "quality") { // faults are gone by here
			return nil
		}
		return err
	}
	return nil
}

func countedAndReturned(ids []int32, timeouts *int) error {
	err := guards.CheckTokenIDs(nil, ids)
	if err != nil && strings.Contains(err.Error(), "timeout") {
		*timeouts++ // the error goes on either way
	}
	return err
}

func onlyLogged(ids []int32) error {
	err := guards.CheckTokenIDs(nil, ids)
	if err != nil {
		log.Print(strings.Contains(err.Error(), "x"))
	}
	return err
}

func otherError(name string) bool {
	_, err := regexp.Compile(name)
	return err != nil && strings.Contains(err.Error(), "missing")
}
