"""Ultralytics on squares drawn by numpy: a nano model from its configuration."""
import os

import cv2
import numpy as np
from ultralytics import YOLO

rng = np.random.default_rng(0)
for split, n in (("train", 24), ("val", 12)):
    os.makedirs(f"data/images/{split}", exist_ok=True)
    os.makedirs(f"data/labels/{split}", exist_ok=True)
    for i in range(n):
        img = rng.integers(0, 60, (64, 64, 3), dtype=np.uint8)
        x, y, s = rng.integers(12, 52), rng.integers(12, 52), rng.integers(8, 12)
        img[y - s : y + s, x - s : x + s] = (40, 220, 220)
        cv2.imwrite(f"data/images/{split}/{i}.png", img)
        with open(f"data/labels/{split}/{i}.txt", "w") as f:
            f.write(f"0 {x / 64} {y / 64} {2 * s / 64} {2 * s / 64}\n")
with open("data.yaml", "w") as f:
    f.write(f"path: {os.getcwd()}/data\ntrain: images/train\nval: images/val\nnames:\n  0: square\n")
YOLO("yolo11n.yaml").train(data="data.yaml", epochs=4, imgsz=64, batch=8, workers=0, device="cpu", plots=False,
                           seed=0, project=os.getcwd(), name="out", amp=False)
