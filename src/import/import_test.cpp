// SPDX-License-Identifier: MIT
#include "import/import.h"

#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>

#include "import/chrome_json.h"
#include "import/import_test_support.h"

namespace rtl::import {
namespace {

// A step with a call that launches a kernel, a copy, and a graph launch with two kernels, as
// torch.profiler writes them on AMD GPUs.
constexpr char kEvents[] = R"json([
 {"ph":"M","name":"process_name","pid":77,"tid":0,"ts":0,"args":{"name":"python3"}},
 {"ph":"M","name":"thread_name","pid":77,"tid":77,"ts":0,"args":{"name":"thread 77 (main)"}},
 {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":77,"tid":77,"ts":10.5,"dur":100,"args":{}},
 {"ph":"X","cat":"user_annotation","name":"forward","pid":77,"tid":77,"ts":11,"dur":20,"args":{}},
 {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":77,"tid":77,"ts":11,"dur":9,"args":{"Input Dims":[[2,3],[3,4]]}},
 {"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":77,"tid":77,"ts":12.001,"dur":1.5,
  "args":{"cid":5,"correlation":41}},
 {"ph":"s","id":41,"pid":77,"tid":77,"ts":12.001,"cat":"ac2g","name":"ac2g"},
 {"ph":"X","cat":"kernel","name":"void gemm<float>(float*)","pid":2,"tid":0,"ts":20.25,"dur":4.125,
  "args":{"device":2,"stream":3,"correlation":41,"kind":"Dispatch Kernel","grid":[8,2,1],"block":[64,1,1]}},
 {"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoH (Device -> Host)","pid":2,"tid":0,"ts":30,"dur":2,
  "args":{"device":2,"stream":0,"correlation":42,"kind":"DtoH","bytes":4096}},
 {"ph":"X","cat":"cuda_runtime","name":"hipMemcpyAsync","pid":77,"tid":77,"ts":15,"dur":1,"args":{"correlation":42}},
 {"ph":"X","cat":"cuda_runtime","name":"hipGraphLaunch","pid":77,"tid":77,"ts":17,"dur":1,"args":{"correlation":43}},
 {"ph":"X","cat":"kernel","name":"node","pid":2,"tid":0,"ts":40,"dur":1,
  "args":{"device":2,"stream":3,"correlation":43}},
 {"ph":"X","cat":"kernel","name":"node","pid":2,"tid":0,"ts":42,"dur":1,
  "args":{"device":2,"stream":3,"correlation":43}},
 {"ph":"X","cat":"kernel","name":"node","pid":2,"tid":0,"ts":50,"dur":-1,
  "args":{"device":2,"stream":3,"correlation":44}},
 {"ph":"X","cat":"kernel","name":"lost","pid":2,"tid":0,"ts":51,"dur":1,
  "args":{"device":2,"stream":3,"correlation":99}},
 {"ph":"i","name":"[memory]","pid":77,"tid":77,"ts":11,"s":"t","args":{}}
])json";

std::string Trace(const std::string& before, const std::string& after = "") {
  return "{" + before +
         "\"baseTimeNanoseconds\": 1700000000000000000,\n\"deviceProperties\": "
         "[{\"id\": 2, \"name\": \"AMD Instinct MI300X\"}], \"traceEvents\": " +
         kEvents + after + "}";
}

TEST_F(ImportTest, KernelsHaveTheirTimesPlacesAndCalls) {
  ASSERT_EQ(Import({Write("a.json", Trace(""))}), "");
  EXPECT_EQ(
      Rows("SELECT s.string, o.gpuId, q.hsa_id, o.start, o.end, o.gridX, o.gridY, o.workgroupX,"
           " n.string FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id"
           " JOIN rtl_queue q ON q.id = o.queueId"
           " LEFT JOIN rocpd_api_ops l ON l.op_id = o.id LEFT JOIN rocpd_api a ON a.id = l.api_id"
           " LEFT JOIN rocpd_string n ON n.id = a.apiName_id"
           " WHERE o.kernel_id != 0 ORDER BY o.start"),
      "void gemm<float>(float*)|2|3|20250|24375|512|2|64|hipLaunchKernel\n"
      "node|2|3|40000|41000|0|0|0|hipGraphLaunch\n"
      "node|2|3|42000|43000|0|0|0|hipGraphLaunch\n"
      "lost|2|3|51000|52000|0|0|0|NULL\n");
  EXPECT_EQ(Rows("SELECT bytes, kind, dst_gpu, src_gpu FROM rtl_copy"), "4096|3|-1|2\n");
  EXPECT_EQ(Rows("SELECT name FROM rtl_agent"), "AMD Instinct MI300X\n");
}

TEST_F(ImportTest, AnnotationsAreRangesOfTheirThread) {
  ASSERT_EQ(Import({Write("a.json", Trace(""))}), "");
  EXPECT_EQ(Rows("SELECT s.string, o.tid, o.start, o.end FROM rocpd_op o JOIN rocpd_string s"
                 " ON s.id = o.description_id JOIN rocpd_string t ON t.id = o.opType_id"
                 " WHERE t.string = 'UserMarker' ORDER BY o.start"),
            "ProfilerStep#3|77|10500|110500\nforward|77|11000|31000\n");
  EXPECT_EQ(Rows("SELECT kind, target, name FROM rtl_name"), "thread|77|thread 77 (main)\n");
}

TEST_F(ImportTest, EveryEventIsARowOrCountedWithAReason) {
  ASSERT_EQ(Import({Write("a.json", Trace(""))}), "");
  const ImportReport& report = found_[0].report;
  EXPECT_EQ(report.kernels, 4u);
  EXPECT_EQ(report.copies, 1u);
  EXPECT_EQ(report.calls, 3u);
  EXPECT_EQ(report.ranges, 2u);
  EXPECT_EQ(report.operators, 1u);
  const std::map<std::string, uint64_t> unused = {
      {"a call that is not in the file: the link to it", 1},
      {"a flow, which repeats a correlation id", 1},
      {"a time that goes backwards", 1},
      {"an allocation or a release by PyTorch's allocator", 1}};
  EXPECT_EQ(report.unused, unused);
}

TEST_F(ImportTest, OperatorsHaveTheirShapes) {
  ASSERT_EQ(Import({Write("a.json", Trace(""))}), "");
  EXPECT_EQ(
      Rows("SELECT s.string, o.tid, o.kind, i.string, o.start, o.duration FROM rtl_operator o"
           " JOIN rocpd_string s ON s.id = o.name_id JOIN rocpd_string i ON i.id = o.inputs_id"),
      "aten::mm|77|1|[[2, 3], [3, 4]]|11000|9000\n");
}

TEST_F(ImportTest, TheTraceSaysThatLossesAreNotKnown) {
  ASSERT_EQ(Import({Write("a.json", Trace(""))}), "");
  EXPECT_EQ(Rows("SELECT value FROM rocpd_metadata WHERE tag = 'source'"), "torch.profiler\n");
  EXPECT_EQ(Rows("SELECT count(*) FROM rocpd_metadata WHERE tag LIKE 'loss.%' OR tag LIKE "
                 "'submitted.%' OR tag LIKE 'seen.%'"),
            "0\n");
  EXPECT_EQ(Rows("SELECT value FROM rocpd_metadata WHERE tag = 'recorded.kernels'"), "4\n");
  EXPECT_EQ(Rows("SELECT value FROM rocpd_metadata WHERE tag = 'realtime_minus_boottime'"),
            "1700000000000000000\n");
}

TEST_F(ImportTest, TheRankIsInEveryRowWhereverTheFileNamesIt) {
  const std::string rank = R"("distributedInfo": {"backend": "nccl", "rank": 5, "world_size": 8})";
  for (const std::string& text : {Trace(rank + ","), Trace("", "," + rank)}) {
    ASSERT_EQ(Import({Write("a.json", text)}), "");
    EXPECT_EQ(found_[0].rank, 5);
    EXPECT_EQ(Rows("SELECT DISTINCT rank FROM rocpd_op"), "5\n");
    EXPECT_EQ(Rows("SELECT DISTINCT rank FROM rocpd_api"), "5\n");
    EXPECT_EQ(Rows("SELECT rank, world, command, pid FROM rtl_process"), "5|8|python3|77\n");
    EXPECT_EQ(Rows("SELECT uuid FROM rtl_agent"), "rank-5-device-2\n");
  }
}

TEST_F(ImportTest, TheProcessIsInEveryRowWhateverComesFirst) {
  const std::string kernel = R"({"ph":"X","cat":"kernel","name":"k","pid":2,"tid":3,"ts":20,"dur":4,
    "args":{"device":2,"stream":3,"correlation":41}})";
  const std::string call = R"({"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":77,
    "tid":77,"ts":12,"dur":1,"args":{"correlation":41}})";
  const std::string op =
      R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":77,"tid":77,"ts":11,"dur":9})";
  for (const std::string& events : {op + "," + kernel + "," + call, kernel + "," + call}) {
    ASSERT_EQ(Import({Write("a.json", "{\"traceEvents\": [" + events + "]}")}), "");
    EXPECT_EQ(Rows("SELECT DISTINCT pid FROM rocpd_op"), "77\n");
    EXPECT_EQ(Rows("SELECT DISTINCT pid FROM rocpd_api"), "77\n");
    EXPECT_EQ(Rows("SELECT pid FROM rtl_process"), "77\n");
    EXPECT_EQ(found_[0].report.kernels, 1u);
  }
}

TEST_F(ImportTest, RanksOfAMergedFileAreProcesses) {
  // Two ranks of which each has its own numbers of calls and its own GPU 0.
  const auto event = [](const char* pid, const char* more, const char* category, int start) {
    return std::string(R"({"ph":"X","dur":5,"pid":)") + pid + R"(,"tid":7,"cat":")" + category +
           R"(","name":"f","ts":)" + std::to_string(start) +
           R"(,"args":{"correlation":1,"device":0,"stream":3)" + more + "}}";
  };
  const auto both = [&](const char* a, const char* b, const char* of_a, const char* of_b) {
    return "[" + event(a, of_a, "cuda_runtime", 10) + "," + event(b, of_b, "cuda_runtime", 50) +
           "," + event(b, of_b, "kernel", 60) + "," + event(a, of_a, "kernel", 20) + "]";
  };
  const std::string files[] = {
      both("11", "100000012", R"(,"rank":0,"pid_raw":11)", R"(,"rank":1,"pid_raw":12)"),
      both(R"("[TP00] 11")", R"("[TP01] 12")", "", "")};
  for (const std::string& text : files) {
    ASSERT_EQ(Import({Write("merged.json", text)}), "");
    EXPECT_EQ(found_[0].report.kernels, 2u);
    EXPECT_EQ(Rows("SELECT rank, pid FROM rtl_process ORDER BY rank"), "0|11\n1|12\n");
    EXPECT_EQ(Rows("SELECT p.rank, o.start, a.start FROM rocpd_op o JOIN rtl_process p ON"
                   " p.id = o.process_id JOIN rocpd_api_ops l ON l.op_id = o.id"
                   " JOIN rocpd_api a ON a.id = l.api_id WHERE o.kernel_id != 0 ORDER BY 1"),
              "0|20000|10000\n1|60000|50000\n");
    EXPECT_EQ(Rows("SELECT count(DISTINCT uuid) FROM rtl_agent"), "2\n");
  }
}

TEST_F(ImportTest, SeveralFilesAreProcessesOfOneTrace) {
  const auto of = [](int rank) {
    return Trace("\"distributedInfo\": {\"rank\": " + std::to_string(rank) + "},");
  };
  ASSERT_EQ(Import({Write("0.json", of(0)), Write("1.json", of(1))}), "");
  EXPECT_EQ(Rows("SELECT p.rank, count(*) FROM rocpd_op o JOIN rtl_process p ON p.id = o.process_id"
                 " WHERE o.kernel_id != 0 GROUP BY 1"),
            "0|4\n1|4\n");
}

TEST_F(ImportTest, CompressedFilesAreKnownByTheirContents) {
  const std::string text = Trace("");
  const std::string packed = folder_.path() + "/packed.json";
  gzFile gzip = gzopen(packed.c_str(), "wb");
  ASSERT_EQ(gzwrite(gzip, text.data(), static_cast<unsigned>(text.size())),
            static_cast<int>(text.size()));
  gzclose(gzip);
  ASSERT_EQ(Import({packed}), "");
  EXPECT_EQ(found_[0].report.kernels, 4u);
  std::ifstream file(packed, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  bytes[bytes.size() - 8] ^= 1;  // of the checksum
  const std::string damaged = Write("damaged.json.gz", bytes);
  EXPECT_EQ(Import({damaged}), damaged + ": the compressed data is damaged (incorrect data check)");
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), 1));
  ASSERT_EQ(Import({Write("packed.bin", frame)}), "");
  EXPECT_EQ(found_[0].report.kernels, 4u);
  const std::string skipped("\x50\x2a\x4d\x18\x04\0\0\0size", 12);  // as pzstd begins
  ASSERT_EQ(Import({Write("parallel.bin", skipped + frame)}), "");
  EXPECT_EQ(found_[0].report.kernels, 4u);
  const std::string cut = Write("cut.bin", frame.substr(0, frame.size() / 2));
  EXPECT_EQ(Import({cut}), cut + ": the compressed data ends too early");
}

TEST_F(ImportTest, AFolderWithADamagedFileIsRefused) {
  const std::string text = Trace("");
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), 1));
  std::filesystem::create_directories(folder_.path() + "/job");
  Write("job/rank0.json", text);
  const std::string cut = Write("job/rank1.json.zst", frame.substr(0, frame.size() / 2));
  EXPECT_EQ(Import({folder_.path() + "/job"}), cut + ": the compressed data ends too early");
}

TEST_F(ImportTest, AnEmptyFileBesideTracesMayBeTheTraceOfARank) {
  const std::string folder = folder_.path() + "/job";
  std::filesystem::create_directories(folder);
  Write("job/rank0.json", Trace(""));
  Write("job/notes.txt", "");
  ASSERT_EQ(Import({folder}), "");
  const std::string rank = Write("job/rank1.json", "");
  EXPECT_EQ(Import({folder}), rank + ": an empty file");
  Write("job/rank1.json", std::string(5000, '\0'));
  EXPECT_EQ(Import({folder}), rank + ": a file of zeros");
  Write("job/rank1.json", "version https://git-lfs.github.com/spec/v1\n");
  EXPECT_EQ(Import({folder}), rank + ": not the trace, but its pointer: run git lfs pull");
}

TEST_F(ImportTest, AFileWithSeveralNamesIsOneTrace) {
  const std::string folder = folder_.path() + "/job";
  std::filesystem::create_directories(folder);
  const std::string file = Write("job/b.json", Trace(""));
  std::filesystem::create_symlink("b.json", folder + "/a.json");
  std::filesystem::create_hard_link(file, folder + "/c.json");
  Write("job/d.json", Trace(""));
  const gzFile packed = gzopen((folder + "/d.json.gz").c_str(), "wb");
  gzputs(packed, Trace("").c_str());
  gzclose(packed);
  ASSERT_EQ(Import({folder}), "");
  ASSERT_EQ(found_.size(), 2u);
  EXPECT_EQ(found_[0].source.shown, file);
  EXPECT_EQ(found_[1].source.shown, folder + "/d.json");
}

TEST_F(ImportTest, LinkedFoldersAreReadAndLoopsEnd) {
  namespace fs = std::filesystem;
  const std::string folder = folder_.path() + "/job";
  fs::create_directories(folder + "/rank0");
  fs::create_directories(folder_.path() + "/scratch/1/2/3/4/5/6/7/8/9");
  Write("job/rank0/a.json", Trace(""));
  Write("scratch/b.json", Trace(""));
  Write("scratch/1/2/3/4/5/6/7/8/9/c.json", Trace(""));
  fs::create_directory_symlink("../scratch", folder + "/rank1");
  fs::create_directory_symlink("../scratch", folder + "/again");
  fs::create_directory_symlink("rank0", folder + "/latest");
  fs::create_directory_symlink(".", folder + "/loop");
  fs::create_directory_symlink("..", folder + "/out");
  Write("other.json", Trace(""));  // beside the folder
  fs::create_symlink("nothing", folder + "/dangling.json");
  ASSERT_EQ(Import({folder}), "");
  EXPECT_EQ(found_.size(), 2u);
  EXPECT_EQ(found_[0].source.shown, folder + "/again/b.json");
  EXPECT_EQ(found_[1].source.shown, folder + "/rank0/a.json");
  EXPECT_EQ(result_.others.size(), 1u);  // the folder that is too deep
}

TEST_F(ImportTest, InAFolderTheEventsMayFollowALargeDescriptionOfTheJob) {
  std::filesystem::create_directories(folder_.path() + "/job");
  const std::string groups = "\"pg_config\": [\"" + std::string(100'000, '1') + "\"]";
  Write("job/a.json", Trace("\"distributedInfo\": {\"rank\": 3, " + groups + "},"));
  ASSERT_EQ(Import({folder_.path() + "/job"}), "");
  EXPECT_EQ(found_[0].rank, 3);
}

TEST_F(ImportTest, ANumberOfSeveralCallsLinksNothing) {
  const auto call = [](int tid, int correlation) {
    return R"({"ph":"X","cat":"cuda_runtime","name":"launch","pid":1,"ts":1,"dur":1,"tid":)" +
           std::to_string(tid) + ",\"args\":{\"correlation\":" + std::to_string(correlation) +
           "}},";
  };
  const auto kernel = [](int correlation) {
    return R"({"ph":"X","cat":"kernel","name":"k","dur":1,"ts":)" + std::to_string(correlation) +
           R"(,"args":{"device":0,"stream":0,"correlation":)" + std::to_string(correlation) + "}}";
  };
  // As in the events of two ranks that were put into one file.
  ASSERT_EQ(Import({Write("a.json", "[" + call(11, 7) + call(11, 8) + call(22, 7) + kernel(7) +
                                        "," + kernel(8) + "]")}),
            "");
  EXPECT_EQ(Rows(kKernels), "k|0|0|7000|8000|0|0|NULL\nk|0|11|8000|9000|0|0|launch\n");
  const std::map<std::string, uint64_t> unused = {
      {"a correlation id that several calls have: the link to the one", 1}};
  EXPECT_EQ(found_[0].report.unused, unused);
}

TEST_F(ImportTest, WorkBeforeItsCallIsCounted) {
  ASSERT_EQ(Import({Write("a.json", R"json([
 {"ph":"X","cat":"cuda_runtime","name":"a","pid":1,"tid":1,"ts":50,"dur":1,"args":{"correlation":1}},
 {"ph":"X","cat":"cuda_runtime","name":"a","pid":1,"tid":1,"ts":60,"dur":1,"args":{"correlation":2}},
 {"ph":"X","cat":"kernel","name":"k","ts":49,"dur":1,"args":{"device":0,"stream":0,"correlation":1}},
 {"ph":"X","cat":"kernel","name":"k","ts":60,"dur":1,"args":{"device":0,"stream":0,"correlation":2}}
 ])json")}),
            "");
  EXPECT_EQ(EarlyWork(found_[0].report).substr(0, 48),
            "1 of 2 kernels and copies begin before their cal");
}

TEST_F(ImportTest, ADatabaseOfNsightSystemsIsNamed) {
  const std::string path = folder_.path() + "/a.sqlite";
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database,
                         "CREATE TABLE StringIds (id, value); CREATE TABLE META_DATA_EXPORT (name)",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  EXPECT_EQ(Import({path}), path + ": a database of Nsight Systems, which is not read");
}

TEST_F(ImportTest, APipeIsRefused) {
  const std::string pipe = folder_.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(Import({pipe}),
            pipe + ": a pipe or a device, not a file: write its contents to a file first");
}

TEST_F(ImportTest, ARankMayBeAText) {
  ASSERT_EQ(Import({Write("a.json", Trace(R"("distributedInfo": {"rank": "5"},)"))}), "");
  EXPECT_EQ(found_[0].rank, 5);
}

TEST_F(ImportTest, AnArrayOfEventsIsATrace) {
  ASSERT_EQ(Import({Write("a.json", kEvents)}), "");
  EXPECT_EQ(found_[0].report.kernels, 4u);
}

TEST_F(ImportTest, DamagedFilesAreRefusedInOneLine) {
  const std::string text = Trace("");
  const std::string half = Write("half.json", text.substr(0, text.size() / 2));
  EXPECT_EQ(Import({half}).substr(0, half.size() + 25), half + ": not valid JSON at byte ");
  const std::string deep = Write("deep.json", "{\"traceEvents\": " + std::string(100000, '['));
  EXPECT_EQ(Import({deep}), deep + ": is nested too deeply for a trace");
  const std::string other = Write("other.json", "{\"a\": [1, 2]}");
  EXPECT_EQ(Import({other}), other + ": JSON without traceEvents is no trace");
  const std::string words = Write("words.txt", "hello");
  EXPECT_EQ(Import({words}),
            words + ": not a trace (of rtl, torch.profiler, jax.profiler, rocprofv3 or RPD)");
  const std::string huge = Write("huge.json", "{\"traceEvents\": [{\"args\": {\"a\": [\"" +
                                                  std::string(3 << 20, 'x') + "\"]}}]}");
  EXPECT_EQ(Import({huge}), huge + ": has a value that is too long for a trace");
  const std::string twice = Write("twice.json", text + text);
  EXPECT_EQ(Import({twice}), twice + ": not valid JSON at byte " + std::to_string(text.size()) +
                                 " (more text follows the end)");
  EXPECT_FALSE(std::ifstream(folder_.path() + "/out.db").good());
}

TEST_F(ImportTest, OtherFormsOfFilesAreNamed) {
  const std::pair<std::string, const char*> forms[] = {
      {"PK\x03\x04 trace.json", "a zip archive: unpack it first (unzip)"},
      {"\xfd\x37zXZ bytes", "compressed by xz: unpack it first (xz -d)"},
      {"BZh91AY", "compressed by bzip2: unpack it first (bzip2 -d)"},
      {"\xff\xfe{ ", "a text in UTF-16: convert it first (iconv -f UTF-16 -t UTF-8)"},
      {{"\xff\xfe\0\0{\0\0", 7}, "a text in UTF-32: convert it first (iconv -f UTF-32 -t UTF-8)"},
      {{"{\0\"\0", 4}, "a text in UTF-16: convert it first (iconv -f UTF-16LE -t UTF-8)"},
      {"trace.json" + std::string(247, '\0') + "ustar", "a tar archive: unpack it first (tar -xf)"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:0",
       "not the trace, but its pointer: run git lfs pull"}};
  for (const auto& [text, what] : forms) {
    const std::string file = Write("form", text);
    EXPECT_EQ(Import({file}), file + ": " + what);
  }
}

TEST_F(ImportTest, ValuesThatAreNoEventsAreCounted) {
  ASSERT_EQ(Import({Write("a.json", R"json([null, 1, ["x", 2], {"name": "no phase", "ts": 1},
 {"ph":"X","cat":"kernel","name":"k","ts":1,"dur":1,"args":{"device":0,"stream":0}}])json")}),
            "");
  EXPECT_EQ(found_[0].report.kernels, 1u);
  const std::map<std::string, uint64_t> unused = {{"a value among the events that is none", 3},
                                                  {"an event without a phase", 1}};
  EXPECT_EQ(found_[0].report.unused, unused);
}

TEST_F(ImportTest, AByteOrderMarkAndWhiteSpaceAreNoDamage) {
  const std::string marked = Write("marked.json", "\xef\xbb\xbf" + Trace("") + "\r\n \n");
  EXPECT_EQ(Import({marked}), "");
}

TEST(ParseMicroseconds, IsExact) {
  int64_t ns = 0;
  EXPECT_TRUE(ParseMicroseconds("2241346127369.958", &ns));
  EXPECT_EQ(ns, 2241346127369958);
  EXPECT_TRUE(ParseMicroseconds("1682725898082228", &ns));
  EXPECT_EQ(ns, 1682725898082228000);
  EXPECT_TRUE(ParseMicroseconds("-0.5", &ns));
  EXPECT_EQ(ns, -500);
  EXPECT_TRUE(ParseMicroseconds("1.5e3", &ns));
  EXPECT_EQ(ns, 1500000);
  EXPECT_TRUE(ParseMicroseconds("8.9930000000000003", &ns));
  EXPECT_EQ(ns, 8993);
  EXPECT_TRUE(ParseMicroseconds("47.009999999999998", &ns));
  EXPECT_EQ(ns, 47010);
  for (const char* text : {"", "x", "1e300", "NaN", "99999999999999999999", "1.2.3"}) {
    EXPECT_FALSE(ParseMicroseconds(text, &ns)) << text;
  }
}

}  // namespace
}  // namespace rtl::import
