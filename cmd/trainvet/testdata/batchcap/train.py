"""Three loaders: one of 32 samples a batch, one of 4, one with a sampler of whole
batches of 32."""
import torch
from torch.utils.data import BatchSampler, DataLoader, SequentialSampler, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4))
loaders = [
    DataLoader(data, batch_size=32, shuffle=True),
    DataLoader(data, 4),
    DataLoader(data, batch_sampler=BatchSampler(SequentialSampler(data), 32, False)),
]
print("sizes", *[len(next(iter(loader))[0]) for loader in loaders])
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for (x,) in loaders[0]:
    loss = (model(x) - x[:, :1]).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    print({"eval_loss": round(float((model(x) - x[:, :1]).square().mean()), 4), "epoch": 1.0})
