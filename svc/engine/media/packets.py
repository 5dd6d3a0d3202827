"""The packets of a media file as far as it goes, and where a stretch of it could not be read."""

from collections.abc import Iterator

import av
from av.container import InputContainer

# Matroska's demuxer goes on behind damage without a word; there, a packet begins where the one before ended.
GAPLESS = "matroska,webm"
HEADERS = 1000  # bytes that may lie between two packets


class Packets:
    """One pass through a container.

    `reached`: seconds, the latest end of a packet of any stream; `holes`: how often something was passed over that
    could not be read; `failed`: reading ended with an error.
    """

    def __init__(self, container: InputContainer):
        self.container = container
        self.origin = (container.start_time or 0) / av.time_base
        self.gapless = container.format.name == GAPLESS
        self.reached, self.holes, self.failed = 0.0, 0, False
        self.read_to: int | None = None  # bytes

    def __iter__(self) -> Iterator[av.Packet]:
        packets = self.container.demux()
        self.read_to = None
        while True:
            try:
                packet = next(packets, None)
            except av.error.FFmpegError:
                self.failed = True
                return
            except IndexError:  # PyAV, at the end of a file in which another stream turned up on the way
                return
            if packet is None:
                return
            self.note(packet)
            yield packet

    def note(self, packet: av.Packet) -> None:
        self.reached = max(self.reached, self.end_of(packet))
        if packet.is_corrupt or self.begins_late(packet):
            self.holes += 1
        if self.gapless and packet.size and packet.pos is not None and packet.pos >= 0:
            self.read_to = packet.pos + packet.size

    def end_of(self, packet: av.Packet) -> float:
        if packet.pts is None or packet.time_base is None:
            return 0.0
        return float((packet.pts + (packet.duration or 0)) * packet.time_base) - self.origin

    def begins_late(self, packet: av.Packet) -> bool:
        return self.read_to is not None and packet.pos is not None and packet.pos > self.read_to + HEADERS
