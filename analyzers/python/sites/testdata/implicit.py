# Calls that hide a decode or a step, and what only has their names.
from transformers import Seq2SeqTrainingArguments, TextIteratorStreamer, TextStreamer, Trainer, pipeline
from vllm import LLM
import transformers

import sentencepiece as spm

pipe = pipeline("text-generation", model="base")  # want implicit pipeline
asr = transformers.pipeline(task="automatic-speech-recognition")  # want implicit pipeline
look = pipeline("image-classification")  # labels come out, no ids
streamer = TextStreamer(tokenizer)  # want implicit streamer
args = Seq2SeqTrainingArguments("out", predict_with_generate=True)  # want implicit predict
quiet = Seq2SeqTrainingArguments("out", predict_with_generate=False)  # it does not generate


def run(model, loss, optimizer, loss_scaler, speech, optim_wrapper, config):
    trainer = Trainer(model)
    trainer.train()  # want implicit trainer
    Trainer(model).train(resume_from_checkpoint=True)  # want implicit trainer
    model.train()  # a mode of a module
    spm.SentencePieceTrainer.train(input="text")  # a vocabulary
    loss_scaler(loss, optimizer, parameters=model.parameters())  # want implicit hidden-scaler
    optim_wrapper.update_params(loss)  # want implicit update-params
    config.update_params(loss)  # a configuration
    return speech.transcribe("a.wav")  # want implicit transcribe


def serve(prompts, other):
    llm = LLM(model="base")
    a = llm.generate(prompts)  # want implicit serving
    b = other.generate(prompts)  # ids come out: their decode is the site
    return a, b


def image(pipeline):
    return pipeline("a cat")  # an object of that name, not the function
