"""Keras model.fit with its bar, a CSV log and TensorBoard.

    python keras_fit.py MODE

MODE: healthy; nan (learning rate 1e30 and TerminateOnNaN).
"""
import sys

import keras
import numpy as np

mode = sys.argv[1]
keras.utils.set_random_seed(0)
rng = np.random.default_rng(0)
x = rng.normal(size=(600, 16)).astype("float32")
y = (x[:, :4].sum(1) > 0).astype("int32")
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(16, "relu"), keras.layers.Dense(2, "softmax")])
model.compile(keras.optimizers.SGD(1e30 if mode == "nan" else 0.1), "sparse_categorical_crossentropy", metrics=["accuracy"])
calls = [keras.callbacks.CSVLogger("training.csv")]
if keras.backend.backend() == "tensorflow":
    calls.append(keras.callbacks.TensorBoard("tb", write_graph=False, profile_batch=0))
if mode == "nan":
    calls.append(keras.callbacks.TerminateOnNaN())
model.fit(x[:480], y[:480], batch_size=32, epochs=4, validation_data=(x[480:], y[480:]), callbacks=calls,
          verbose=2 if mode == "nan" else 1)
loss, acc = model.evaluate(x[480:], y[480:], verbose=0)
print("Test loss:", loss)
print("Test accuracy:", acc)
