class Cleared:
    def train_step(self, x):
        self.model(x).backward()
        self.optimizer.step()  # ok: cleared by who calls

    def fit(self, loader):
        for x in loader:
            self.optimizer.zero_grad()
            self.train_step(x)
