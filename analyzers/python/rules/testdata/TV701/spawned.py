from multiprocessing import Process, set_start_method

import torch

data = torch.tensor([[1.0]], device="cuda")


def work(i):
    print(torch.tensor([[1.0]], device=f"cuda:{i}"))


if __name__ == "__main__":
    set_start_method("spawn")
    for i in range(3):
        Process(target=work, args=(i,)).start()  # ok: a child begins anew
