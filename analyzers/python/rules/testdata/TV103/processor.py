import trainvet
from transformers import AutoImageProcessor, AutoProcessor, AutoTokenizer, WhisperProcessor

processor = AutoProcessor.from_pretrained("x")
whisper = WhisperProcessor.from_pretrained("x")
images = AutoImageProcessor.from_pretrained("x")
tokenizer = AutoTokenizer.from_pretrained("x")


class Eval:
    def __init__(self):
        self.processor = AutoProcessor.from_pretrained("x")

    def run(self, ids):
        return trainvet.check_ids(ids, self.processor)  # want TV103 "self.processor is a processor"


def check(ids):
    trainvet.check_ids(ids, processor)  # want TV103 "processor is a processor, and check_ids needs the tokenizer"
    trainvet.check_ids(ids, tokenizer=whisper)  # want TV103 "whisper is a processor"
    if ids.max() >= len(processor):  # want TV103 "len needs the tokenizer"
        raise ValueError("impossible id")


def healthy(ids, items):
    trainvet.check_ids(ids, processor.tokenizer)  # ok: its tokenizer
    trainvet.check_ids(ids, tokenizer)  # ok: a tokenizer
    if len(images) > 3:  # ok: images have no vocabulary
        print(len(processor))  # ok: nothing is held against it
    if ids.max() >= len(tokenizer):  # ok: a tokenizer
        raise ValueError("impossible id")


def handed_to_a_check(model, x, ensure):
    processor = AutoProcessor.from_pretrained("openai/whisper-tiny")
    ids = model.generate(x)
    verify_ids(ids.tolist(), len(processor))  # want TV103 "is a processor"
    verify_ids(ids.tolist(), len(processor.tokenizer))  # ok: its tokenizer
    print(ids, len(processor))  # ok: only shown
    return processor.batch_decode(ids)
