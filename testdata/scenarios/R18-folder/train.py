"""A Trainer is stopped and begun again from the model of its last checkpoint, in
its own folder, and nobody tells it to resume. The twins: it is told; a new training
begins with that model, in a folder of its own."""

import os
import sys
import tempfile

import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments, set_seed

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
set_seed(seed)
ids = torch.randint(0, 32, (64, 12))
ids[:, 6:] = ids[:, :6]
data = [{"input_ids": row, "labels": row} for row in ids]
folder = tempfile.mkdtemp()


def trainer(model, folder, epochs):
    args = TrainingArguments(
        output_dir=folder, num_train_epochs=epochs, per_device_train_batch_size=16, learning_rate=1e-3, report_to=[],
        save_strategy="epoch", eval_strategy="epoch", logging_strategy="epoch", use_cpu=True, disable_tqdm=True, seed=seed)
    return Trainer(model=model, args=args, train_dataset=data, eval_dataset=data)


config = GPT2Config(vocab_size=32, n_positions=16, n_embd=16, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0)
trainer(GPT2LMHeadModel(config), folder, 2).train()
last = os.path.join(folder, "checkpoint-8")
if fault:
    trainer(GPT2LMHeadModel.from_pretrained(last), folder, 3).train()
elif seed % 2:
    trainer(GPT2LMHeadModel.from_pretrained(last), tempfile.mkdtemp(), 1).train()
else:
    trainer(GPT2LMHeadModel(config), folder, 3).train(resume_from_checkpoint=last)
