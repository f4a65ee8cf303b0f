// SPDX-License-Identifier: MIT
// Each format in the shape in which its tool writes it.
#include <zlib.h>

#include <filesystem>

#include "import/import_test_support.h"

namespace rtl::import {
namespace {

constexpr char kCopies[] = "SELECT bytes, kind, dst_gpu, src_gpu FROM rtl_copy";
constexpr char kMarkers[] =
    "SELECT s.string, o.tid, o.start, o.end FROM rocpd_op o JOIN rocpd_string s"
    " ON s.id = o.description_id JOIN rocpd_string t ON t.id = o.opType_id"
    " WHERE t.string = 'UserMarker' ORDER BY o.start";
constexpr char kProcess[] = "SELECT pid, host, command, rank FROM rtl_process";

class FormatsTest : public ImportTest {
 protected:
  // A database of these statements.
  std::string MakeDatabase(const std::string& name, const std::string& sql) {
    const std::string path = folder_.path() + "/" + name;
    sqlite3* db = nullptr;
    EXPECT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
    char* error = nullptr;
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
    sqlite3_free(error);
    sqlite3_close(db);
    return path;
  }
};

// The tables of names of rocprofv3's JSON, and its records.
constexpr char kTables[] = R"json("agents": [
  {"id": {"handle": 11}, "type": 1, "name": "EPYC"},
  {"id": {"handle": 12}, "type": 2, "name": "gfx942", "product_name": "MI300X", "cu_count": 304}],
 "strings": {"buffer_records": [
   {"kind": "NONE", "operations": []},
   {"kind": "HIP_RUNTIME_API_EXT", "operations": ["hipInit", "hipLaunchKernel"]},
   {"kind": "HSA_CORE_API", "operations": ["hsa_init"]},
   {"kind": "MARKER_CORE_RANGE_API", "operations": ["roctxMarkA", "roctxThreadRangeA"]},
   {"kind": "MEMORY_COPY", "operations": ["MEMORY_COPY_NONE", "MEMORY_COPY_HOST_TO_DEVICE"]},
   {"kind": "MEMORY_ALLOCATION", "operations": ["NONE", "MEMORY_ALLOCATION_ALLOCATE"]}],
  "marker_api": [{"key": 7, "value": "step 1"}, {"key": 8, "value": "here"}]},
 "kernel_symbols": [{"kernel_id": 3, "kernel_name": "_Z4gemmPf.kd", "arch_vgpr_count": 40}])json";
constexpr char kRecords[] = R"json("callback_records": {"counter_collection": [{"a": 1}]},
 "buffer_records": {
  "kernel_dispatch": [{"thread_id": 70, "correlation_id": {"internal": 5},
    "start_timestamp": 2000, "end_timestamp": 2600, "dispatch_info": {"agent_id": {"handle": 12},
    "queue_id": {"handle": 2}, "kernel_id": 3, "workgroup_size": {"x": 64, "y": 1, "z": 1},
    "grid_size": {"x": 640, "y": 1, "z": 1}}}],
  "hip_api": [{"kind": 1, "operation": 1, "thread_id": 70, "correlation_id": {"internal": 5},
    "start_timestamp": 1000, "end_timestamp": 1100,
    "args": [{"name": "f", "value": "0x1"}, {"name": "n", "value": "2"}],
    "retval": {"uint64_t_retval": 1}}],
  "hsa_api": [{"kind": 2, "operation": 0, "thread_id": 70, "start_timestamp": 10,
    "end_timestamp": 20}],
  "marker_api": [
    {"kind": 3, "operation": 1, "thread_id": 70, "correlation_id": {"internal": 7},
     "start_timestamp": 900, "end_timestamp": 3000},
    {"kind": 3, "operation": 0, "thread_id": 70, "correlation_id": {"internal": 8},
     "start_timestamp": 950, "end_timestamp": 951}],
  "memory_copy": [{"kind": 4, "operation": 1, "thread_id": 70, "start_timestamp": 3000,
    "end_timestamp": 3500, "dst_agent_id": {"handle": 12}, "src_agent_id": {"handle": 11},
    "bytes": 4096}],
  "memory_allocation": [{"kind": 5, "operation": 1, "thread_id": 70, "start_timestamp": 1,
    "end_timestamp": 2, "allocation_size": 65536, "address": {"handle": 4096}}]})json";

std::string Rocprofv3(const std::string& first, const std::string& second) {
  return R"({"rocprofiler-sdk-tool": [{"metadata": {"pid": 77, "node": {"hostname": "alpha"},
 "command": ["python3", "train.py"]}, )" +
         first + ", " + second + "}]}";
}

TEST_F(FormatsTest, Rocprofv3sJsonIsReadInEitherOrder) {
  for (const std::string& text : {Rocprofv3(kTables, kRecords), Rocprofv3(kRecords, kTables)}) {
    ASSERT_EQ(Import({Write("results.json", text)}), "");
    EXPECT_EQ(Rows(kKernels), "gemm(float*)|0|70|2000|2600|640|64|hipLaunchKernel\n");
    EXPECT_EQ(Rows(kCalls), "hipLaunchKernel|70|1000|1100|f=0x1, n=2|1\n");
    EXPECT_EQ(Rows(kCopies), "4096|2|0|-1\n");
    EXPECT_EQ(Rows(kMarkers), "step 1|70|900|3000\nhere|70|950|950\n");
    EXPECT_EQ(Rows("SELECT name, bytes, address FROM memory_allocation"), "allocate|65536|4096\n");
    EXPECT_EQ(Rows("SELECT name FROM hsa_call"), "hsa_init\n");
    EXPECT_EQ(Rows(kProcess), "77|alpha|python3 train.py|NULL\n");
    EXPECT_EQ(Rows("SELECT name, product, compute_units FROM rtl_agent"), "gfx942|MI300X|304\n");
    const std::map<std::string, uint64_t> unused = {
        {"a call that is not in the file: the link to it", 1},
        {"a record of callback_records.counter_collection", 1}};
    EXPECT_EQ(found_[0].report.unused, unused);
  }
}

// As `rocprofv3 --pmc` writes it, without a trace of kernels.
TEST_F(FormatsTest, KernelsOfRocprofv3sCountersAreKernels) {
  constexpr char kCounted[] = R"json("callback_records": {"counter_collection": [
    {"thread_id": 70, "dispatch_data": {"correlation_id": {"internal": 5, "external": 0},
      "start_timestamp": 2000, "end_timestamp": 2600, "dispatch_info": {"agent_id": {"handle": 12},
      "queue_id": {"handle": 2}, "kernel_id": 3, "workgroup_size": {"x": 64, "y": 1, "z": 1},
      "grid_size": {"x": 640, "y": 1, "z": 1}}}, "records": [{"value": 3.0}]}]},
    "buffer_records": {"kernel_dispatch": []})json";
  for (const std::string& text : {Rocprofv3(kTables, kCounted), Rocprofv3(kCounted, kTables)}) {
    ASSERT_EQ(Import({Write("results.json", text)}), "");
    EXPECT_EQ(Rows(kKernels), "gemm(float*)|0|70|2000|2600|640|64|NULL\n");
    EXPECT_EQ(found_[0].report.unused.at("a record of callback_records.counter_collection"), 1u);
  }
}

// As TraceLens writes it for rocprofv3's CSV files.
TEST_F(FormatsTest, Rocprofv3sJsonWithoutTablesOfNamesIsRead) {
  const std::string tables = R"("agents": [{"node_id": 2, "type": "GPU", "name": "gfx942"}],
    "kernel_symbols": [{"kernel_id": 3, "kernel_name": "Gemm"}])";
  const std::string records = R"("buffer_records": {"kernel_dispatch": [
    {"start_timestamp": 2000, "end_timestamp": 2600, "correlation_id": {"internal": 5},
     "dispatch_info": {"kernel_id": 3, "agent_id": {"handle": 0}}},
    {"start_timestamp": 3000, "end_timestamp": 3100, "correlation_id": {"internal": 6},
     "dispatch_info": {"kernel_id": 3, "agent_id": {"handle": 9}}}],
    "hip_api": [{"operation": "hipLaunchKernel", "thread_id": 70, "start_timestamp": 1000,
     "end_timestamp": 1100, "correlation_id": {"internal": 5}}],
    "hsa_api": [{"operation": "hsa_init", "thread_id": 70, "start_timestamp": 10,
     "end_timestamp": 20}]})";
  ASSERT_EQ(Import({Write("results.json", Rocprofv3(tables, records))}), "");
  EXPECT_EQ(Rows(kKernels),
            "Gemm|0|70|2000|2600|0|0|hipLaunchKernel\nGemm|1|0|3000|3100|0|0|NULL\n");
  EXPECT_EQ(Rows(kCalls), "hipLaunchKernel|70|1000|1100||NULL\n");
  EXPECT_EQ(Rows("SELECT name FROM hsa_call"), "hsa_init\n");
  EXPECT_EQ(Rows("SELECT name FROM rtl_agent"), "gfx942\nGPU\n");
  EXPECT_EQ(
      Rows("SELECT count(*) FROM rocpd_api_ops WHERE api_id NOT IN (SELECT id FROM rocpd_api)"),
      "0\n");
}

TEST_F(FormatsTest, AFolderIsReadWholeAndSaysWhatIsNoTrace) {
  std::filesystem::create_directories(folder_.path() + "/job/host");
  Write("job/host/1_kernel_trace.csv", kKernelCsv);
  Write("job/host/1_agent_info.csv", kAgentCsv);
  Write("job/host/2_kernel_trace.csv", kKernelCsv);
  Write("job/rank_3.json",
        "{\"traceEvents\": [{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\","
        "\"ts\":1,\"dur\":1,\"args\":{\"device\":0,\"stream\":0}}]}");
  Write("job/notes.txt", "hello");
  Write("job/config.json", "{\"lr\": 1}");
  MakeDatabase("job/cache.db", "CREATE TABLE a (b)");
  ASSERT_EQ(Import({folder_.path() + "/job"}), "");
  ASSERT_EQ(found_.size(), 3u);
  EXPECT_EQ(found_[2].rank, 3);
  const std::vector<std::string> others = {folder_.path() + "/job/cache.db",
                                           folder_.path() + "/job/config.json",
                                           folder_.path() + "/job/notes.txt"};
  EXPECT_EQ(result_.others, others);
  EXPECT_EQ(Rows("SELECT count(*) FROM rocpd_op WHERE kernel_id != 0"), "3\n");
}

constexpr char kRpd[] = R"sql(
CREATE TABLE rocpd_metadata (id INTEGER PRIMARY KEY, tag TEXT, value TEXT);
CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string TEXT);
CREATE TABLE rocpd_ustring (id INTEGER PRIMARY KEY, string TEXT);
CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER,
  "end" INTEGER, apiName_id INTEGER, category_id INTEGER, domain_id INTEGER, args_id INTEGER);
CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId INTEGER, queueId INTEGER, sequenceId INTEGER,
  start INTEGER, "end" INTEGER, description_id INTEGER, opType_id INTEGER);
CREATE TABLE rocpd_api_ops (id INTEGER PRIMARY KEY, api_id INTEGER, op_id INTEGER);
CREATE TABLE rocpd_kernelapi (api_ptr_id INTEGER PRIMARY KEY, stream TEXT, gridX INTEGER,
  gridY INTEGER, gridZ INTEGER, workgroupX INTEGER, workgroupY INTEGER, workgroupZ INTEGER,
  groupSegmentSize INTEGER, privateSegmentSize INTEGER, kernelName_id INTEGER);
CREATE TABLE rocpd_copyapi (api_ptr_id INTEGER PRIMARY KEY, stream TEXT, size INTEGER,
  kind INTEGER);
CREATE TABLE rocpd_monitor (id INTEGER PRIMARY KEY);
CREATE TABLE ext_autogradapi (api_ptr_id INTEGER PRIMARY KEY, autogradName_id INTEGER, sizes TEXT);
INSERT INTO rocpd_string VALUES (1, ''), (2, 'hipLaunchKernel'), (3, 'KernelExecution'),
  (4, 'UserMarker'), (5, 'hipMemcpyAsync'), (6, 'CopyHostToDevice'), (7, 'gemm'), (8, 'aten::mm');
INSERT INTO rocpd_ustring VALUES (1, 'n = 2'), (2, 'forward');
INSERT INTO rocpd_api VALUES (4294967297, 77, 70, 1000, 1100, 2, 1, 1, 1),
  (4294967298, 78, 71, 1200, 1300, 5, 1, 1, 1), (4294967299, 77, 70, 900, 1150, 4, 1, 1, 2),
  (4294967300, 77, 70, 950, 1140, 4, 1, 1, 1);
INSERT INTO rocpd_op VALUES (1, 2, 0, 0, 2000, 2600, 7, 3), (2, 2, 0, 0, 3000, 3500, 1, 6),
  (3, 2, 0, 0, 4000, 4001, 7, 3);
INSERT INTO rocpd_api_ops VALUES (1, 4294967297, 1), (2, 4294967298, 2);
INSERT INTO rocpd_kernelapi VALUES (4294967297, '0x0', 10, 1, 1, 64, 1, 1, 0, 0, 7);
INSERT INTO rocpd_copyapi VALUES (4294967298, '0x0', 4096, 1);
INSERT INTO rocpd_monitor VALUES (1), (2);
INSERT INTO ext_autogradapi VALUES (4294967300, 8, '[[2,3]]');
)sql";

TEST_F(FormatsTest, RpdsProcessesAreThoseOfItsCalls) {
  const std::string path = MakeDatabase("a.rpd", kRpd);
  ASSERT_EQ(Import({path}), "");
  EXPECT_EQ(Rows(kKernels),
            "gemm|2|70|2000|2600|640|64|hipLaunchKernel\ngemm|2|0|4000|4001|0|0|NULL\n");
  EXPECT_EQ(Rows(kCopies), "4096|2|2|-1\n");
  EXPECT_EQ(Rows(kCalls),
            "hipLaunchKernel|70|1000|1100|n = 2|NULL\nhipMemcpyAsync|71|1200|1300|n = 2|NULL\n");
  EXPECT_EQ(Rows(kMarkers), "forward|70|900|1150\n");
  EXPECT_EQ(Rows("SELECT s.string, i.string FROM rtl_operator o JOIN rocpd_string s"
                 " ON s.id = o.name_id JOIN rocpd_string i ON i.id = o.inputs_id"),
            "aten::mm|[[2,3]]\n");
  EXPECT_EQ(Rows("SELECT pid FROM rtl_process ORDER BY pid"), "77\n78\n");
  EXPECT_EQ(found_[0].report.unused.at("a row of rocpd_monitor"), 2u);
}

TEST_F(FormatsTest, WorkThatRpdLinksToTwoCallsIsOneKernel) {
  const std::string path =
      MakeDatabase("a.rpd", std::string(kRpd) +
                                "INSERT INTO rocpd_api_ops VALUES (3, 4294967299, 1);"
                                " CREATE TABLE rocpd_kernelop (op_ptr_id INTEGER PRIMARY KEY);"
                                " INSERT INTO rocpd_kernelop VALUES (1)");
  ASSERT_EQ(Import({path}), "");
  EXPECT_EQ(found_[0].report.kernels, 2u);
  EXPECT_EQ(found_[0].report.unused.at("a further call of the same work: its link"), 1u);
  EXPECT_EQ(found_[0].report.unused.at("a row of rocpd_kernelop"), 1u);
}

TEST_F(FormatsTest, TablesOfRpdMayBeMissingOrHaveOtherKeys) {
  // As rocm-trace-lite writes them.
  ASSERT_EQ(Import({MakeDatabase("a.db", std::string(kRpd) +
                                             "ALTER TABLE rocpd_kernelapi RENAME COLUMN api_ptr_id"
                                             " TO api_id; ALTER TABLE rocpd_copyapi RENAME COLUMN"
                                             " api_ptr_id TO api_id; DROP TABLE ext_autogradapi;"
                                             " DROP TABLE rocpd_monitor")}),
            "");
  EXPECT_EQ(Rows(kKernels),
            "gemm|2|70|2000|2600|640|64|hipLaunchKernel\ngemm|2|0|4000|4001|0|0|NULL\n");
  EXPECT_EQ(Rows(kCopies), "4096|2|2|-1\n");
  ASSERT_EQ(Import({MakeDatabase("b.db", std::string(kRpd) +
                                             "DROP TABLE rocpd_kernelapi; DROP TABLE rocpd_copyapi;"
                                             " UPDATE rocpd_op SET start = NULL WHERE id = 3")}),
            "");
  EXPECT_EQ(Rows(kKernels), "gemm|2|70|2000|2600|0|0|hipLaunchKernel\n");
  EXPECT_EQ(found_[0].report.unused.at("an event without its times"), 1u);
  const std::string no_links = MakeDatabase("c.db", std::string(kRpd) + "DROP TABLE rocpd_api_ops");
  EXPECT_EQ(Import({no_links}), no_links + ": a database of RPD without its table rocpd_api_ops");
  const std::string other = MakeDatabase("d.db", "CREATE TABLE a (b)");
  EXPECT_EQ(Import({other}), other + ": a database, but not a trace");
}

TEST_F(FormatsTest, ACompressedDatabaseIsUnpacked) {
  const std::string path = MakeDatabase("a.rpd", kRpd);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const std::string packed = folder_.path() + "/packed";
  gzFile gzip = gzopen(packed.c_str(), "wb");
  ASSERT_EQ(gzwrite(gzip, bytes.data(), static_cast<unsigned>(bytes.size())),
            static_cast<int>(bytes.size()));
  gzclose(gzip);
  ASSERT_EQ(Import({packed}), "");
  EXPECT_EQ(found_[0].report.kernels, 2u);
}

constexpr char kRocpd[] = R"sql(
CREATE TABLE rocpd_string_x (id INTEGER PRIMARY KEY, string TEXT);
CREATE TABLE rocpd_info_node_x (id INTEGER PRIMARY KEY, hostname TEXT);
CREATE TABLE rocpd_info_process_x (id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, command TEXT);
CREATE TABLE rocpd_info_thread_x (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, name TEXT);
CREATE TABLE rocpd_info_agent_x (id INTEGER PRIMARY KEY, pid INTEGER, type TEXT,
  type_index INTEGER, name TEXT, product_name TEXT);
CREATE TABLE rocpd_info_kernel_symbol_x (id INTEGER PRIMARY KEY, kernel_name TEXT,
  display_name TEXT, sgpr_count INTEGER, arch_vgpr_count INTEGER);
CREATE TABLE rocpd_track_x (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, name_id INTEGER);
CREATE TABLE rocpd_event_x (id INTEGER PRIMARY KEY, category_id INTEGER, stack_id INTEGER,
  extdata TEXT);
CREATE TABLE rocpd_arg_x (id INTEGER PRIMARY KEY, event_id INTEGER, position INTEGER, name TEXT,
  value TEXT);
CREATE TABLE rocpd_region_x (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER,
  "end" INTEGER, name_id INTEGER, event_id INTEGER);
CREATE TABLE rocpd_sample_x (id INTEGER PRIMARY KEY, track_id INTEGER, timestamp INTEGER,
  event_id INTEGER);
CREATE TABLE rocpd_kernel_dispatch_x (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER,
  agent_id INTEGER, kernel_id INTEGER, queue_id INTEGER, start INTEGER, "end" INTEGER,
  private_segment_size INTEGER, group_segment_size INTEGER, workgroup_size_x INTEGER,
  workgroup_size_y INTEGER, workgroup_size_z INTEGER, grid_size_x INTEGER, grid_size_y INTEGER,
  grid_size_z INTEGER, event_id INTEGER);
CREATE TABLE rocpd_memory_copy_x (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER,
  "end" INTEGER, name_id INTEGER, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER,
  event_id INTEGER);
INSERT INTO rocpd_string_x VALUES (1, 'HIP_RUNTIME_API_EXT'), (2, 'hipLaunchKernel'),
  (3, 'MARKER_CORE_RANGE_API'), (4, 'roctxThreadRangeA'), (5, 'MEMORY_COPY_DEVICE_TO_HOST'),
  (6, 'roctxMarkA');
INSERT INTO rocpd_info_node_x VALUES (1, 'alpha');
INSERT INTO rocpd_info_process_x VALUES (900, 1, 77, 'train');
INSERT INTO rocpd_info_thread_x VALUES (901, 900, 70, 'main');
INSERT INTO rocpd_info_agent_x VALUES (1, 900, 'CPU', 0, 'EPYC', 'EPYC'),
  (2, 900, 'GPU', 0, 'gfx942', 'MI300X');
INSERT INTO rocpd_info_kernel_symbol_x VALUES (3, '_Z4gemmPf.kd', 'gemm', 16, 40);
INSERT INTO rocpd_track_x VALUES (1, 900, 901, 6);
INSERT INTO rocpd_event_x VALUES (1, 1, 5, '{}'), (2, 1, 5, '{}'),
  (3, 3, 6, '{"message": "a \"step\""}'), (4, 1, 7, '{}'), (5, 3, 8, '{"message":"here"}');
INSERT INTO rocpd_arg_x VALUES (1, 2, 0, 'f', '0x1'), (2, 2, 1, 'n', '2');
INSERT INTO rocpd_region_x VALUES (1, 900, 901, 1000, 1100, 2, 2), (2, 900, 901, 900, 3000, 4, 3);
INSERT INTO rocpd_sample_x VALUES (1, 1, 950, 5);
INSERT INTO rocpd_kernel_dispatch_x VALUES (1, 900, 901, 2, 3, 1, 2000, 2600, 0, 0, 64, 1, 1,
  640, 1, 1, 1);
INSERT INTO rocpd_memory_copy_x VALUES (1, 900, 901, 3000, 3500, 5, 1, 2, 4096, 4);
)sql";

TEST_F(FormatsTest, RocpdsCallsHaveTheirArgumentsAndWork) {
  ASSERT_EQ(Import({MakeDatabase("results.db", kRocpd)}), "");
  EXPECT_EQ(Rows(kKernels), "gemm(float*)|0|70|2000|2600|640|64|hipLaunchKernel\n");
  EXPECT_EQ(Rows(kCalls), "hipLaunchKernel|70|1000|1100|f=0x1, n=2|NULL\n");
  EXPECT_EQ(Rows(kCopies), "4096|3|-1|0\n");
  EXPECT_EQ(Rows(kMarkers), "a \"step\"|70|900|3000\nhere|70|950|950\n");
  EXPECT_EQ(Rows(kProcess), "77|alpha|train|NULL\n");
}

// Counters and PC samples, and what a later version may have.
TEST_F(FormatsTest, RocpdsOtherTablesAreCountedByTheirNames) {
  const std::string path = MakeDatabase("results.db", std::string(kRocpd) + R"sql(
INSERT INTO rocpd_string_x VALUES (7, 'SPM');
INSERT INTO rocpd_track_x VALUES (2, 900, 901, 7);
INSERT INTO rocpd_sample_x VALUES (2, 2, 960, NULL), (3, 2, 970, NULL);
CREATE TABLE rocpd_pmc_event_x (id INTEGER PRIMARY KEY, value REAL);
INSERT INTO rocpd_pmc_event_x VALUES (1, 1.0), (2, 2.0), (3, 3.0);
CREATE TABLE rocpd_gpu_pc_sample_x (id INTEGER PRIMARY KEY);
INSERT INTO rocpd_gpu_pc_sample_x VALUES (1);
CREATE TABLE rocpd_graph_launch_x (id INTEGER PRIMARY KEY);
INSERT INTO rocpd_graph_launch_x VALUES (1), (2);
CREATE TABLE rocpd_event_operation_x (id INTEGER PRIMARY KEY);
)sql");
  ASSERT_EQ(Import({path}), "");
  const std::map<std::string, uint64_t> unused = {
      {"a sample of the track SPM", 2},
      {"a value of a hardware counter", 3},
      {"a PC sample", 1},
      {"a row of rocpd_graph_launch", 2},
      {"a call that is not in the file: the link to it", 1}};
  EXPECT_EQ(found_[0].report.unused, unused);
  EXPECT_EQ(Rows(kMarkers), "a \"step\"|70|900|3000\nhere|70|950|950\n");
}

// The same in schema 4.
constexpr char kRocpd4[] = R"sql(
DROP TABLE rocpd_track_x; DROP TABLE rocpd_region_x; DROP TABLE rocpd_sample_x;
DROP TABLE rocpd_kernel_dispatch_x; DROP TABLE rocpd_memory_copy_x; DROP TABLE rocpd_arg_x;
CREATE TABLE rocpd_timestamp_x (id INTEGER PRIMARY KEY, value INTEGER);
CREATE TABLE rocpd_track_x (id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, tid INTEGER,
  agent_id INTEGER, queue_id INTEGER, stream_id INTEGER, name_id INTEGER);
CREATE TABLE rocpd_region_x (id INTEGER PRIMARY KEY, track_id INTEGER, start_id INTEGER,
  end_id INTEGER, name_id INTEGER, event_id INTEGER);
CREATE TABLE rocpd_sample_x (id INTEGER PRIMARY KEY, track_id INTEGER, timestamp_id INTEGER,
  event_id INTEGER);
CREATE TABLE rocpd_kernel_dispatch_x (id INTEGER PRIMARY KEY, track_id INTEGER, kernel_id INTEGER,
  start_id INTEGER, end_id INTEGER, private_segment_size INTEGER, group_segment_size INTEGER,
  workgroup_size_x INTEGER, workgroup_size_y INTEGER, workgroup_size_z INTEGER,
  grid_size_x INTEGER, grid_size_y INTEGER, grid_size_z INTEGER, event_id INTEGER);
CREATE TABLE rocpd_memory_copy_x (id INTEGER PRIMARY KEY, track_id INTEGER, start_id INTEGER,
  end_id INTEGER, name_id INTEGER, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER,
  event_id INTEGER);
INSERT INTO rocpd_timestamp_x VALUES (1, 1000), (2, 1100), (3, 900), (4, 3000), (5, 950),
  (6, 2000), (7, 2600), (8, 3500);
INSERT INTO rocpd_track_x VALUES (1, 1, 900, 901, NULL, NULL, NULL, 6), (2, 1, 900, 901, 2, 1, 1, NULL);
INSERT INTO rocpd_region_x VALUES (1, 1, 1, 2, 2, 2), (2, 1, 3, 4, 4, 3);
INSERT INTO rocpd_sample_x VALUES (1, 1, 5, 5);
INSERT INTO rocpd_kernel_dispatch_x VALUES (1, 2, 3, 6, 7, 0, 0, 64, 1, 1, 640, 1, 1, 1);
INSERT INTO rocpd_memory_copy_x VALUES (1, 2, 4, 8, 5, 1, 2, 4096, 4);
)sql";

TEST_F(FormatsTest, RocpdsSchema4HasTimesAndTracksInTablesOfTheirOwn) {
  ASSERT_EQ(Import({MakeDatabase("results.db", std::string(kRocpd) + kRocpd4)}), "");
  EXPECT_EQ(Rows(kKernels), "gemm(float*)|0|70|2000|2600|640|64|hipLaunchKernel\n");
  EXPECT_EQ(Rows(kCalls), "hipLaunchKernel|70|1000|1100||NULL\n");
  EXPECT_EQ(Rows(kCopies), "4096|3|-1|0\n");
  EXPECT_EQ(Rows(kMarkers), "a \"step\"|70|900|3000\nhere|70|950|950\n");
  EXPECT_EQ(Rows(kProcess), "77|alpha|train|NULL\n");
}

constexpr char kJax[] = R"json({"displayTimeUnit":"ns","metadata":{"highres-ticks":true},
"traceEvents":[
{"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:0"}},
{"ph":"M","pid":1,"tid":13,"name":"thread_name","args":{"name":"Stream #13(Compute,MemcpyH2D)"}},
{"ph":"M","pid":1,"tid":99,"name":"thread_name","args":{"name":"XLA Ops"}},
{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}},
{"ph":"M","pid":701,"tid":5,"name":"thread_name","args":{"name":"python"}},
{"ph":"X","pid":701,"tid":5,"ts":1,"dur":9,"name":"train","args":{"step_num":"4"}},
{"ph":"X","pid":701,"tid":5,"ts":1.5,"dur":8,"name":"$train.py:12 step"},
{"ph":"X","pid":701,"tid":5,"ts":2,"dur":1,"name":"PjitFunction(f)"},
{"ph":"X","pid":701,"tid":5,"ts":2.1,"dur":0.5,"name":"hipLaunchKernel",
 "args":{"correlation_id":"41"}},
{"ph":"X","pid":1,"tid":13,"ts":4,"dur":2,"name":"loop_fusion","args":{"correlation_id":"41",
 "hlo_op":"fusion.1","kernel_details":"regs:40 static_shared:0 dynamic_shared:64 grid:10,1,1 block:64,1,1 occ_pct:100"}},
{"ph":"X","pid":1,"tid":13,"ts":7,"dur":1,"name":"MemcpyD2H",
 "args":{"memcpy_details":"kind_src:device kind_dst:pinned size:4096 dest:0 async:1"}},
{"ph":"X","pid":1,"tid":99,"ts":4,"dur":2,"name":"fusion.1"},
{"ph":"E","pid":701,"tid":5,"ts":20,"name":"alone"},
{}]})json";

TEST_F(FormatsTest, JaxsStreamsHaveKernelsAndItsOtherLinesAreCounted) {
  ASSERT_EQ(Import({Write("a.json", kJax)}), "");
  EXPECT_EQ(Rows(kKernels), "loop_fusion|0|5|4000|6000|640|64|hipLaunchKernel\n");
  EXPECT_EQ(Rows(kCopies), "4096|3|-1|0\n");
  EXPECT_EQ(Rows(kMarkers), "train 4|5|1000|10000\n");
  EXPECT_EQ(Rows("SELECT o.kind, s.string FROM rtl_operator o JOIN rocpd_string s"
                 " ON s.id = o.name_id ORDER BY o.start"),
            "2|train.py:12 step\n1|PjitFunction(f)\n");
  const std::map<std::string, uint64_t> unused = {
      {"a call that is not in the file: the link to it", 1},
      {"an event of the GPU's line XLA Ops", 1},
      {"an event without a pair", 1}};
  EXPECT_EQ(found_[0].report.unused, unused);
}

std::string Varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7f) | 0x80);
  return bytes + static_cast<char>(value);
}
// A field of a message in protobuf's encoding.
std::string Field(int number, const std::string& bytes) {
  return std::string(1, static_cast<char>(number << 3 | 2)) + Varint(bytes.size()) + bytes;
}
std::string Field(int number, uint64_t value) {
  return std::string(1, static_cast<char>(number << 3)) + Varint(value);
}
// An entry of a plane's map from numbers to names.
std::string Named(int map, uint64_t id, const std::string& name) {
  return Field(map, Field(1, id) + Field(2, Field(1, id) + Field(2, name)));
}
// An event with times in picoseconds.
std::string Span(uint64_t name, uint64_t offset, uint64_t duration, const std::string& stats) {
  return Field(4, Field(1, name) + Field(2, offset) + Field(3, duration) + stats);
}

// As ROCm's profiler of XLA writes it: the names follow the events.
std::string XSpace() {
  const std::string gpu =
      Field(1, uint64_t{1}) + Field(2, "/device:GPU:1") +
      Field(3,
            Field(1, uint64_t{13}) + Field(2, "Stream #13(Kernel)") + Field(3, uint64_t{5}) +
                Span(1, 4000000, 2000499,
                     Field(4, Field(1, uint64_t{1}) + Field(3, uint64_t{41})) +
                         Field(4, Field(1, uint64_t{2}) + Field(7, uint64_t{5}))) +
                Span(2, 7000000, 1000000,
                     Field(4, Field(1, uint64_t{3}) + Field(5, "kind:Unknown size:64 dest:0")))) +
      Field(3, Field(1, uint64_t{99}) + Field(2, "XLA Ops") + Span(1, 4000000, 2000000, "")) +
      Named(4, 1, "loop_fusion.kd") + Named(4, 2, "CopyDeviceToDevice") +
      Named(5, 1, "correlation_id") + Named(5, 2, "kernel_details") +
      Named(5, 3, "memcpy_details") + Named(5, 4, "core_count") +
      Named(5, 5, " grid:10,1,1 block:64,1,1 private_mem:16 group_mem:2112") +
      Field(6, Field(1, uint64_t{4}) + Field(4, uint64_t{304}));
  const std::string host =
      Field(2, "/host:CPU") +
      Field(3,
            Field(1, uint64_t{701}) + Field(2, "python3") + Field(3, uint64_t{5}) +
                Span(1, 2000000, 500000, Field(4, Field(1, uint64_t{1}) + Field(4, uint64_t{41}))) +
                Span(2, 1000000, 9000000, "") +
                Field(4, Field(1, uint64_t{2}) + Field(5, uint64_t{3}))) +
      Named(4, 1, "hipModuleLaunchKernel") + Named(4, 2, "$train.py:12 step") +
      Named(5, 1, "correlation_id");
  const std::string about = Field(2, "Task Environment") + Named(5, 1, "profile_start_time") +
                            Field(6, Field(1, uint64_t{1}) + Field(3, uint64_t{1700}));
  return Field(1, Field(2, "/host:metadata")) + Field(1, gpu) + Field(1, host) +
         Field(1, Field(2, "/device:CUSTOM:Trace") + Field(3, Field(2, "line"))) + Field(1, about) +
         Field(4, "alpha");
}

TEST_F(FormatsTest, XPlaneFilesHaveWhatTheirJsonHas) {
  ASSERT_EQ(Import({Write("alpha.xplane.pb", XSpace())}), "");
  EXPECT_EQ(Rows(kKernels), "loop_fusion|1|701|4005|6005|640|64|hipModuleLaunchKernel\n");
  EXPECT_EQ(Rows(kCopies), "64|4|1|1\n");
  EXPECT_EQ(Rows(kCalls), "hipModuleLaunchKernel|701|2005|2505||NULL\n");
  EXPECT_EQ(Rows("SELECT group_segment, private_segment FROM rtl_kernel"), "2112|16\n");
  EXPECT_EQ(Rows("SELECT name, compute_units FROM rtl_agent WHERE gpu = 1"), "GPU:1|304\n");
  EXPECT_EQ(Rows("SELECT s.string, o.start, o.duration FROM rtl_operator o JOIN rocpd_string s"
                 " ON s.id = o.name_id"),
            "train.py:12 step|1005|9000\n");
  EXPECT_EQ(Rows("SELECT host FROM rtl_process"), "alpha\n");
  EXPECT_EQ(Rows("SELECT value FROM rocpd_metadata WHERE tag = 'realtime_minus_boottime'"),
            "1700\n");
  const std::map<std::string, uint64_t> unused = {
      {"a call that is not in the file: the link to it", 1},
      {"an event of the GPU's line XLA Ops", 1},
      {"an event without its times", 1}};
  EXPECT_EQ(found_[0].report.unused, unused);
}

TEST_F(FormatsTest, OfAProfilersFilesTheWholeOneIsRead) {
  std::filesystem::create_directories(folder_.path() + "/run");
  Write("run/alpha.xplane.pb", XSpace());
  for (const char* name :
       {"run/alpha.trace.json.gz", "run/beta.trace.json.gz", "run/perfetto_trace.json.gz"})
    Write(name, kJax);
  ASSERT_EQ(Import({folder_.path() + "/run"}), "");
  ASSERT_EQ(found_.size(), 2u);
  EXPECT_EQ(found_[0].source.shown, folder_.path() + "/run/alpha.xplane.pb");
  EXPECT_EQ(found_[1].source.shown, folder_.path() + "/run/beta.trace.json.gz");
}

TEST_F(FormatsTest, DamagedXPlaneFilesAreRefusedInOneLine) {
  const std::string text = XSpace();
  const std::string cut = Write("cut.pb", text.substr(0, text.size() - 3));
  EXPECT_EQ(Import({cut}),
            cut + ": ends within a plane at byte " + std::to_string(text.size() - 3));
  for (size_t bytes = 40; bytes < text.size(); ++bytes) {
    const std::string file = Write("part.pb", text.substr(0, bytes));
    const std::string error = Import({file});
    EXPECT_EQ(error.find('\n'), std::string::npos) << bytes;
  }
}

TEST_F(FormatsTest, EndsClosePairs) {
  ASSERT_EQ(Import({Write("a.json", R"json([
 {"ph":"B","cat":"user_annotation","name":"outer","pid":1,"tid":2,"ts":1},
 {"ph":"B","cat":"user_annotation","name":"inner","pid":1,"tid":2,"ts":2},
 {"ph":"E","pid":1,"tid":2,"ts":3},
 {"ph":"E","pid":1,"tid":2,"ts":5},
 {"ph":"B","cat":"user_annotation","name":"open","pid":1,"tid":2,"ts":6}])json")}),
            "");
  EXPECT_EQ(Rows(kMarkers), "outer|2|1000|5000\ninner|2|2000|3000\n");
  EXPECT_EQ(found_[0].report.unused.at("an event without a pair"), 1u);
}

TEST_F(FormatsTest, HostileFilesAreRefusedInOneLine) {
  const std::string text = Rocprofv3(kTables, kRecords);
  const std::string half = Write("half.json", text.substr(0, text.size() - 300));
  EXPECT_EQ(Import({half}).substr(0, half.size() + 25), half + ": not valid JSON at byte ");
  const std::string cells = Write("a_kernel_trace.csv", std::string(kKernelCsv) + "1,2\n");
  EXPECT_EQ(Import({cells}), cells + ": row 3 has 2 columns, not 13");
  const std::string open = Write("b_kernel_trace.csv", std::string(kKernelCsv) + "\"1,2\n");
  EXPECT_EQ(Import({open}), open + ": row 3 ends inside of quotes");
  std::filesystem::create_directories(folder_.path() + "/job/kernels");
  const std::string parquet = Write("job/kernels/rank-00000-000000.parquet", "PAR1PAR1");
  EXPECT_EQ(Import({parquet}),
            parquet + ": a Parquet file; rtl fleet reads the folder of its dataset");
  EXPECT_EQ(Import({folder_.path() + "/job"}),
            folder_.path() + "/job: Parquet files, not a trace: rtl fleet reads a dataset");
  const std::string table = MakeDatabase("no.rpd", std::string(kRpd) +
                                                       "DROP TABLE rocpd_op;"
                                                       "CREATE TABLE rocpd_op (id INTEGER);");
  EXPECT_NE(Import({table}).find("no such column"), std::string::npos);
  const std::string long_name =
      Write("name.json", "[{\"ph\":\"X\",\"name\":\"" + std::string(2 << 20, 'x') + "\"}]");
  EXPECT_EQ(Import({long_name}), long_name + ": has a value that is too long for a trace");
  const std::string bomb = folder_.path() + "/bomb.json";
  gzFile gzip = gzopen(bomb.c_str(), "wb9");
  const std::string spaces(size_t{1} << 20, ' ');
  gzwrite(gzip, "[", 1);
  for (int i = 0; i < 66; ++i) gzwrite(gzip, spaces.data(), 1 << 20);
  gzclose(gzip);
  EXPECT_EQ(Import({bomb}), bomb +
                                ": has a value or an event that is too long for a trace"
                                " (over 64 MB)");
}

TEST_F(FormatsTest, NumbersThatAreNoTimesAreCounted) {
  ASSERT_EQ(Import({Write("a.json", R"json([
 {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":0,"ts":9e300,"dur":1,"args":{"device":0}},
 {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":0,"ts":9223372036854774,"dur":9223372036854774,
  "args":{"device":0}},
 {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":0,"ts":-5,"dur":1,"args":{"device":0}},
 {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":0,"ts":5,"dur":1,
  "args":{"device":99999999999999999999,"stream":-1}}])json")}),
            "");
  EXPECT_EQ(found_[0].report.kernels, 1u);
  const std::map<std::string, uint64_t> unused = {{"a time before the trace's clock began", 1},
                                                  {"a time that goes backwards", 1},
                                                  {"an event without its times", 1}};
  EXPECT_EQ(found_[0].report.unused, unused);
}

TEST(RankInName, IsTheNumberBehindTheWord) {
  EXPECT_EQ(RankInName("a/rank-12.Apr_03.pt.trace.json.gz"), 12);
  EXPECT_EQ(RankInName("profile_trace_rank_0.json.gz"), 0);
  EXPECT_EQ(RankInName("Rank7.json"), 7);
  EXPECT_EQ(RankInName("rank_none/ranking.json"), -1);
  EXPECT_EQ(RankInName("host_123.json"), -1);
}

}  // namespace
}  // namespace rtl::import
