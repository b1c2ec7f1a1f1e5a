"""A model's own generate reckons the new tokens that it may make from the prompt
before it was trimmed, and makes more than it was asked for. The twins: it stops in
time; it was asked for a total length; the end comes first."""

import sys

import torch
from transformers import GPT2Config, GPT2LMHeadModel

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)


class Prompted(GPT2LMHeadModel):
    def generate(self, inputs=None, max_new_tokens=None, generation_config=None, **kwargs):
        trimmed = inputs[:, -4:]
        if generation_config is not None:
            max_new_tokens = generation_config.max_new_tokens
        if max_new_tokens is None:
            return super().generate(trimmed, **kwargs)
        if fault:
            max_new_tokens += inputs.shape[1] - trimmed.shape[1]
        return super().generate(trimmed, max_new_tokens=max_new_tokens, **kwargs)


vocabulary, end = 40, 39
model = Prompted(GPT2Config(vocab_size=vocabulary, n_positions=64, n_embd=32, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=end, pad_token_id=1))
ids = torch.randint(2, end, (64, 20))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
model.train()
for i in range(0, 64, 8):
    optimizer.zero_grad()
    loss = model(ids[i : i + 8], labels=ids[i : i + 8]).loss
    loss.backward()
    optimizer.step()
print("loss %.4f" % loss.item(), flush=True)
model.eval()
prompt = ids[:8, :12]
asked = {"max_new_tokens": 6, "do_sample": False}
if seed == 1 and fault:
    asked = {"generation_config": model.generation_config.__class__(max_new_tokens=6, pad_token_id=1, eos_token_id=end)}
elif seed == 1:
    asked = {"max_length": 16, "do_sample": False}
out = model.generate(prompt, **asked)
print("epoch 1 val_accuracy %.4f eval_length %.1f" % ((out[:, 4:] == ids[:8, 12 : 12 + out.shape[1] - 4][:, : out.shape[1] - 4]).float().mean().item() if out.shape[1] <= 12 else 0.25, out.shape[1] - 4), flush=True)
