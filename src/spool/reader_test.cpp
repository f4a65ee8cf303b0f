// SPDX-License-Identifier: MIT
#include "spool/reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include "spool/directory.h"
#include "spool/spool_test_support.h"

namespace rtl::spool {
namespace {

using test::TempDir;

// A small finished spool as bytes, to be written again with damage.
//
//   segment  |header chunk|chunk 1: 6 dispatches, 2 marks, 1 kernel|zeros…
class SmallSpool {
 public:
  SmallSpool() {
    TempDir dir;
    Writer writer;
    EXPECT_TRUE(OpenWriter(writer, dir).ok());
    for (uint64_t i = 1; i <= 6; ++i) EXPECT_TRUE(WriteDispatch(writer, 1, i));
    EXPECT_TRUE(WriteMark(writer, "first"));
    EXPECT_TRUE(WriteMark(writer, "second, which is longer"));
    KernelRecord kernel;
    kernel.head.type = RecordType::kKernel;
    kernel.text_bytes = 3;
    EXPECT_TRUE(writer.Write(&kernel, sizeof kernel, "abc", 3));
    writer.Finish();
    std::vector<std::string> stems;
    EXPECT_TRUE(ListProcesses(dir.path(), &stems).ok());
    stem = stems.at(0);
    control = Load(dir.File(stem + ".ctl"), sizeof(ControlPage));
    // Only this much of the segment is not zero.
    segment = Load(dir.File(stem + ".000001.seg"), 2 * kChunkBytes);
    used = kChunkBytes + sizeof(ChunkHeader) + sizeof(DispatchRecord) + 5 * 16 +
           2 * sizeof(MarkRecord) + 8 + 24 + sizeof(KernelRecord) + 8;
  }

  void Save(const TempDir& dir, const std::string& control_bytes, const std::string& segment_bytes,
            size_t segment_size) const {
    Store(dir.File(stem + ".ctl"), control_bytes, control_bytes.size());
    Store(dir.File(stem + ".000001.seg"), segment_bytes, segment_size);
  }

  static std::string Load(const std::string& path, size_t bytes) {
    std::string data(bytes, '\0');
    FILE* file = fopen(path.c_str(), "rb");
    EXPECT_EQ(fread(data.data(), 1, bytes, file), bytes);
    (void)fclose(file);
    return data;
  }

  static void Store(const std::string& path, const std::string& data, size_t size) {
    FILE* file = fopen(path.c_str(), "wb");
    const size_t bytes = std::min(size, data.size());
    EXPECT_EQ(fwrite(data.data(), 1, bytes, file), bytes);
    EXPECT_EQ(fclose(file), 0);
    EXPECT_EQ(truncate(path.c_str(), static_cast<off_t>(size)), 0);
  }

  std::string stem;
  std::string control;
  std::string segment;
  size_t used = 0;  // bytes of the segment up to the end of the last record
};

TEST(ProcessReader, ReadsASmallSpoolToTheEndAndRemovesIt) {
  const SmallSpool spool;
  TempDir dir;
  spool.Save(dir, spool.control, spool.segment, spool.segment.size());
  Collected collected(dir);
  EXPECT_TRUE(collected.reader().WriterGone());
  EXPECT_EQ(collected.Poll(), 9u);
  EXPECT_EQ(collected.dispatches().at(1), UpTo(6));
  EXPECT_EQ(collected.texts(), (std::vector<std::string>{"first", "second, which is longer"}));
  EXPECT_EQ(collected.reader().torn(), 0u);
  EXPECT_EQ(dir.Count(), 1u) << "the segment is deleted";
  EXPECT_TRUE(collected.reader().Remove().ok());
  EXPECT_EQ(dir.Count(), 0u);
}

TEST(ProcessReader, ReadsAPrefixOfASegmentThatWasCutAnywhere) {
  const SmallSpool spool;
  TempDir dir;
  size_t before = 0;
  for (size_t size = 0; size <= spool.used + 16; ++size) {
    if (size == 200) size = kChunkBytes - 8;  // nothing lies between the header and chunk 1
    spool.Save(dir, spool.control, spool.segment, size);
    Collected collected(dir);
    const uint64_t records = collected.Poll();
    ASSERT_GE(records, before) << size;
    ASSERT_EQ(records, collected.total());
    ASSERT_GE(collected.reader().torn(), 1u) << size;
    before = records;
  }
  EXPECT_EQ(before, 9u);
}

TEST(ProcessReader, RefusesAControlPageThatWasCutAnywhere) {
  const SmallSpool spool;
  TempDir dir;
  spool.Save(dir, spool.control, spool.segment, spool.segment.size());
  for (size_t size = sizeof(ControlPage); size-- > 0; size -= size < 128 ? 0 : size / 128) {
    ASSERT_EQ(truncate(dir.File(spool.stem + ".ctl").c_str(), static_cast<off_t>(size)), 0);
    std::unique_ptr<ProcessReader> reader;
    ASSERT_FALSE(ProcessReader::Open(dir.path(), spool.stem, false, &reader).ok()) << size;
  }
}

TEST(ProcessReader, SurvivesAnyChangeOfBytes) {
  const SmallSpool spool;
  std::mt19937_64 random(20240607);
  uint64_t opened = 0;
  uint64_t records = 0;
  TempDir dir;
  for (int round = 0; round < 1500; ++round) {
    std::string control = spool.control;
    std::string segment = spool.segment;
    const uint64_t changes = 1 + random() % 8;
    for (uint64_t i = 0; i < changes; ++i) {
      const auto byte = static_cast<char>(random() % 3 == 0 ? 0xff : random());
      switch (random() % 8) {
        case 0:
          control[random() % sizeof(ControlPage)] = byte;
          break;
        case 1:
          segment[random() % sizeof(SegmentHeader)] = byte;
          break;
        default:
          segment[kChunkBytes + random() % (spool.used + 64 - kChunkBytes)] = byte;
      }
    }
    const size_t size = random() % 4 == 0 ? random() % (spool.used + 64) : spool.segment.size();
    spool.Save(dir, control, segment, size);
    std::unique_ptr<ProcessReader> reader;
    if (!ProcessReader::Open(dir.path(), spool.stem, false, &reader).ok()) continue;
    ++opened;
    uint64_t sum = 0;  // every byte of every text and record is touched
    for (int polls = 0; polls < 2; ++polls) {
      uint64_t delivered = 0;
      const Status polled = reader->Poll(
          [&](const RecordView& view) {
            const char* at = reinterpret_cast<const char*>(view.head);
            for (size_t i = 0; i < view.bytes; ++i) sum += static_cast<unsigned char>(at[i]);
            for (const char c : view.text) sum += static_cast<unsigned char>(c);
          },
          &delivered);
      ASSERT_TRUE(polled.ok()) << polled.message();
      records += delivered;
    }
    ASSERT_NE(sum + 1, 0u);
    ASSERT_TRUE(reader->Remove().ok());
  }
  EXPECT_GT(opened, 500u);
  EXPECT_GT(records, 1000u);
}

TEST(ProcessReader, ReadsOnWithoutAControlPageThatWasCutWhileItWasOpen) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  ASSERT_TRUE(WriteDispatch(writer, 1, 1));
  std::unique_ptr<ProcessReader> reader;
  std::vector<std::string> stems;
  ASSERT_TRUE(ListProcesses(dir.path(), &stems).ok());
  ASSERT_TRUE(ProcessReader::Open(dir.path(), stems.at(0), false, &reader).ok());
  EXPECT_FALSE(reader->WriterGone());
  ASSERT_EQ(truncate(dir.File(stems[0] + ".ctl").c_str(), 0), 0);
  EXPECT_TRUE(reader->WriterGone());
  uint64_t records = 0;
  EXPECT_FALSE(reader->Poll([](const RecordView&) {}, &records).ok());
  EXPECT_EQ(records, 1u);
  EXPECT_EQ(reader->control().submitted[0].load(), 0u);
  reader->SetCollectorState(CollectorState::kDone);
  EXPECT_TRUE(reader->Remove().ok());
}

TEST(ProcessReader, EndsAChunkAtAnImpossibleRecordAndGoesOnElsewhere) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  for (uint64_t i = 1; i <= 1000; ++i) ASSERT_TRUE(WriteLongDispatch(writer, 1, i));
  const std::string path =
      dir.File(std::to_string(getpid()) + "-" +
               std::to_string(writer.control()->process.start_ticks) + ".000001.seg");
  FILE* file = fopen(path.c_str(), "r+b");
  ASSERT_NE(file, nullptr);
  // The eleventh record of chunk 1 gets the size zero.
  const long at = kChunkBytes + sizeof(ChunkHeader) + 10 * kLongDispatchBytes;
  const uint16_t units = 0;
  ASSERT_EQ(fseek(file, at + 2, SEEK_SET), 0);
  ASSERT_EQ(fwrite(&units, sizeof units, 1, file), 1u);
  ASSERT_EQ(fclose(file), 0);

  Collected collected(dir);
  const size_t in_chunk = (kChunkBytes - sizeof(ChunkHeader)) / kLongDispatchBytes;
  EXPECT_EQ(collected.Poll(), 1000 - in_chunk + 10);
  EXPECT_EQ(collected.reader().torn(), 1u);
  EXPECT_EQ(collected.Poll(), 0u);
  EXPECT_EQ(collected.reader().torn(), 1u) << "counted once";
}

TEST(ProcessReader, RefusesLinksAndOtherThingsThanFiles) {
  const SmallSpool spool;
  for (int kind = 0; kind < 4; ++kind) {
    TempDir dir;
    TempDir elsewhere;
    spool.Save(elsewhere, spool.control, spool.segment, spool.segment.size());
    spool.Save(dir, spool.control, spool.segment, spool.segment.size());
    const std::string name = spool.stem + (kind < 2 ? ".ctl" : ".000001.seg");
    ASSERT_EQ(unlink(dir.File(name).c_str()), 0);
    if (kind == 0 || kind == 2) {
      ASSERT_EQ(symlink(elsewhere.File(name).c_str(), dir.File(name).c_str()), 0);
    } else if (kind == 1) {
      ASSERT_EQ(link(elsewhere.File(name).c_str(), dir.File(name).c_str()), 0);
    } else {
      ASSERT_EQ(mkfifo(dir.File(name).c_str(), 0600), 0);
    }
    std::unique_ptr<ProcessReader> reader;
    const Status opened = ProcessReader::Open(dir.path(), spool.stem, false, &reader);
    EXPECT_EQ(opened.ok(), kind >= 2) << kind;
    if (!opened.ok()) continue;
    uint64_t records = 0;
    ASSERT_TRUE(reader->Poll([](const RecordView&) {}, &records).ok());
    EXPECT_EQ(records, 0u);
    EXPECT_EQ(reader->torn(), 1u);
  }
}

TEST(ProcessReader, JumpsOverASegmentThatIsMissing) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  uint64_t written = 0;
  while (writer.control()->segments_created.load() < 3) {
    ASSERT_TRUE(WriteLongDispatch(writer, 1, ++written));
  }
  writer.Finish();
  Collected collected(dir);
  ASSERT_EQ(unlink(dir.File(collected.reader().stem() + ".000002.seg").c_str()), 0);
  collected.Poll();
  const std::vector<uint64_t>& ids = collected.dispatches().at(1);
  EXPECT_EQ(ids.front(), 1u);
  EXPECT_EQ(ids.back(), written);
  EXPECT_EQ(collected.reader().torn(), 1u);
}

// A thread that is held up before it opens a chunk, while others fill the rest of the segment and
// go on in the next one.
TEST(ProcessReader, ReadsAChunkThatIsOpenedAfterLaterOnesWereRead) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  uint64_t written = 0;
  while (writer.control()->segments_created.load() < 2) {
    ASSERT_TRUE(WriteLongDispatch(writer, 1, ++written));
  }
  Collected collected(dir);
  const std::string path = dir.File(collected.reader().stem() + ".000001.seg");
  const auto set_state = [&path](ChunkState state) {
    FILE* const file = fopen(path.c_str(), "r+b");
    ASSERT_NE(file, nullptr);
    ASSERT_EQ(fseek(file, kChunkBytes, SEEK_SET), 0);
    ASSERT_EQ(fwrite(&state, sizeof state, 1, file), 1u);
    ASSERT_EQ(fclose(file), 0);
  };
  set_state(ChunkState::kFree);
  const uint64_t in_chunk = (kChunkBytes - sizeof(ChunkHeader)) / kLongDispatchBytes;
  EXPECT_EQ(collected.Poll(), written - in_chunk);
  set_state(ChunkState::kClosed);
  EXPECT_EQ(collected.Poll(), in_chunk);
  EXPECT_EQ(collected.dispatches().at(1).back(), in_chunk);
  EXPECT_EQ(collected.reader().torn(), 0u);
}

TEST(ProcessReader, ReadsAClosedChunkHoweverMuchOfItWasWritten) {
  for (const uint64_t records : {1, 56, 57, 58, 113, 114, 455, 500, 2'000}) {
    TempDir dir;
    Writer writer;
    ASSERT_TRUE(OpenWriter(writer, dir).ok());
    for (uint64_t i = 1; i <= records; ++i) ASSERT_TRUE(WriteLongDispatch(writer, 1, i));
    writer.Finish();
    Collected collected(dir);
    EXPECT_EQ(collected.Poll(), records);
    EXPECT_EQ(collected.dispatches().at(1), UpTo(records));
    EXPECT_EQ(collected.reader().torn(), 0u);
  }
}

TEST(ProcessReader, KeepsSegmentsOnRequest) {
  const SmallSpool spool;
  TempDir dir;
  spool.Save(dir, spool.control, spool.segment, spool.segment.size());
  for (int round = 0; round < 2; ++round) {
    Collected collected(dir, true);
    EXPECT_EQ(collected.Poll(), 9u);
    EXPECT_EQ(collected.reader().control().chunks_collected.load(), ChunksIn(1))
        << "read to the end, and counted once";
  }
  EXPECT_EQ(dir.Count(), 2u);
}

TEST(ProcessReader, DoesNotCountKeptSegmentsAgainstTheLimit) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir, 2).ok());
  Collected collected(dir, true);
  uint64_t written = 0;
  while (writer.control()->segments_created.load() < 5) {
    ASSERT_TRUE(WriteLongDispatch(writer, 1, ++written)) << "lost at the limit";
    if (written % 1000 == 0) collected.Poll();
  }
  writer.Finish();
  collected.Poll();
  EXPECT_EQ(collected.dispatches().at(1), UpTo(written));
  EXPECT_EQ(dir.Count(), 6u) << "the control page and every segment";
}

TEST(ProcessReader, TerminatesEveryTextOfTheProcess) {
  const SmallSpool spool;
  std::string control = spool.control;
  const size_t texts = offsetof(ProcessInfo, boot_id);
  std::fill_n(control.begin() + offsetof(ControlPage, process) + texts, sizeof(ProcessInfo) - texts,
              'x');
  TempDir dir;
  spool.Save(dir, control, spool.segment, spool.segment.size());
  Collected collected(dir);
  ASSERT_TRUE(collected.valid());
  const ProcessInfo& read = collected.reader().process();
  EXPECT_EQ(strnlen(read.boot_id, sizeof read.boot_id), sizeof read.boot_id - 1);
  EXPECT_EQ(strnlen(read.host, sizeof read.host), sizeof read.host - 1);
  EXPECT_EQ(strnlen(read.executable, sizeof read.executable), sizeof read.executable - 1);
  EXPECT_EQ(strnlen(read.command, sizeof read.command), sizeof read.command - 1);
  EXPECT_EQ(strnlen(read.mode, sizeof read.mode), sizeof read.mode - 1);
  EXPECT_EQ(strnlen(read.loaded_by, sizeof read.loaded_by), sizeof read.loaded_by - 1);
  EXPECT_EQ(strnlen(read.runtime, sizeof read.runtime), sizeof read.runtime - 1);
  EXPECT_EQ(strnlen(read.version, sizeof read.version), sizeof read.version - 1);
  EXPECT_EQ(strnlen(read.job, sizeof read.job), sizeof read.job - 1);
  EXPECT_EQ(strnlen(read.mode_reason, sizeof read.mode_reason), sizeof read.mode_reason - 1);
}

TEST(ProcessReader, RecognisesAProcessByItsStartTimeToo) {
  TempDir dir;
  Writer writer;
  WriterOptions options;
  options.directory = dir.path().c_str();
  options.process.start_ticks = 1;  // not when this process started
  ASSERT_TRUE(writer.Open(options).ok());
  Collected collected(dir);
  EXPECT_TRUE(collected.reader().WriterGone());
}

TEST(ProcessReader, ReportsARunningProcess) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  Collected collected(dir);
  EXPECT_FALSE(collected.reader().WriterGone());
  writer.Finish();
  EXPECT_TRUE(collected.reader().WriterGone());
}

TEST(ProcessReader, ReadsABacklogOfMoreSegmentsThanItOpensAtOnce) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  const std::string text(kMaxTextBytes, 'x');
  uint64_t written = 0;
  while (writer.control()->segments_created.load() < 70) {
    ASSERT_TRUE(WriteMark(writer, text));
    ++written;
  }
  writer.Finish();
  Collected collected(dir);
  EXPECT_EQ(collected.Poll(), written);
  EXPECT_EQ(dir.Count(), 1u);
}

// `spare`: descriptors that may be opened beyond those that are open.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t spare) {
    EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &before_), 0);
    const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(close(next), 0);
    const rlimit few = {static_cast<rlim_t>(next) + spare, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  }
  ~FewDescriptors() { EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before_), 0); }

 private:
  rlimit before_ = {};
};

TEST(ProcessReader, ReadsManySegmentsWithOneDescriptor) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  const std::string text(kMaxTextBytes, 'x');
  uint64_t written = 0;
  while (writer.control()->segments_created.load() < 5) {
    ASSERT_TRUE(WriteMark(writer, text));
    ++written;
  }
  Collected collected(dir);
  EXPECT_FALSE(collected.reader().WriterGone());  // from now on it has a descriptor of the process
  uint64_t read = 0;
  {
    const FewDescriptors none(0);
    EXPECT_EQ(collected.Poll(), 0u) << "the writer lives: the records can wait";
  }
  {
    const FewDescriptors one(1);
    read = collected.Poll();
    EXPECT_GT(read, written / 2);
  }
  writer.Finish();
  EXPECT_EQ(read + collected.Poll(), written);
  EXPECT_EQ(collected.reader().torn(), 0u);
}

TEST(ProcessReader, TakesALiveWriterToLiveWhenNoDescriptorIsLeftAtTheFirstLook) {
  for (const uint64_t pid_namespace : {uint64_t{0}, uint64_t{1}}) {  // 1: another than this test's
    TempDir dir;
    Writer writer;
    ASSERT_TRUE(OpenWriter(writer, dir).ok());
    ASSERT_TRUE(WriteMark(writer, "first"));
    if (pid_namespace != 0) writer.control()->process.pid_namespace = pid_namespace;
    Collected collected(dir);
    for (const rlim_t spare : {0, 1}) {
      const FewDescriptors few(spare);
      EXPECT_FALSE(collected.reader().WriterGone()) << pid_namespace << ", " << spare;
    }
    EXPECT_EQ(collected.Poll(), 1u);
    ASSERT_TRUE(WriteMark(writer, "second"));
    writer.Finish();
    EXPECT_EQ(collected.Poll(), 1u);
  }
}

TEST(ProcessReader, NoticesTheEndOfAWriterWithoutADescriptor) {
  TempDir dir;
  const pid_t child = fork();
  if (child == 0) {
    Writer writer;
    (void)OpenWriter(writer, dir);
    (void)WriteMark(writer, "last");
    _exit(0);
  }
  siginfo_t ended;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  Collected collected(dir);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  const FewDescriptors none(0);
  EXPECT_TRUE(collected.reader().WriterGone());
}

TEST(ProcessReader, SaysThatNoDescriptorIsLeftAtTheEnd) {
  const SmallSpool spool;
  TempDir dir;
  spool.Save(dir, spool.control, spool.segment, spool.segment.size());
  Collected collected(dir);
  const FewDescriptors none(0);
  uint64_t records = 0;
  const Status polled = collected.reader().Poll([](const RecordView&) {}, &records);
  EXPECT_NE(strstr(polled.message(), "raise ulimit -n"), nullptr) << polled.message();
}

TEST(ListProcesses, FindsControlPagesOnly) {
  TempDir dir;
  for (const char* name : {"12-34.ctl", "5-6.ctl", "5-6.000001.seg", "x-1.ctl", "7.ctl", "-.ctl"}) {
    SmallSpool::Store(dir.File(name), "", 0);
  }
  std::vector<std::string> stems;
  ASSERT_TRUE(ListProcesses(dir.path(), &stems).ok());
  EXPECT_EQ(stems, (std::vector<std::string>{"12-34", "5-6"}));
  EXPECT_FALSE(ListProcesses(dir.File("none"), &stems).ok());
}

}  // namespace
}  // namespace rtl::spool
