import torch


# The two parts of an adversarial model, each with an optimizer of its own.
class Adversary:
    def pretrain_epoch(self, model, batches, optimizer):
        model.discriminator.eval()
        model.generator.train()
        for x in batches:
            loss = model.generator_loss(x)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    def pretrain(self, model, batches):
        optimizer = torch.optim.Adam(model.generator.parameters())
        for epoch in range(10):
            self.pretrain_epoch(model, batches, optimizer)  # ok: the loss is the generator's

    def pretrain_judge(self, model, batches):
        optimizer = torch.optim.Adam(model.discriminator.parameters())
        for epoch in range(10):
            model.generator.eval()  # ok: the loss is the discriminator's
            for x in batches:
                loss = model.discriminator_loss(x)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()


class Single:
    def fit(self, net, batches):
        optimizer = torch.optim.Adam(net.body.parameters())
        for epoch in range(10):
            for x in batches:
                loss = net.body(x).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            net.body.eval()  # want TV503 "from here net.body is in evaluation mode"
            print(net.body(x).mean())


# Training mode comes back in a loop over what the evaluation gave.
def detector(model, loader, val_loader, optimizer):
    model.train()
    for epoch in range(10):
        for images, targets in loader:
            optimizer.zero_grad()
            sum(model(images, targets).values()).backward()
            optimizer.step()
        for images, targets in val_loader:
            model.eval()  # ok: it is switched back for each of the detections
            detections = model(images)
            for i in range(len(detections)):
                print(detections[i], targets[i])
                model.train()


def detector_left(model, loader, val_loader, optimizer):
    model.train()
    for epoch in range(10):
        for images, targets in loader:
            optimizer.zero_grad()
            sum(model(images, targets).values()).backward()
            optimizer.step()
        for images, targets in val_loader:
            model.eval()  # want TV503 "from here model is in evaluation mode"
            detections = model(images)
            for i in range(len(detections)):
                if detections[i] is None:
                    model.train()
