"""Gradient boosting and scikit-learn, as their own evaluation lines print.

    python trees.py MODE

MODE: xgboost, lightgbm, catboost, sklearn; lightgbm-nan (a custom evaluation that
divides by the number of positives, of which there are none).
"""
import sys

import numpy as np

mode = sys.argv[1]
rng = np.random.default_rng(0)
x = rng.normal(size=(1200, 12))
y = (x[:, :3].sum(1) + 0.3 * rng.normal(size=1200) > 0).astype(int)
tr, va = slice(0, 900), slice(900, 1200)

if mode == "xgboost":
    import xgboost as xgb

    xgb.train({"objective": "binary:logistic", "eval_metric": ["logloss", "auc"], "nthread": 1}, xgb.DMatrix(x[tr], y[tr]), 30,
              evals=[(xgb.DMatrix(x[tr], y[tr]), "train"), (xgb.DMatrix(x[va], y[va]), "eval")], verbose_eval=5, early_stopping_rounds=10)
elif mode.startswith("lightgbm"):
    import lightgbm as lgb

    def recall(pred, data):
        label = np.zeros(300) if mode == "lightgbm-nan" else data.get_label()
        return "recall", float(((pred > 0.5) & (label == 1)).sum() / label.sum()), True

    train = lgb.Dataset(x[tr], y[tr])
    lgb.train({"objective": "binary", "metric": ["binary_logloss", "auc"], "num_threads": 1}, train, 40,
              valid_sets=[lgb.Dataset(x[va], y[va], reference=train)], feval=recall,
              callbacks=[lgb.early_stopping(10, first_metric_only=True), lgb.log_evaluation(5)])
elif mode == "catboost":
    from catboost import CatBoostClassifier

    CatBoostClassifier(iterations=40, verbose=5, thread_count=1, eval_metric="AUC", train_dir="catboost_info").fit(
        x[tr], y[tr], eval_set=(x[va], y[va]))
else:
    from sklearn.metrics import classification_report
    from sklearn.neural_network import MLPClassifier

    m = MLPClassifier((16,), max_iter=25, early_stopping=True, verbose=True, random_state=0).fit(x[tr], y[tr])
    print(classification_report(y[va], m.predict(x[va]), digits=4))
    print(f"Test accuracy: {m.score(x[va], y[va]):.4f} ({int((m.predict(x[va]) == y[va]).sum())}/300)")
