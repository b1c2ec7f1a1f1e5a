"""A worker that hands each exception to whoever waits for its answer."""

import queue
import threading

import trainvet
from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("model")


class Worker(threading.Thread):
    def __init__(self, model):
        super().__init__(daemon=True)
        self.model = model
        self.jobs = queue.Queue()
        self.error = None

    def run(self):
        while True:
            future, batch = self.jobs.get()
            try:
                ids = trainvet.check_ids(self.model.generate(batch), tokenizer)
                future.set_result(tokenizer.batch_decode(ids))
            except Exception as e:
                future.set_exception(e)

    def once(self, batch):
        try:
            ids = trainvet.check_ids(self.model.generate(batch), tokenizer)
            return tokenizer.batch_decode(ids)
        except Exception as e:
            self.error = e
        raise self.error
