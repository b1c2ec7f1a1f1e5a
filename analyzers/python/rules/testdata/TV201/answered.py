import json

from flask import jsonify
from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("gpt2")


def serve(model, x):
    try:
        return jsonify({"text": tok.decode(model.generate(x)[0])})
    except Exception as e:  # want TV201 "told to whoever asked"
        return jsonify({"error": str(e)}), 500


def stream(model, x):
    try:
        yield tok.decode(model.generate(x)[0])
    except Exception as e:  # want TV201 "told to whoever asked"
        ret = {"text": str(e), "error_code": 1}
        yield json.dumps(ret).encode()


def work(model, x, queue):
    try:
        queue.put({"text": tok.decode(model.generate(x)[0])})
    except Exception as e:  # want TV201 "told to whoever asked"
        queue.put({"type": "error", "text": str(e)})


def rows(model, loader, out):
    for x in loader:
        try:
            out.append(tok.decode(model.generate(x)[0]))
        except Exception as e:  # want TV201 "one item that failed"
            out.append({"error": str(e)})


def queued_rows(model, loader, queue):
    for x in loader:
        try:
            queue.put(tok.decode(model.generate(x)[0]))
        except Exception as e:  # want TV201 "one item that failed"
            queue.put({"error": str(e)})


def logged(model, x, logger):
    try:
        return tok.decode(model.generate(x)[0])
    except Exception as e:  # want TV201 "takes what is left for a result"
        logger.error("failed: %s", e)
        return ""


def thread(model, x):
    err = {}

    def run():
        try:
            print(tok.decode(model.generate(x)[0]))
        except Exception as e:  # want TV201 "told to whoever asked"
            err["msg"] = str(e)

    run()
    if err:
        raise RuntimeError(err["msg"])


def own_variable(model, x):
    err = {}
    try:
        return tok.decode(model.generate(x)[0])
    except Exception as e:  # want TV201 "takes what is left for a result"
        err["msg"] = str(e)
    return ""


def page(tokenizer, id_list):
    import streamlit as st

    try:
        st.code(tokenizer.convert_ids_to_tokens(id_list))
    except Exception as e:  # want `told to whoever asked`
        st.error(e)


def silent_page(tokenizer, id_list):
    import streamlit as st

    try:
        st.code(tokenizer.convert_ids_to_tokens(id_list))
    except Exception as e:  # want `goes no further`
        st.markdown("nothing to show")
