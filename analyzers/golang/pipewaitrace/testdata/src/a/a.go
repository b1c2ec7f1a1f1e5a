package a

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

func notJoined(name string) error {
	cmd := exec.Command(name)
	out, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		s := bufio.NewScanner(out)
		for s.Scan() {
			fmt.Println(s.Text())
		}
	}()
	return cmd.Wait() // want `Wait does not wait for the goroutine that reads the pipe`
}

func goCall(name string) error {
	cmd := exec.Command(name)
	out, _ := cmd.StdoutPipe()
	cmd.Start()
	go io.Copy(os.Stdout, out)
	return cmd.Wait() // want `Wait does not wait for the goroutine`
}

func readAfter() ([]byte, error) {
	cmd := exec.Command("python", "train.py")
	out, _ := cmd.StdoutPipe()
	cmd.Start()
	if err := cmd.Wait(); err != nil { // want `the pipe is read after Wait has closed it`
		return nil, err
	}
	return io.ReadAll(out)
}

func waitBeside(name string) {
	cmd := exec.Command(name)
	out, _ := cmd.StdoutPipe()
	cmd.Start()
	done := make(chan error)
	go func() { done <- cmd.Wait() }() // want `Wait runs beside the reader`
	s := bufio.NewScanner(out)
	for s.Scan() {
		fmt.Println(s.Text())
	}
	<-done
}

// The twins.

func inOrder(name string) error {
	cmd := exec.Command(name)
	out, _ := cmd.StdoutPipe()
	defer out.Close()
	cmd.Start()
	s := bufio.NewScanner(out)
	for s.Scan() {
		fmt.Println(s.Text())
	}
	return cmd.Wait()
}

func deferredWait(name string) error {
	cmd := exec.Command(name)
	out, _ := cmd.StdoutPipe()
	cmd.Start()
	defer cmd.Wait()
	_, err := io.Copy(os.Stdout, out)
	return err
}

func joinedByGroup(name string) error {
	cmd := exec.Command(name)
	out, _ := cmd.StdoutPipe()
	errs, _ := cmd.StderrPipe()
	cmd.Start()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		io.Copy(os.Stdout, out)
	}()
	wg.Go(func() { io.Copy(os.Stderr, errs) })
	wg.Wait()
	return cmd.Wait()
}

func joinedByChannel(name string) error {
	cmd := exec.Command(name)
	out, _ := cmd.StdoutPipe()
	cmd.Start()
	done := make(chan struct{})
	go func() {
		defer close(done)
		io.Copy(os.Stdout, out)
	}()
	<-done
	return cmd.Wait()
}

func allBeside(name string) <-chan error {
	cmd := exec.Command(name)
	out, _ := cmd.StdoutPipe()
	cmd.Start()
	done := make(chan error, 1)
	go func() {
		io.Copy(os.Stdout, out)
		done <- cmd.Wait()
	}()
	return done
}

type proc struct{ out io.ReadCloser }

func stored(name string) (*proc, error) {
	cmd := exec.Command(name)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Start()
	go cmd.Wait()
	return &proc{out}, nil
}

func notATrainer() error {
	cmd := exec.Command("git", "log")
	out, _ := cmd.StdoutPipe()
	cmd.Start()
	go io.Copy(os.Stdout, out)
	return cmd.Wait()
}
