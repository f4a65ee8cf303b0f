# SPDX-License-Identifier: MIT
"""Stands in for the package perfetto, whose program reads Perfetto's files: upstream.py puts it in that package's place
where the program is not here. Answers queries of the tables that AMD's tests read, of one file.

Tracks belong to a process or a thread as Perfetto has it: by the nearest descriptor above them. Slices nest by time.
"""

import hashlib
import sqlite3
import struct

from . import pftrace

TIMESTAMP, SNAPSHOT, CLOCK_ID, DEFAULTS, BOOT_TIME = 8, 6, 58, 59, 6
UUID, NAME, PROCESS, THREAD, PARENT, COUNTER_TRACK = 1, 2, 3, 4, 5, 8
END = 2

TABLES = """
CREATE TABLE process (upid, id, pid, name);
CREATE TABLE thread (utid, id, tid, name, is_main_thread, upid);
CREATE TABLE process_track (id, upid, parent_id, name);
CREATE TABLE thread_track (id, utid, parent_id, name);
CREATE TABLE counter_track (id, name);
CREATE TABLE counter (track_id, ts, value);
CREATE TABLE slice (slice_id, track_id, category, depth, stack_id, parent_stack_id, ts, dur, name);
"""


def text(value):
    return value.decode(errors="replace") if isinstance(value, bytes) else value


class Sequence(pftrace.Sequence):
    """Packets that share names and a clock, which counts from the packet before."""

    def __init__(self):
        super().__init__()
        self.time = 0

    def time_of(self, parts):
        if parts.get(CLOCK_ID) == BOOT_TIME:
            return parts[TIMESTAMP]
        self.time += parts.get(TIMESTAMP, 0)
        return self.time


class File:
    """The tracks and events of a file."""

    def __init__(self, path):
        self.tracks, self.events = {}, []
        sequences = {}
        with open(path, "rb") as file:
            packets = pftrace.fields(file.read())
        for _, packet in packets:
            parts = dict(pftrace.fields(packet))
            key = parts.get(pftrace.PACKET_SEQUENCE)
            sequence = sequences.setdefault(key, Sequence())
            if parts.get(pftrace.PACKET_CLEARED):
                sequence = sequences[key] = Sequence()
                defaults = dict(pftrace.fields(parts.get(DEFAULTS, b"")))
                sequence.track = dict(pftrace.fields(defaults.get(11, b""))).get(11, 0)
            if SNAPSHOT in parts:
                clocks = [dict(pftrace.fields(each)) for number, each in pftrace.fields(parts[SNAPSHOT]) if number == 1]
                sequence.time = clocks[0][2]
            if pftrace.PACKET_INTERNED in parts:
                sequence.learn(parts[pftrace.PACKET_INTERNED])
            if pftrace.PACKET_TRACK in parts:
                track = dict(pftrace.fields(parts[pftrace.PACKET_TRACK]))
                self.tracks.setdefault(track[UUID], {}).update(track)
            if pftrace.PACKET_EVENT in parts:
                self.events.append(self.event(sequence, parts))
        self.events.sort(key=lambda event: event[0])

    @staticmethod
    def event(sequence, parts):
        one = dict(pftrace.fields(parts[pftrace.PACKET_EVENT]))
        time = sequence.time_of(parts)
        track, kind = one.get(pftrace.EVENT_TRACK, sequence.track), one[pftrace.EVENT_TYPE]
        category = name = None
        if kind in (pftrace.BEGIN, pftrace.INSTANT):
            category = sequence.known["categories"][one[pftrace.EVENT_CATEGORY]]
            named = one.get(pftrace.EVENT_TEXT)
            name = text(named) if named is not None else sequence.known["names"][one[pftrace.EVENT_NAME]]
        value = struct.unpack("<d", one[pftrace.EVENT_VALUE])[0] if kind == pftrace.COUNTER else None
        return time, track, kind, category, name, value


class Tables:
    def __init__(self, file):
        self.database = sqlite3.connect(":memory:")
        self.database.executescript(TABLES)
        self.file = file
        self.ids = {uuid: number for number, uuid in enumerate(file.tracks)}
        self.processes = {}
        for uuid in file.tracks:
            self.add_track(uuid)
        self.add_events()

    def add(self, table, *values):
        self.database.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(values))})", values)

    def owner(self, uuid):
        """The process or thread of the nearest track at or above this one that names one."""
        while uuid in self.file.tracks:
            track = self.file.tracks[uuid]
            for kind in (THREAD, PROCESS):
                if kind in track:
                    return kind, dict(pftrace.fields(track[kind]))
            uuid = track.get(PARENT)
        return None, {}

    def process(self, pid, name=None):
        if pid not in self.processes:
            self.processes[pid] = len(self.processes) + 1
            self.add("process", self.processes[pid], self.processes[pid], pid, name)
        return self.processes[pid]

    def add_track(self, uuid):
        track, number = self.file.tracks[uuid], self.ids[uuid]
        parent = self.ids.get(track.get(PARENT))
        name = text(track.get(NAME))
        if COUNTER_TRACK in track:
            self.add("counter_track", number, name)
            return
        kind, owner = self.owner(uuid)
        if kind == PROCESS:
            self.add("process_track", number, self.process(owner[1], text(owner.get(6))), parent, name)
        elif kind == THREAD:
            known = self.database.execute("SELECT utid FROM thread WHERE tid = ?", (owner[2],)).fetchone()
            utid = known[0] if known else self.database.execute("SELECT count(*) + 1 FROM thread").fetchone()[0]
            if not known:
                self.add("thread", utid, utid, owner[2], text(owner.get(5)), owner[2] == owner[1],
                         self.process(owner[1]))
            self.add("thread_track", number, utid, parent, name)

    def add_events(self):
        stacks, rows = {}, []
        for time, track, kind, category, name, value in self.file.events:
            number, stack = self.ids.get(track), stacks.setdefault(track, [])
            if kind == pftrace.COUNTER:
                self.add("counter", number, time, value)
            elif kind == END:
                if stack:
                    row = stack.pop()
                    row[7] = time - row[6]
            else:
                above = stack[-1][4] if stack else 0
                path = hashlib.sha256(f"{above} {category} {name}".encode()).digest()
                row = [len(rows), number, category, len(stack), int.from_bytes(path[:6], "little"), above, time, -1, name]
                rows.append(row)
                if kind == pftrace.BEGIN:
                    stack.append(row)
                else:
                    row[7] = 0
        self.database.executemany("INSERT INTO slice VALUES (?,?,?,?,?,?,?,?,?)", rows)


class Answer:
    def __init__(self, cursor):
        self.column_names = [column[0] for column in cursor.description]
        self.rows = cursor.fetchall()

    def as_pandas_dataframe(self):
        import pandas
        return pandas.DataFrame(self.rows, columns=self.column_names)


class TraceProcessorConfig:
    def __init__(self, **options):
        self.__dict__.update(options)


class TraceProcessor:
    def __init__(self, trace, config=None):
        self.config = config
        self.tables = Tables(File(trace))

    def query(self, sql):
        return Answer(self.tables.database.execute(sql))

    def close(self):
        self.tables.database.close()
