"""Hugging Face Trainer on a tiny BERT classifier made from a configuration.

    python hf.py MODE

MODE: healthy; nan-filter (one weight becomes NaN after step 9; the default
logging_nan_inf_filter replaces the loss that is logged); empty (an evaluation set
of no sample); abort (the process aborts after the checkpoint at step 20); resume
(run in the folder of abort: goes on from its checkpoint).
"""
import os
import sys

import numpy as np
import torch
import transformers
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainerCallback, TrainingArguments

mode = sys.argv[1]
transformers.logging.set_verbosity_info()
transformers.set_seed(0)
rng = np.random.default_rng(0)


def rows(n):
    ids = rng.integers(5, 64, (n, 12))
    return [{"input_ids": i.tolist(), "attention_mask": [1] * 12, "labels": int((i < 30).sum() > 5)} for i in ids]


class Fault(TrainerCallback):
    def on_step_end(self, args, state, control, model=None, **kw):
        if mode == "nan-filter" and state.global_step == 9:
            with torch.no_grad():
                model.classifier.weight[0, 0] = float("nan")
        if mode == "abort" and state.global_step == 24:
            os.abort()


def metrics(p):
    logits, labels = p.predictions, p.label_ids
    return {"accuracy": float((logits.argmax(-1) == labels).mean())}


config = BertConfig(vocab_size=64, hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
                    intermediate_size=64, max_position_embeddings=16, num_labels=2)
args = TrainingArguments("out", per_device_train_batch_size=16, per_device_eval_batch_size=32, num_train_epochs=4,
                         learning_rate=5e-3, logging_steps=4, eval_strategy="epoch", save_steps=20,
                         report_to=[], use_cpu=True, seed=0)
train = rows(160)
held = rows(0 if mode == "empty" else 96)
trainer = Trainer(BertForSequenceClassification(config), args, train_dataset=train, eval_dataset=held,
                  compute_metrics=metrics, callbacks=[Fault()])
result = trainer.train(resume_from_checkpoint=mode == "resume")
trainer.log_metrics("train", result.metrics)
trainer.save_metrics("train", result.metrics)
last = trainer.evaluate()
trainer.log_metrics("eval", last)
trainer.save_metrics("eval", last)
trainer.save_state()
