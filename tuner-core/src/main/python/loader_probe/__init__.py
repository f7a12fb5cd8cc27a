"""The child process that builds a user's dataset and drives the real PyTorch ``DataLoader``.

``supervisor`` is what the tuner starts; it starts ``probe``. The protocol is described in ``docs/probe.md``.
Nothing here may import torch at package level: the supervisor must start fast and can never hang in it.
"""
