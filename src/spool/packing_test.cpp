// SPDX-License-Identifier: MIT
#include "spool/packing.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "spool/spool_test_support.h"

namespace rtl::spool {
namespace {

using test::TempDir;

// Any record, in words.
using Words = std::vector<uint64_t>;

Words ReadWords(const RecordView& view) {
  const char* const bytes = reinterpret_cast<const char*>(view.head);
  Words words(view.bytes / 8);
  memcpy(words.data(), bytes, view.bytes);
  return words;
}

uint64_t Head(RecordType type, uint32_t thread) {
  return static_cast<uint64_t>(type) | uint64_t{thread} << 32;
}

// A call with `slots` words of arguments.
Words Call(size_t slots) {
  Words words(sizeof(ApiCallRecord) / 8 + slots);
  words[0] = Head(RecordType::kApiCall, 7);
  words[5] = slots * 8 | slots << 32;  // text_bytes, slots
  return words;
}

Words Dispatch() {
  Words words(sizeof(DispatchRecord) / 8);
  words[0] = Head(RecordType::kDispatch, 8);
  return words;
}

// Writes the struct of a record and its text apart, as its writers do.
bool Write(Writer& writer, const Words& words) {
  const bool is_call =
      static_cast<uint16_t>(words[0]) == static_cast<uint16_t>(RecordType::kApiCall);
  const size_t fixed = is_call ? sizeof(ApiCallRecord) : words.size() * 8;
  return writer.Write(words.data(), fixed, reinterpret_cast<const char*>(words.data()) + fixed,
                      words.size() * 8 - fixed);
}

class Spool {
 public:
  Spool() {
    EXPECT_TRUE(OpenWriter(writer, dir).ok());
    EXPECT_TRUE(ListProcesses(dir.path(), &stems).ok());
    EXPECT_TRUE(ProcessReader::Open(dir.path(), stems.at(0), false, &reader).ok());
  }

  void Add(const Words& words) {
    ASSERT_TRUE(Write(writer, words));
    written.push_back(words);
    written.back()[0] |= uint64_t{words.size()} << 16;  // units
  }

  // Reads what is new, and compares all.
  void Check() {
    uint64_t records = 0;
    ASSERT_TRUE(
        reader->Poll([&](const RecordView& view) { read.push_back(ReadWords(view)); }, &records)
            .ok());
    EXPECT_EQ(reader->torn(), 0u);
    ASSERT_EQ(read.size(), written.size());
    for (; checked < read.size(); ++checked) ASSERT_EQ(read[checked], written[checked]) << checked;
  }

  // Bytes of the first chunk that are not zero at its end.
  size_t Used() const {
    std::string bytes(2 * kChunkBytes, '\0');
    FILE* const file = fopen(dir.File(stems.at(0) + ".000001.seg").c_str(), "rb");
    EXPECT_EQ(fread(bytes.data(), 1, bytes.size(), file), bytes.size());
    (void)fclose(file);
    const size_t last = bytes.find_last_not_of('\0');
    return last + 1 - kChunkBytes - sizeof(ChunkHeader);
  }

  TempDir dir;
  Writer writer;
  std::vector<std::string> stems;
  std::unique_ptr<ProcessReader> reader;
  std::vector<Words> written, read;
  size_t checked = 0;
};

TEST(Packing, GivesBackDifferencesOfEveryWidth) {
  Spool spool;
  const uint64_t differences[] = {0,
                                  1,
                                  0x7fff,
                                  0x8000,
                                  0xffff,
                                  0x10000,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  0x100000000,
                                  ~0ull,
                                  ~0x7fffull,
                                  ~0x8000ull,
                                  ~0x7fffffffull,
                                  ~0x80000000ull,
                                  1ull << 63,
                                  ~(1ull << 63)};
  for (const uint64_t base : {uint64_t{0}, uint64_t{1} << 40, ~uint64_t{0}}) {
    for (size_t slots : {0, 1, 11}) {
      Words words = Call(slots);
      for (size_t i = 1; i < words.size(); ++i) {
        if (i != 5) words[i] = base;
      }
      spool.Add(words);
      for (const uint64_t difference : differences) {
        for (size_t i = 1; i < words.size(); ++i) {
          if (i == 5) continue;
          Words changed = words;
          changed[i] += difference;
          spool.Add(changed);
        }
      }
    }
  }
  spool.Check();
}

TEST(Packing, GivesBackRecordsOfAllKindsInAnyOrderWhileTheyAreRead) {
  const uint32_t seed = 33;
  std::mt19937_64 random(seed);
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Spool spool;
  // Several chunks, with polls in between, so that a key and its records are read apart.
  for (int i = 0; i < 20'000; ++i) {
    const bool is_call = random() % 3 != 0;
    Words words = is_call ? Call(random() % 14) : Dispatch();
    for (size_t at = 1; at < words.size(); ++at) {
      if (is_call && at == 5) continue;  // its sizes
      const uint64_t kind = random() % 8;
      if (kind < 3) words[at] = static_cast<uint64_t>(i) << (16 * kind);
      if (kind == 3) words[at] = random();
    }
    words[0] = static_cast<uint32_t>(words[0]) | (random() % 4) << 32;  // another thread's
    spool.Add(words);
    if (i % 997 == 0) spool.Check();
  }
  spool.writer.Finish();
  spool.Check();
}

TEST(Packing, ALaunchAndItsKernelTake64Bytes) {
  Spool spool;
  Words call = Call(11);
  Words kernel = Dispatch();
  for (int i = 0; i < 100; ++i) {
    call[1] += 1;                                           // id
    call[2] += 1'700;                                       // start
    call[3] = call[2] + 900;                                // end
    for (size_t at : {1, 2, 8}) kernel[at] += 1;            // ids, packet
    for (size_t at : {3, 4, 5, 6, 7}) kernel[at] += 1'700;  // times
    spool.Add(call);
    spool.Add(kernel);
  }
  spool.Check();
  // The first of each is whole.
  EXPECT_LE(spool.Used(), 248u + 99 * 64);
}

TEST(Packing, WritesARecordWholeThatWouldNotBecomeShorter) {
  Spool spool;
  Words words = Dispatch();
  for (int i = 0; i < 10; ++i) {
    for (size_t at = 1; at < words.size(); ++at) words[at] += uint64_t{1} << 40;
    spool.Add(words);
  }
  spool.Check();
  EXPECT_GT(spool.Used(), 10 * sizeof(DispatchRecord) - 8);
}

// A key, and a packed record that a hostile process wrote.
struct Hostile {
  Unpacker unpacker;
  alignas(8) char bytes[64] = {};

  Hostile() {
    Words key = Dispatch();
    key[0] |= uint64_t{key.size()} << 16;
    unpacker.Keep(reinterpret_cast<const RecordHeader*>(key.data()), key.size() * 8);
    Set(static_cast<uint16_t>(RecordType::kDispatch), Number(), 2, 0);
  }
  static uint32_t Number() {
    return KeyNumber(static_cast<uint16_t>(RecordType::kDispatch), sizeof(DispatchRecord) / 8);
  }
  void Set(uint16_t type, uint32_t key, uint64_t units, uint32_t codes) {
    const uint64_t head = kPackedBit | key << kKeyShift | type | units << 16;
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, &codes, sizeof codes);
  }
  bool Unpack(size_t available = sizeof bytes) {
    size_t size = 0;
    return unpacker.Unpack(bytes, available, &size);
  }
};

TEST(Packing, RefusesWhatCannotHaveBeenPacked) {
  const auto type = static_cast<uint16_t>(RecordType::kDispatch);
  EXPECT_TRUE(Hostile().Unpack());
  const auto refuses = [](const std::function<bool(Hostile&)>& change) {
    Hostile hostile;
    return !change(hostile);
  };
  EXPECT_TRUE(refuses([](Hostile& h) { return h.Unpack(8); })) << "cut";
  EXPECT_TRUE(refuses([&](Hostile& h) { return h.Set(type, h.Number(), 0, 0), h.Unpack(); }))
      << "no size";
  EXPECT_TRUE(refuses([&](Hostile& h) { return h.Set(type, h.Number(), 1, 0), h.Unpack(); }))
      << "no room for the codes";
  EXPECT_TRUE(refuses([&](Hostile& h) {
    return h.Set(type, (h.Number() + 1) % kKeys, 2, 0), h.Unpack();
  })) << "no key";
  EXPECT_TRUE(refuses([&](Hostile& h) { return h.Set(13, h.Number(), 2, 0), h.Unpack(); }))
      << "a key of another type";
  EXPECT_TRUE(refuses([&](Hostile& h) { return h.Set(type, h.Number(), 2, 3), h.Unpack(); }))
      << "a difference behind the end";
  EXPECT_TRUE(refuses([&](Hostile& h) { return h.Set(type, h.Number(), 2, 1u << 26), h.Unpack(); }))
      << "a difference of a word that the key does not have";
  EXPECT_TRUE(refuses([&](Hostile& h) {
    return h.Set(type, h.Number(), 18, 0), h.Unpack(1 << 16);
  })) << "longer than any record";
}

}  // namespace
}  // namespace rtl::spool
