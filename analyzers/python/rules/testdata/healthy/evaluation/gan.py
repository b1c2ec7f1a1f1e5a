"""Two models; samples are drawn in evaluation mode, and training mode comes back."""

import torch


class Gan:
    def __init__(self, generator, discriminator, g_opt, d_opt, loss_of):
        self.generator, self.discriminator = generator, discriminator
        self.g_opt, self.d_opt, self.loss_of = g_opt, d_opt, loss_of

    def fit(self, loader, every):
        self.set_mode(True)
        for step, real in enumerate(loader):
            self.train_discriminator(real)
            self.train_generator(real)
            if step % every == 0:
                self.sample(real)

    def set_mode(self, training):
        for net in (self.generator, self.discriminator):
            net.train(training)

    def train_discriminator(self, real):
        self.d_opt.zero_grad()
        fake = self.generator(torch.randn_like(real)).detach()
        (self.loss_of(self.discriminator(real), 1) + self.loss_of(self.discriminator(fake), 0)).backward()
        self.d_opt.step()

    def train_generator(self, real):
        self.g_opt.zero_grad()
        self.loss_of(self.discriminator(self.generator(torch.randn_like(real))), 1).backward()
        self.g_opt.step()

    @torch.no_grad()
    def sample(self, real):
        self.set_mode(False)
        images = self.generator(torch.randn_like(real))
        self.set_mode(True)
        return images
