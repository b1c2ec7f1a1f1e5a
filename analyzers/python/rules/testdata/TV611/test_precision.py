from unittest import mock
from unittest.mock import patch

import torch


@patch("torch.cuda.is_bf16_supported", return_value=True)  # want TV611 "cannot see that the answer is wrong"
def test_bf16(mocked):
    assert pick() == torch.bfloat16


def test_bf16_too(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: True)  # want TV611 "cannot see"
    monkeypatch.setattr("app.is_torch_bf16_gpu_available", lambda: True)  # want TV611 "is_torch_bf16_gpu_available"
    with mock.patch.object(torch.cuda, "is_bf16_supported", return_value=True):  # want TV611 "cannot see"
        assert pick() == torch.bfloat16


def test_fp16(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: False)  # ok: the other way
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda *a: (7, 5))  # ok: the device is faked, the code judges
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)  # ok: whether it is there
    with patch("torch.cuda.is_bf16_supported", side_effect=RuntimeError):  # ok: an error
        pass


@patch("torch.cuda.is_bf16_supported")  # ok: the other way
def test_told_no(mocked):
    mocked.return_value = False
