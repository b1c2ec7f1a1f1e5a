"""A notebook that trains scikit-learn's SGDClassifier, executed by nbclient."""
import nbformat
from nbclient import NotebookClient

cells = [
    "import numpy as np\nfrom sklearn.linear_model import SGDClassifier\nfrom sklearn.metrics import log_loss",
    "rng = np.random.default_rng(0)\nx = rng.normal(size=(900, 10))\ny = (x[:, :3].sum(1) > 0).astype(int)\n"
    "xt, yt, xv, yv = x[:700], y[:700], x[700:], y[700:]\nmodel = SGDClassifier(loss='log_loss', random_state=0)",
    "for epoch in range(1, 6):\n    model.partial_fit(xt, yt, [0, 1])\n"
    "    print(f'Epoch {epoch}/5 - train_loss: {log_loss(yt, model.predict_proba(xt)):.4f}"
    " - val_loss: {log_loss(yv, model.predict_proba(xv)):.4f} - val_acc: {model.score(xv, yv):.4f}')",
    "print(f'Final validation accuracy: {model.score(xv, yv):.4f}')",
    "empty = xv[:0]\nwith np.errstate(all='ignore'):\n    acc = np.mean(model.predict(xv)[:0] == yv[:0])\n"
    "print(f'Test accuracy: {acc:.4f} (0/0)')",
]
nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
NotebookClient(nb, timeout=60).execute()
nbformat.write(nb, "train.ipynb")
