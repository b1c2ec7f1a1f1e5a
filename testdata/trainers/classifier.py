"""A small convolutional classifier: a loader with workers, autocast and a loss
scaler, a schedule, an evaluation after each epoch, the best model kept."""

import os
import sys
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, random_split

seed, compiled = int(sys.argv[1]), sys.argv[2:] == ["compile"]
torch.manual_seed(seed)


class Shapes(Dataset):
    """Bars and squares at random places, with noise."""

    def __init__(self, n):
        g = torch.Generator().manual_seed(seed)
        self.images, self.labels = 0.3 * torch.randn(n, 1, 12, 12, generator=g), torch.randint(0, 3, (n,), generator=g)
        places = torch.randint(0, 8, (n, 2), generator=g)
        for image, label, (i, j) in zip(self.images, self.labels.tolist(), places.tolist()):
            high, wide = ((5, 1), (1, 5), (4, 4))[label]
            image[0, i : i + high, j : j + wide] += 1

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        image = self.images[i]
        if torch.rand(()) < 0.5:
            image = image + 0.05 * torch.randn_like(image)
        return image, self.labels[i]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.conv2, self.bn2 = nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16)
        self.drop, self.head = nn.Dropout(0.1), nn.Linear(16 * 9, 3)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        return self.head(self.drop(x.flatten(1)))


def main():
    train_set, val_set = random_split(Shapes(640), [512, 128], torch.Generator().manual_seed(seed))
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True, num_workers=2, drop_last=True)
    val_loader = DataLoader(val_set, batch_size=64)
    net = Net()
    model = torch.compile(net, backend="aot_eager") if compiled else net
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 3)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    folder, best = tempfile.mkdtemp(), 0.0
    for epoch in range(1, 4):
        model.train()
        for images, labels in train_loader:
            optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss = F.cross_entropy(model(images), labels)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            scaler.step(optimizer)
            scaler.update()
        scheduler.step()
        model.eval()
        correct = total = 0
        with torch.no_grad():
            for images, labels in val_loader:
                correct += (model(images).argmax(1) == labels).sum().item()
                total += len(labels)
        accuracy = correct / total
        print("epoch %d train_loss = %.4f val_accuracy = %.4f" % (epoch, loss.item(), accuracy), flush=True)
        if accuracy > best:
            best = accuracy
            torch.save({"epoch": epoch, "model": net.state_dict(), "optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict(), "scaler": scaler.state_dict()}, os.path.join(folder, "best.pt"))


if __name__ == "__main__":
    main()
