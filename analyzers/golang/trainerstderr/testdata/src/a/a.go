package a

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

func nilStderr() error {
	cmd := exec.Command("python", "train.py", "--epochs", "3")
	cmd.Stdout = os.Stdout
	return cmd.Run() // want `standard error of train.py goes to the null device`
}

func onTheSpot() error {
	return exec.Command("torchrun", "--nproc_per_node=8", "main.py").Run() // want `standard error of torchrun goes to the null device`
}

func output(dir string) ([]byte, error) {
	return exec.Command("python3", filepath.Join(dir, "eval_model.py")).Output() // want `kept only when it fails`
}

func spread(ctx context.Context, python string) error {
	args := []string{"-m", "torch.distributed.run"}
	args = append(args, "--standalone")
	cmd := exec.CommandContext(ctx, python, args...)
	if err := cmd.Start(); err != nil { // want `standard error of torch.distributed.run goes to the null device`
		return err
	}
	return cmd.Wait()
}

func apart() error {
	var out, errs bytes.Buffer
	cmd := exec.Command("accelerate", "launch", "run.py")
	cmd.Stdout = &out
	cmd.Stderr = &errs
	return cmd.Run() // want `standard output and standard error of accelerate launch go different ways`
}

func pipes() error {
	cmd := exec.Command("uv", "run", "finetune.py")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	errs, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil { // want `go different ways`
		return err
	}
	io.Copy(io.Discard, out)
	io.Copy(io.Discard, errs)
	return cmd.Wait()
}

func shell() error {
	cmd := exec.Command("sh", "-c", "cd /data && CUDA_VISIBLE_DEVICES=0 python train.py > log")
	return cmd.Run() // want `null device`
}

func discarded(w io.Writer) error {
	cmd := exec.Command("bash", "-c", "python train.py 2>/dev/null")
	cmd.Stdout, cmd.Stderr = w, w
	return cmd.Run() // want `null device`
}

func ignored() {
	cmd := exec.Command("deepspeed", "train.py")
	cmd.Stdout = os.Stdout
	cmd.Stderr = os.Stderr
	cmd.Run() // want `the result of Run is dropped`
}

func neverWaited() error {
	cmd := exec.Command("python", "train.py")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stdout
	return cmd.Start() // want `nobody waits for train.py`
}

func waitedInGoroutine() error {
	cmd := exec.Command("python", "train.py")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stdout
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait() // want `the result of Wait is dropped`
	return nil
}

func combinedDropped() string {
	out, _ := exec.Command("whisper", "a.wav").CombinedOutput() // want `the result of CombinedOutput is dropped`
	return string(out)
}

func explicitNil() error {
	cmd := exec.Command("python", "train_tinyml.py")
	cmd.Stdout = nil
	cmd.Stderr = nil
	return cmd.Run() // want `null device`
}

func eitherOne(iid bool, model string) error {
	var cmd *exec.Cmd
	if iid {
		cmd = exec.Command("python", "train/iid/"+model+"_train.py")
	} else {
		cmd = exec.Command("python", "train/niid/"+model+"_train.py")
	}
	return cmd.Run() // want `null device` `null device`
}

func oneAfterTheOther() error {
	cmd := exec.Command("python", "train.py")
	if _, err := cmd.CombinedOutput(); err != nil {
		return err
	}
	cmd = exec.Command("git", "commit", "-m", "weights")
	return cmd.Run()
}

// The twins.

func combined() ([]byte, error) {
	return exec.Command("python", "train.py").CombinedOutput()
}

func oneWriter(w io.Writer) error {
	cmd := exec.Command("python", "train.py")
	cmd.Stdout = w
	cmd.Stderr = cmd.Stdout
	return cmd.Run()
}

func inherited() error {
	cmd := exec.Command("python", "train.py")
	cmd.Stdout = os.Stdout
	cmd.Stderr = os.Stderr // whoever started us decides
	return cmd.Run()
}

func shared(file *os.File) error {
	cmd := exec.Command("python", "train.py")
	cmd.Stdout = io.MultiWriter(os.Stdout, file)
	cmd.Stderr = io.MultiWriter(os.Stderr, file)
	return cmd.Run()
}

func joinedPipe() error {
	cmd := exec.Command("python", "train.py")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		return err
	}
	io.Copy(os.Stdout, out)
	return cmd.Wait()
}

func joinedByShell() error {
	return exec.Command("bash", "-c", "python train.py > log 2>&1").Run()
}

func probes() {
	exec.Command("torchrun", "--version").Run()
	exec.Command("python", "-c", "import torch").Run()
	exec.Command("python", "setup.py", "train").Run()
	exec.Command("python", "constrain.py").Run()
	exec.Command("git", "log", "train.py").Run()
	exec.Command("python", "-m", "pip", "install", "torch").Run()
	exec.Command("nvidia-smi").Output()
}

func unknown(name string, args ...string) {
	exec.Command(name, args...).Run()
	exec.Command("python", args...).Run()
}

func passedOn() error {
	cmd := exec.Command("python", "train.py")
	prepare(cmd) // may set its streams
	return cmd.Run()
}

func prepare(cmd *exec.Cmd) { cmd.Stderr = log.Writer() }

func given() *exec.Cmd {
	return exec.Command("python", fmt.Sprintf("%s/train.py", "/src"))
}
