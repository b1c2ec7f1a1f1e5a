# Calls that turn ids into text. A line that ends with "want" holds a site of
# that kind and origin; every other line is fine, for the reason written there.
import codecs
import json
import subprocess

import av
import jwt
import sentencepiece as spm
import tiktoken
import webdataset as wds
import whisper
from transformers import AutoProcessor, AutoTokenizer, PreTrainedTokenizerBase

tokenizer = AutoTokenizer.from_pretrained("base")
sp = spm.SentencePieceProcessor()
enc = tiktoken.get_encoding("base")
processor = AutoProcessor.from_pretrained("base")


def by_method(model, batch, rows, log):
    out = model.generate(**batch)
    text = tokenizer.batch_decode(out, skip_special_tokens=True)  # want decode generated
    words = [tokenizer.convert_ids_to_tokens(row) for row in rows]  # want decode unknown
    eos = tokenizer.convert_ids_to_tokens(tokenizer.eos_token_id)  # want decode constant
    clear = rows.detokenize(log.ids)  # want decode unknown
    return text, words, eos, clear


def by_keyword(thing, chosen, blob, latents):
    a = thing.decode(chosen, skip_special_tokens=True)  # want decode data
    b = blob.decode(errors="replace")  # bytes: the keyword is of bytes.decode
    c = thing.decode(latents, return_dict=False)  # an image comes out
    return a, b, c


def by_module(token, path, mel, net):
    a = jwt.decode(token, "key")  # a signed claim
    b = codecs.decode(path, "unicode_escape")  # bytes
    c = whisper.decode(net, mel)  # text within the library, no ids here
    d = wds.WebDataset(path).shuffle(9).decode()  # samples of an archive
    e = json.decode(path)  # no ids
    return a, b, c, d, e


def by_encoding(blob, system_encoding, wanted):
    a = blob.decode()  # bytes: nothing is handed over
    b = blob.decode("utf-8", "ignore")  # bytes
    c = blob.decode(system_encoding)  # bytes
    d = blob.decode(wanted or "latin-1")  # bytes
    return a, b, c, d


def by_binding(hyps, model, wav, stream, cfg, logits):
    a = [sp.decode(h) for h in hyps]  # want decode generated
    b = enc.decode(logits.argmax(-1).tolist())  # want decode generated
    c = enc.decode([1, 2, 3])  # want decode constant
    box = av.open(stream)
    d = [f for f in box.decode(video=0)]  # frames of a container
    out = subprocess.check_output(["git", "status"])
    e = out.decode(cfg.form)  # bytes of a child's output
    vae = AutoencoderKL.from_pretrained("base")
    f = vae.decode(wav)  # an image
    return a, b, c, d, e, f


def by_annotation(helper: PreTrainedTokenizerBase, net: "VQModel", rows: list):
    a = helper.decode(rows[0]["input_ids"])  # want decode data
    b = net.decode(rows)  # an image
    return a, b


def by_name(self_tokenizer, audio_tokenizer, codes, generated_ids, logits):
    a = self_tokenizer.decode(generated_ids[0])  # want decode generated
    b = audio_tokenizer.decode(codes)  # sound
    c = processor.decode(generated_ids)  # want decode generated
    d = processor.batch_decode(logits)  # text within the library, from scores
    e = components["tokenizer"].decode(generated_ids)  # want decode generated
    f = self.image_tokenizer.decode(generated_ids)  # an image
    return a, b, c, d, e, f


class CharTokenizer(Base):
    def show(self, tokens, line: str):
        a = self.decode(tokens)  # want decode unknown
        b = self.decode(line)  # text becomes text
        c = super().decode(tokens)  # want decode unknown
        return a, b, c


class ImageAutoencoder(Base):
    def forward(self, z):
        return self.decode(z)  # an image


class Trainer:
    def __init__(self, vocab_path):
        self.codec = spm.SentencePieceProcessor(model_file=vocab_path)

    def evaluate(self, batch):
        return self.codec.decode(batch["labels"].tolist())  # want decode data


def by_argument(unit, y, z, feats, memory, mask):
    a = unit.decode(y.argmax(-1))  # want decode generated
    b = unit.decode(z)  # latents
    c = unit.decode(y, memory, mask)  # a step of a network
    d = unit.decode(feats)  # speech
    e = unit.decode(y)  # no rule knows: a doubt, no site
    f = decoder.decode(2)  # a number alone may be anything
    g = unit.decode([2])  # want decode constant
    return a, b, c, d, e, f, g


def by_ending(bpe, words, tokens, token_indices, encoding):
    hypo_str = words.string(tokens.cpu())
    a = bpe.decode(hypo_str)  # text becomes text, whatever the name begins with
    ids = token_indices.tolist()
    b = encoding.decode(ids)  # want decode unknown
    return a, b


def by_codec(codec_manager, kind, speech_ids):
    return codec_manager.decode(kind, token_ids=speech_ids)  # sound: a codec may be spoken to in ids


def as_value(rows, blobs, vae):
    a = list(map(tokenizer.decode, rows))  # want decode unknown
    b = list(map(bytes.decode, blobs))  # bytes
    c = list(map(vae.decode, rows))  # images
    if hasattr(tokenizer, "decode") and tokenizer.decode is not None:  # asked about, not called
        pass
    return a, b, c


def pieces(detok, words, moses):
    a = detok.detokenize(words.split())  # text becomes text
    b = moses.detokenize(words)  # text becomes text
    return a, b


decode = lambda ids: enc.decode(ids)  # want decode unknown
decode([1])  # a wrapper: the site is within


class Reader:
    def __init__(self, tokenizer):
        self.decode = tokenizer.decode  # want decode unknown

    def show(self, value):
        return self.decode(value[0])  # want decode unknown


class Wrapper:
    def batch_decode(self, x):
        return self.decode(x)  # want decode unknown


class VectorQuantizedEmbeddings:
    def forward(self, token_ids):
        return self.decode(token_ids)  # vectors come out


def more_bytes(out, blob):
    a = bytes.decode(out.stderr)  # bytes
    b = thing.char.decode(out, "utf-8")  # bytes: an encoding is handed over
    return a, b


def by_more_words(tokenizer, model, encoder_outputs, decoder_input_ids, chosen_ids, logits, base64, blob):
    a = tokenizer.decode(chosen_ids, errors="ignore")  # want decode data
    b = blob.decode(errors="ignore")  # bytes: they are what is decoded
    c = model.decode(decoder_input_ids, encoder_outputs)  # a network, its output are logits
    d = model.decode(decoder_input_ids, decoder_attention_mask=None, encoder_outputs=encoder_outputs)  # the same
    e = tokenizer.id_to_token(chosen_ids[0])  # want decode data
    return a, b, c, d, e


class Probe:
    def report(self, logits):
        for rank, (token, logit) in enumerate(top_logits(logits)):
            print(rank, self.decode([token]))  # want decode unknown

    def decode(self, tokens):
        return self.table.decodeBytes(tokens).decode("utf-8")  # want decode unknown


def by_vocabulary(task, tgt_dict, utils, vocab, seq, hyps, pa, net, state):
    a = tgt_dict.string(hyps[0]["tokens"])  # want decode generated
    b = task.target_dictionary.string(seq, "@@ ")  # want decode unknown
    c = utils.decode_sequence(vocab, seq)  # want decode unknown
    d = utils.decode_sequence(hyps, net.ix_to_word)  # want decode generated
    e = pa.string()  # a type of columns
    f = pa.string(seq)  # no vocabulary in sight
    g = net.decode_sequence(state)  # a step of a network
    return a, b, c, d, e, f, g


def by_media(self, model, codes, tokens):
    a = self.bottleneck.decode_tokens(codes)  # sound
    b = model.pretransform.decode_tokens(tokens)  # sound
    c = self.tokenizer.decode_tokens(tokens)  # want decode unknown
    return a, b, c


def by_element(model, inputs, rows, scores):
    made = model.generate(**inputs)
    cut = [out[len(src):] for src, out in zip(inputs.input_ids, made)]
    a = tokenizer.batch_decode(cut)  # want decode generated
    b = [tokenizer.decode(x) for x, y in zip(inputs["input_ids"], made)]  # want decode data
    c = [tokenizer.decode(y) for i, (x, y) in enumerate(zip(inputs["input_ids"], made))]  # want decode generated
    d = [tokenizer.decode(n) for n, x in enumerate(inputs["input_ids"])]  # want decode unknown
    return a, b, c, d


def by_loop_around(model, prompts, lengths):
    for k, row in enumerate(prompts):
        lengths.append(len(row))
    made = model.generate(prompts)
    for k, row in enumerate(made.tolist()):
        row = row[: lengths[k]]
        print(tokenizer.decode(row))  # want decode generated
    for row in prompts:
        print(tokenizer.decode(row))  # want decode data


class OwnTokenizer(PreTrainedTokenizerBase):
    def _decode(self, token_ids, **kw):
        return super()._decode(token_ids=token_ids, skip_special_tokens=True)  # want decode unknown


class Recogniser:
    def texts(self, logits, asr_dict):
        a = self._decode(logits.argmax(-1), asr_dict)  # want decode generated
        b = self._decode(logits)  # scores go in, text comes out within it
        return a, b


def by_function(batch, lengths, dico, params, ids, net, itos, stoi, text):
    a = convert_to_text(batch, lengths, dico, params)  # want decode data
    b = _convert_to_string(ids, params)  # want decode unknown
    c = decode_tokens(ids)  # want decode unknown
    d = spell(ids)  # a name that says nothing
    e = decode_codes(ids)  # sound
    f = char_decode([1])  # none of the names
    decode = lambda row: "".join([itos[i] for i in row])
    g = decode(net.generate(ids)[0].tolist())  # want decode generated
    return a, b, c, d, e, f, g


def convert_to_text(batch, lengths, dico, params):
    return [" ".join(dico[batch[k, j]] for k in range(lengths[j])) for j in range(len(lengths))]


def _convert_to_string(ids, params):
    return b" ".join(params.vocabulary["target"][i] for i in ids)


def decode_token(token):
    return str(chr(max(32, token)))


def decode_tokens(tokens):
    return "".join(map(decode_token, tokens))


def by_wrapper(ids):
    def decode(row):
        return tok.decode(row)  # want decode unknown

    return decode(ids)  # the decode in it is the site


def by_step(net, ids, state):
    def decode(row):
        return net.step(row, state)

    return decode(ids)  # a step of a network


class Labels:
    def __init__(self, alphabet):
        self.alphabet = alphabet

    def decode(self, t, length):
        if len(length) > 1:
            return [self.decode(t[:n], [n]) for n in length]  # want decode unknown
        return "".join(self.alphabet[i - 1] for i in t)


class Head(nn.Module):
    def decode(self, t, length):
        return self.vocab_heads[length](t)

    def forward(self, t, length):
        return self.decode(t, length)  # a network


def by_words(task, bpe, predicts, params, tensor):
    a = task.bpe.decode(task.src_dict[predicts[0]])  # a word already
    seq = _convert_to_string(tensor, params)  # want decode unknown
    seq = BPE.decode(seq)  # and this is one too
    b = params.dictionary.idx2str(predicts)  # want decode generated
    c = params.colours.idx2str(predicts)  # no vocabulary in sight
    return a, seq, b, c


class Actions:
    def __init__(self, path):
        self._fsq_tokenizer = FsqAttentionTokenizer(path)
        self.words = AutoTokenizer.from_pretrained(path)

    def run(self, params, x):
        a = self._fsq_tokenizer.apply(params, x, method=self._fsq_tokenizer.detokenize)  # movements
        b = list(map(self.words.decode, x))  # want decode unknown
        return a, b


def by_converter(converter, model, preds, sizes, src):
    a = converter.decode_greedy(preds.data, sizes.data)  # want decode generated
    b = converter.decode_greedy(preds.log_probs, sizes)  # scores, not ids
    c = model.decode_greedy(preds, sizes)  # a network
    return a, b, c


def by_spelling(tokenizer):
    a = tokenizer.decode(["he", "##llo"])  # words
    b = tokenizer.decode([101, 102])  # want decode constant
    return a, b


def by_reuse(tokenizer, pred, truth):
    for p, t in zip(pred, truth):
        t = tokenizer.decode(t.tolist())  # want decode data
        t = t.split(" ")
    q = " ".join(pred)
    q = tokenizer.decode(q)  # joined to text before
    return t, q


class Rank:
    def __init__(self, name):
        self.tokenizer = tiktoken.get_encoding(name)

    def detokenize(self, token_ids):
        a = self.tokenizer.decode(tokens=token_ids, errors="strict")  # want decode unknown
        b = self.tokenizer.decode(encoding="utf-8", errors="strict")  # bytes
        return a, b

    def batch(self, rows):
        return list(self.tokenizer.detokenize_batch(rows))  # want decode unknown


def by_promise(vocab, tokenizer, tx, np, pd, rows, inflect, table, words):
    a = vocab.ids2string(rows, rem_bos=True)  # want decode unknown
    b = tx.utils.map_ids_to_strs(rows, vocab)  # want decode unknown
    c = tokenizer.map_id_to_token(rows)  # want decode unknown
    d = tokenizer.IdToToken(rows)  # want decode unknown
    e = vocab.arrays_to_sentences(rows)  # want decode unknown
    f = np.array2string(rows)  # numbers are written out
    g = pd.DataFrame(rows).to_string()  # a table
    h = inflect.number_to_words(3)  # a number that is read aloud
    i = tokenizer.convert_tokens_to_string(rows)  # words are joined
    j = tokenizer.text2ids(rows)  # the other way
    k = table.index_to_label(rows)  # names of classes
    o = table.index_to_string_table_from_file(vocab_file=vocab)  # a table is made
    m = words.decode_pieces(rows)  # pieces of text
    n = words.decode_image(rows)  # a picture
    return a, b, c, d, e, f, g, h, i, j, k, m, n


def by_table(word_idict, rows):
    def _seqs2words(rows):
        return [" ".join(word_idict[w] for w in r) for r in rows]

    def _seqs2texts(rows):
        return [" ".join(str(w) for w in r) for r in rows]

    return _seqs2words(rows), _seqs2texts([rows])  # want decode unknown


def hot_to_smiles(hot, indices_char):
    return ["".join(map(lambda i: indices_char[i], row.argmax(axis=1))) for row in hot]


def molecules(x, indices_char):
    return hot_to_smiles(x, indices_char)  # want decode unknown


class Accuracy(Callback):
    def __init__(self, path):
        self.charset = CharsetMapper(path)

    def decode(self, logit):
        return [self.charset.get_text(o.argmax(dim=1)) for o in logit.softmax(-1)]

    def on_batch_end(self, logits):
        return self.decode(logits)  # want decode generated


char_to_num = layers.StringLookup(vocabulary=letters)
num_to_char = layers.StringLookup(vocabulary=char_to_num.get_vocabulary(), invert=True)
num_to_words = inflect.engine().number_to_words


def by_layer(preds, vocab, frame):
    a = num_to_char(preds)  # want decode generated
    b = char_to_num(preds)  # the other way
    c = num_to_words(preds)  # numbers that are read aloud
    d = vocab.to_tokens(preds)  # want decode generated
    e = frame.to_sentences(preds)  # no vocabulary in sight
    return a, b, c, d, e


def by_growth(model, x, tokenizer, sizes):
    ids = [tokenizer.bos_token_id]
    more = []
    for i in range(9):
        token = sample_logits(model(x))
        ids.append(token)
        more += [token]
        words = tokenizer.decode(ids)  # want decode generated
        last = tokenizer.decode(torch.tensor(more))  # want decode generated
        each = tokenizer.decode([i])  # want decode constant
        more_token_ids = x[i]
        full.append(more_token_ids)
    full = []
    c = tokenizer.decode(full)  # want decode unknown
    d = tokenizer.decode(pred_token_ids)  # want decode generated
    fixed = [1, 2]
    rest = []
    rest.append(sizes)
    a = tokenizer.decode(fixed)  # want decode constant
    b = tokenizer.decode(rest)  # want decode unknown
    return words, last, each, a, b, c, d


def by_one_of_several(image_dataset, config):
    image, target, text = image_dataset[0]
    a = config.vocab.decode(target.tolist())  # want decode data
    b = config.encoding.decode(image)  # a picture
    return a, b


def by_given_table(utils, meta, ii, path, net):
    a = utils.decode(sequence=ii, lookup=meta["idx2w"], separator=" ")  # want decode unknown
    b = net.decode(output_file_path=path.output)  # where to write it to
    c = utils.decode(sequence=ii, table=meta["w2idx"], separator=" ")  # no table of words
    return a, b, c


def by_scores(net, ids):
    y = net.decode(ids)  # scores, of which the best is looked for
    best = y.data.argmax(-1)
    z = net.decode(ids)  # want decode unknown
    return best, z


def text_from_ids(ids):
    return tf.strings.reduce_join([id_to_char[i] for i in ids])


def by_reverse(ids, rows):
    a = text_from_ids(ids)  # want decode unknown
    b = rows.label_from_index(ids)  # the name of a class
    c = sp.id_to_piece(sp.eos_id())  # want decode constant
    d = tokenizer.decode(tf.constant(model.generate(ids)))  # want decode generated
    return a, b, c, d


def by_more_names(vocabulary, subs, rows, tgt_i2w, tgt_lookup, char):
    def ix2words(indices, word_dict):
        return [word_dict.get(x, "?") for x in indices]

    def ix2names(indices, settings_dict):
        return [settings_dict.get("name") for x in indices]

    def words_from_prediction(prediction):
        return [p.chars[0] for p in prediction]

    a = vocabulary.decode_to_list(rows, [0])  # want decode unknown
    b = ix2words(rows, subs)  # want decode unknown
    c = words_from_prediction(rows)  # words of an object
    d = ids_to_sentences(rows, tgt_i2w)  # want decode unknown
    e = tgt_lookup.decode(rows, True)  # want decode unknown
    f = char.decode(rows, lookup=subs)  # want decode unknown
    g = ix2names(rows, subs)  # settings
    return a, b, c, d, e, f, g


class Sentences:
    def __init__(self, vocab):
        self.trg_vocab = vocab

    def decode(self, ids):
        return [self.trg_vocab.itos[j] for j in ids]

    def _convert_to_str(self, ids):
        return [self.trg_vocab.itos[j] for j in ids]

    def run(self, model, x):
        return model(x, decode=self.decode)  # want decode unknown


def by_constant_key(steps, ret_dict, enc):
    def decode(step, output):
        ret_dict[Net.KEY_SCORE].append(output)
        return output.topk(1)[1]

    a = decode(steps, ret_dict)  # what is kept has the name of a dictionary
    b = enc.decode_bytes([a])  # want decode unknown
    return a, b


class Alphabet(native.Alphabet):
    def Decode(self, input):
        res = super().Decode(input)  # want decode data
        return res.decode("utf-8")  # bytes


class Numbering:
    def __init__(self, signs, names):
        self.signs, self.names = signs, names

    def codes_to_text(self, rows):
        return "".join(self.signs[str(i) + "_sign"] for i in rows)

    def codes_to_string(self, rows):
        return ", ".join(str(i) for i in rows)

    def label_to_string(self, label):
        return self.names[label]  # the name of a class

    def report(self, rows):
        a = self.codes_to_text(rows)
        b = self.codes_to_string(rows)  # numbers are written out
        c = self.label_to_string(rows)
        return a, b, c


sign_of = json.load(open("signs.json"))


def index2str(rows):
    text = ""
    for i in rows:
        text += sign_of[i]
    return text


def seq_to_str(rows):
    text = ""
    for i in range(9):
        text += str(rows[i])
    return text


def by_joining(rows):
    a = index2str(rows)  # want decode unknown
    b = seq_to_str(rows)  # numbers are written out
    return a, b


def by_parameter(rows, idx2token, idx2label, decode_words, index2word_y):
    a = idx2token(rows)  # want decode unknown
    b = idx2label(rows)  # names of classes
    c = decode_words(rows)  # whoever calls knows
    d = decode_predictions_beam_search(rows, index2word_y)  # want decode unknown
    return a, b, c, d


def by_words(vocab, tokenizer, rows):
    found = [vocab.id2token(i) for i in rows]  # want decode unknown
    a = vocab.detokenize(found)  # words are joined
    b = tokenizer.untokenize(vocab.decode(rows))  # want decode unknown
    return a, b


def by_keywords(indices, vocab):
    a = index2str(rows=indices)  # want decode unknown
    b = seq_to_str(rows=indices)  # numbers are written out
    c = index2str()  # nothing is given
    values = read(vocab)
    values = vocab.map_ids_to_words(values[0])  # want decode unknown
    values = vocab.to_sentence(values)  # words are joined
    return a, b, c, values


def by_converter(converter, preds_indices, latents, sizes):
    a = converter.decode_greedy(preds_indices, sizes)  # want decode generated
    b = converter.decode_greedy(latents, sizes)  # an image comes out
    return a, b


def by_enclosing(rows, path):
    signs = read_signs(path)

    def token_ids_to_words(found):
        return "".join(signs[i] for i in found)

    def tensor_to_str(found):
        made = list(found)
        return "".join(str(made[i]) for i in range(3))

    a = token_ids_to_words(rows)  # want decode unknown
    b = tensor_to_str(rows)  # numbers are written out
    return a, b
