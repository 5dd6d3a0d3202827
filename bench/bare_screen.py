"""The bare libraries over the frames that a visual run reads: `python bench/bare_screen.py VIDEO SECONDS_AS_JSON`.

PyAV decodes as the engine does, one thread, without the frames no other depends on; RapidOCR reads the frame on screen
at each of the given seconds, with the settings that the engine uses. Prints JSON: the processor seconds of both, with
the first those of the start, and the lines of every frame.
"""

import json
import sys
import time
from collections.abc import Iterator

import av
from rapidocr import RapidOCR

OCR = {
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    "Det.limit_side_len": 960,
    "Det.limit_type": "max",
    "Global.log_level": "critical",
}


def frames(path: str, moments: list[float]) -> Iterator[av.VideoFrame]:
    """The frame that stands at each moment."""
    wanted = iter(moments)
    moment, shown = next(wanted, None), None
    with av.open(path) as container:
        stream = container.streams.video[0]
        stream.codec_context.thread_count = 1
        stream.codec_context.skip_frame = "NONREF" if stream.average_rate >= 10 else "DEFAULT"
        for frame in container.decode(stream):
            while moment is not None and shown is not None and frame.time > moment:
                yield shown
                moment = next(wanted, None)
            shown = frame
    if moment is not None:
        yield shown


def main(path: str, moments: list[float]) -> None:
    engine, reading, texts = RapidOCR(params=OCR), 0.0, []
    for frame in frames(path, moments):
        before = time.process_time()
        found = engine(frame.to_ndarray(format="bgr24"), use_det=True, use_cls=False, use_rec=True)
        texts.append(list(found.txts or ()))
        reading += time.process_time() - before
    print(json.dumps({"decode": time.process_time() - reading, "read": reading, "texts": texts}))


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
