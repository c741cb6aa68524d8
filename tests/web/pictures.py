"""Small files for screenshots: PNG with a palette of 256 colours, in which a page looks the same in a third of the bytes."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
import numpy.typing as npt
from playwright.sync_api import Browser

COLOURS = 256
#: The browser that took the picture also unpacks it; what comes back are bytes of red, green, blue and alpha.
_PIXELS = """async (png) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height), reader = new FileReader();
  const read = new Promise((done) => { reader.onload = () => done(reader.result); });
  reader.readAsDataURL(new Blob([data]));
  return [image.width, image.height, (await read).split(",")[1]];
}"""
Pixels = npt.NDArray[np.uint8]


def smaller(browser: Browser, png: bytes) -> bytes:
    """The same picture with a palette."""
    page = browser.new_page()
    width, height, pixels = page.evaluate(_PIXELS, base64.b64encode(png).decode())
    page.close()
    rgb = np.frombuffer(base64.b64decode(pixels), np.uint8).reshape(height * width, 4)[:, :3]
    packed = rgb.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    values, inverse, counts = np.unique(packed, return_inverse=True, return_counts=True)
    colours = np.stack([values >> 16, values >> 8 & 255, values & 255], axis=1).astype(np.int64)
    palette = colours if len(colours) <= COLOURS else _palette(colours, counts)
    indices = _nearest(colours, palette)[inverse].astype(np.uint8).reshape(height, width)
    rows = np.concatenate([np.zeros((height, 1), np.uint8), indices], axis=1)  # filter 0 in front of each row
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", palette.astype(np.uint8).tobytes()), (b"IDAT", zlib.compress(rows.tobytes(), 9)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*one) for one in (*chunks, (b"IEND", b"")))


def _palette(colours: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The commonest colours as they are (surfaces, ink), and for the rest the middles of boxes that are cut in halves."""
    order = np.argsort(-counts)
    common, rest = order[: COLOURS // 4], order[COLOURS // 4 :]
    boxes = [rest]
    while len(boxes) < COLOURS - len(common):
        spans = [np.ptp(colours[box], axis=0).max() * np.sqrt(counts[box].sum()) if len(box) > 1 else -1.0 for box in boxes]
        box = boxes.pop(int(np.argmax(spans)))
        axis = int(np.ptp(colours[box], axis=0).argmax())
        box = box[np.argsort(colours[box, axis], kind="stable")]
        cut = min(max(1, int(np.searchsorted(counts[box].cumsum(), counts[box].sum() / 2))), len(box) - 1)
        boxes += [box[:cut], box[cut:]]
    middles = [np.average(colours[box], axis=0, weights=counts[box]).round().astype(np.int64) for box in boxes]
    return np.concatenate([colours[common], np.stack(middles)])


def _nearest(colours: npt.NDArray[np.int64], palette: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """For each colour the number of the one in the palette that is nearest."""
    parts = np.array_split(colours, max(1, len(colours) // 4096))
    return np.concatenate([((part[:, None] - palette[None]) ** 2).sum(axis=2).argmin(axis=1) for part in parts])


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
