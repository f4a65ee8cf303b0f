# SPDX-License-Identifier: MIT
"""Reads the parts of a Perfetto trace that tests need: slices with category, name and arguments, and counters.

The numbers of fields are those of Perfetto's published protobuf definitions.
"""

import struct

PACKET_SEQUENCE, PACKET_EVENT, PACKET_INTERNED, PACKET_CLEARED, PACKET_TRACK = 10, 11, 12, 41, 60
EVENT_CATEGORY, EVENT_ANNOTATION, EVENT_TYPE, EVENT_NAME, EVENT_TRACK, EVENT_TEXT, EVENT_VALUE = 3, 4, 9, 10, 11, 23, 44
BEGIN, INSTANT, COUNTER = 1, 3, 4
INTERNED = {1: "categories", 2: "names", 3: "arguments", 29: "values"}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """(number, value) of each field of a message; a message within it is bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 1:
            value, at = data[at:at + 8], at + 8
        elif wire == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            value, at = data[at:at + 4], at + 4
        yield number, value


class Sequence:
    def __init__(self):
        self.known = {table: {} for table in INTERNED.values()}
        self.track = 0

    def learn(self, interned):
        for number, entry in fields(interned):
            entry = dict(fields(entry))
            self.known[INTERNED[number]][entry[1]] = entry.get(2, b"").decode()

    def argument(self, annotation):
        parts = dict(fields(annotation))
        name = self.known["arguments"][parts[1]] if 1 in parts else parts[10].decode()
        if 17 in parts:
            return name, self.known["values"][parts[17]]
        if 5 in parts:
            return name, struct.unpack("<d", parts[5])[0]
        return name, parts[6].decode() if 6 in parts else parts.get(3, 0)


def read(path):
    """([(category, name, arguments)] of slices and instants, {name of a counter: [values]})."""
    sequences, tracks, slices, counters = {}, {}, [], []
    for _, packet in fields(path.read_bytes()):
        packet = list(fields(packet))
        parts = dict(packet)
        sequence = sequences.setdefault(parts.get(PACKET_SEQUENCE), Sequence())
        if parts.get(PACKET_CLEARED):
            sequence = sequences[parts[PACKET_SEQUENCE]] = Sequence()
            defaults = dict(fields(parts.get(59, b"")))
            sequence.track = dict(fields(defaults.get(11, b""))).get(11, 0)
        if PACKET_INTERNED in parts:
            sequence.learn(parts[PACKET_INTERNED])
        if PACKET_TRACK in parts:
            track = dict(fields(parts[PACKET_TRACK]))
            tracks[track[1]] = track.get(2, b"").decode()
        if PACKET_EVENT not in parts:
            continue
        event = list(fields(parts[PACKET_EVENT]))
        one = dict(event)
        if one[EVENT_TYPE] == COUNTER:
            value = struct.unpack("<d", one[EVENT_VALUE])[0]
            counters.append((one.get(EVENT_TRACK, sequence.track), value))
        elif one[EVENT_TYPE] in (BEGIN, INSTANT):
            arguments = dict(sequence.argument(value) for number, value in event if number == EVENT_ANNOTATION)
            name = one[EVENT_TEXT].decode() if EVENT_TEXT in one else sequence.known["names"][one[EVENT_NAME]]
            slices.append((sequence.known["categories"][one[EVENT_CATEGORY]], name, arguments))
    named = {}
    for track, value in counters:
        named.setdefault(tracks[track], []).append(value)
    return slices, named
