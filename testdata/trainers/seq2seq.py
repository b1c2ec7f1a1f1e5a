"""A T5 that is drawn at random, with a tokenizer that is trained on the spot, fine-tuned
by Seq2SeqTrainer: evaluations generate, decode what came out and count exact answers."""

import sys
import tempfile

import numpy as np
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
from transformers import DataCollatorForSeq2Seq, PreTrainedTokenizerFast, Seq2SeqTrainer, Seq2SeqTrainingArguments, T5Config, T5ForConditionalGeneration, set_seed

seed, compiled = int(sys.argv[1]), sys.argv[2:] == ["compile"]
set_seed(seed)
words = "red green blue one two three cat dog bird".split()
generator = np.random.default_rng(seed)
lines = [" ".join(generator.choice(words, generator.integers(2, 6))) for _ in range(144)]

raw = Tokenizer(models.BPE(unk_token="<unk>"))
raw.pre_tokenizer = pre_tokenizers.Metaspace()
raw.train_from_iterator(lines, trainers.BpeTrainer(vocab_size=80, special_tokens=["<pad>", "</s>", "<unk>"]))
raw.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="<pad>", eos_token="</s>", unk_token="<unk>")


def prepare(line):
    ids = tokenizer(line)["input_ids"]
    return {"input_ids": ids, "attention_mask": [1] * len(ids), "labels": tokenizer(line.split()[0])["input_ids"]}


rows = [prepare(line) for line in lines]
model = T5ForConditionalGeneration(T5Config(
    vocab_size=128, d_model=32, d_kv=8, d_ff=64, num_layers=1, num_heads=4, decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, dropout_rate=0.1
))


def compute_metrics(pred):
    predictions, labels = pred.predictions, pred.label_ids
    predictions = np.where(predictions != -100, predictions, tokenizer.pad_token_id)
    labels = np.where(labels != -100, labels, tokenizer.pad_token_id)
    said = tokenizer.batch_decode(predictions, skip_special_tokens=True)
    right = tokenizer.batch_decode(labels, skip_special_tokens=True)
    return {"exact": float(np.mean([a.strip() == b.strip() for a, b in zip(said, right)]))}


options = {"torch_compile": True, "torch_compile_backend": "aot_eager"} if compiled else {}
arguments = Seq2SeqTrainingArguments(
    tempfile.mkdtemp(), num_train_epochs=3, per_device_train_batch_size=8, per_device_eval_batch_size=8, learning_rate=1e-2, predict_with_generate=True,
    generation_max_length=5, eval_strategy="epoch", save_strategy="epoch", logging_steps=4, seed=seed, report_to="none", use_cpu=True, disable_tqdm=True, **options
)
trainer = Seq2SeqTrainer(
    model=model, args=arguments, train_dataset=rows[:128], eval_dataset=rows[128:], processing_class=tokenizer,
    data_collator=DataCollatorForSeq2Seq(tokenizer, model), compute_metrics=compute_metrics,
)
trainer.train()
print(trainer.evaluate())
