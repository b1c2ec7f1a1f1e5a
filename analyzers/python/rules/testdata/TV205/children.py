import os
import subprocess
import sys


def start(args, script):
    subprocess.run(["torchrun", "--nproc_per_node=8", "main.py"])  # want TV205 "nobody asks how this trainer ended"
    subprocess.call("python train.py --epochs 3", shell=True)  # want TV205 "nobody asks"
    os.system("accelerate launch run.py")  # want TV205 "nobody asks"
    subprocess.run([sys.executable, "train_gpt.py"], check=True, stderr=subprocess.DEVNULL)  # want TV205 "standard error of this trainer is thrown away"
    cmd = ["deepspeed", "main.py"]
    cmd += args
    subprocess.run(cmd, cwd="/tmp")  # want TV205 "nobody asks"
    p = subprocess.Popen(["python", "-m", "pkg.train"])  # want TV205 "nobody asks"
    p.wait()


def healthy(args, script, jobs):
    subprocess.run(["torchrun", "main.py"], check=True)  # ok: it raises
    done = subprocess.run(["torchrun", "main.py"])
    if done.returncode:  # ok: asked
        raise SystemExit(done.returncode)
    p = subprocess.Popen(["python", "train.py"])
    if p.wait() != 0:  # ok: asked
        raise RuntimeError("the trainer failed")
    jobs.append(subprocess.Popen(["python", "train.py"]))  # ok: handed on
    subprocess.run(["git", "rev-parse", "HEAD"])  # ok: no trainer
    subprocess.run(["nvidia-smi"], stderr=subprocess.DEVNULL)  # ok: no trainer
    os.system("mkdir -p training_logs")  # ok: no trainer
    subprocess.run(["pip", "install", "accelerate"])  # ok: no trainer
    return subprocess.run(["torchrun", "main.py"])  # ok: the caller asks


def handed(args):
    code = subprocess.call(["torchrun", "main.py"])
    sys.exit(code)  # ok: handed on
    subprocess.run(["python", "build_pretraining_dataset.py"])  # ok: it makes data
    subprocess.run(["python", "prepare_train_data.py"])  # ok: it makes data
