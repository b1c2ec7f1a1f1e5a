import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # ok: the log says which
print(f"device: {device}")

silent = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # want TV601 "without a word"
print("devices:", torch.cuda.device_count())
print(torch.zeros(2).to(silent))
other = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # ok: told by type
print("running on {}".format(other.type))


class Trainer:
    def __init__(self, logger):
        if torch.cuda.is_available():  # ok: the log says which
            self.device = torch.device("cuda")
        else:
            self.device = torch.device("cpu")
        logger.info("training on %s", self.device)

    def step(self, loss):
        loss.backward()
