"""Finished layers kept by content, so that a later job of the same source pays only for what is missing."""

import shutil
from pathlib import Path

from svc.core import clock
from svc.core.settings import Settings
from svc.jobs.models import Job, StoredLayer

LOCAL = "local:"  # how the content ids of uploaded bytes begin


def layer_path(settings: Settings, key: str) -> Path:
    return settings.folder("layers") / f"{key}.json"


def stored_layers(keys: dict[str, str]) -> set[str]:
    """Which layers of a plan are stored."""
    rows = StoredLayer.select(StoredLayer.key).where(StoredLayer.key.in_(list(keys.values())))
    found = {row.key for row in rows}
    return {layer for layer, key in keys.items() if key in found}


def lay_out(settings: Settings, keys: dict[str, str], folder: Path) -> set[str]:
    """Puts the stored layers of a plan where a run looks for them; says which there are."""
    shelf = folder / "stored"
    shelf.mkdir(parents=True, exist_ok=True)
    found = {layer for layer in stored_layers(keys) if layer_path(settings, keys[layer]).exists()}
    StoredLayer.update(used_at=clock.now_ms()).where(StoredLayer.key.in_([keys[layer] for layer in found])).execute()
    for layer in found:
        shutil.copyfile(layer_path(settings, keys[layer]), shelf / f"{layer}.json")
    return found


def keep(settings: Settings, content_id: str, keys: dict[str, str], folder: Path) -> None:
    """Stores the layers that a run has finished, where no other job did so before."""
    for layer, key in keys.items():
        part = folder / "parts" / f"{layer}.json"
        if not part.exists():
            continue
        half = layer_path(settings, key).with_suffix(f".{folder.name}.half")
        shutil.copyfile(part, half)
        size = half.stat().st_size
        half.replace(layer_path(settings, key))
        now = clock.now_ms()
        StoredLayer.insert(
            key=key, content_id=content_id, layer=layer, bytes=size, created_at=now, used_at=now
        ).on_conflict_ignore().execute()


def forget(settings: Settings, layer: StoredLayer) -> None:
    layer_path(settings, layer.key).unlink(missing_ok=True)
    layer.delete_instance()


def forget_unshared(settings: Settings, content_id: str) -> None:
    """Erases the layers of uploaded bytes when no job refers to them any more. What came from links stays."""
    if content_id.startswith(LOCAL) and not Job.select().where(Job.content_id == content_id).exists():
        for layer in StoredLayer.select().where(StoredLayer.content_id == content_id):
            forget(settings, layer)
