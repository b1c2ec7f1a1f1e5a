from transformers import DataCollatorForLanguageModeling


def make(tokenizer):
    tokenizer.pad_token = tokenizer.eos_token  # want TV508 "not taught to stop"
    return DataCollatorForLanguageModeling(tokenizer, mlm=False)
