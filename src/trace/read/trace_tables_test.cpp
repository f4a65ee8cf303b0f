// SPDX-License-Identifier: MIT
#include "trace/read/trace_tables.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/support/earlier_schemas.h"
#include "trace/read/query_test_support.h"

namespace rtl::query {
namespace {

class TablesOfATrace : public testing::Test {
 protected:
  TablesOfATrace() {
    trace_.Queue(0);
    trace_.Queue(1);
    trace_.Kernel("gemm");
    trace_.Add({.start = 10, .end = 20});
    trace_.Name(Named::kThread, 101, 15, "loader");
    trace_.NextProcess();
    trace_.Finish();
  }
  void Open() {
    ExpectOk(database_.Open(path_));
    ExpectOk(version_.Read(database_));
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("trace.db");
  TestTrace trace_{path_};
  TraceDatabase database_;
  TraceVersion version_;
  TraceTables tables_{&database_, &version_};
};

TEST_F(TablesOfATrace, AreReadInTheOrderOfTheirObjects) {
  Open();
  std::vector<Process> processes;
  ExpectOk(tables_.Processes(&processes));
  ASSERT_EQ(processes.size(), 2u);
  EXPECT_EQ(processes[1].pid, 1001u);
  EXPECT_EQ(processes[0].rank, -1) << "not known";
  std::vector<Agent> agents;
  ExpectOk(tables_.Agents(&agents));
  ASSERT_EQ(agents.size(), 4u);
  EXPECT_EQ(agents[2].process, processes[1].id);
  std::vector<Queue> queues;
  ExpectOk(tables_.Queues(&queues));
  ASSERT_EQ(queues.size(), 2u);
  EXPECT_EQ(queues[0].recorded, 1u);
  EXPECT_EQ(queues[1].gpu, 1);
  std::vector<GivenName> names;
  ExpectOk(tables_.GivenNames(&names));
  ASSERT_EQ(names.size(), 1u);
  EXPECT_EQ(names[0].name, "loader");
}

TEST_F(TablesOfATrace, LackWhatAnOlderSchemaHasNot) {
  ExecuteSql(path_, test::kMakeEarlierNamesSql);
  ExecuteSql(path_, test::kMakeLinkTableSql);
  ExecuteSql(path_,
             "ALTER TABLE rtl_process DROP COLUMN events; DROP TABLE rtl_agent_property;"
             "DROP VIEW IF EXISTS rtl_counter; DROP TABLE IF EXISTS rtl_counter_value");
  Open();
  std::vector<Process> processes;
  ExpectOk(tables_.Processes(&processes));
  ASSERT_EQ(processes.size(), 2u);
  EXPECT_EQ(processes[0].events, "");
  std::vector<AgentProperty> properties;
  ExpectOk(tables_.AgentProperties(&properties));
  EXPECT_TRUE(properties.empty());
  std::vector<CounterSum> counters;
  ExpectOk(tables_.Counters(0, &counters));
  EXPECT_TRUE(counters.empty());
  std::vector<CodeObjectRow> codes;
  ExpectOk(tables_.CodeObjects(&codes));
  EXPECT_TRUE(codes.empty());
}

// A trace of schema 12 has the earlier names, a trace of this schema has both.
TEST_F(TablesOfATrace, HaveOneNameForEachColumnTagAndCounter) {
  for (const char* change : {"", test::kMakeEarlierNamesSql}) {
    ExecuteSql(path_, change);
    TraceDatabase database;
    TraceVersion version;
    TraceTables tables{&database, &version};
    ExpectOk(database.Open(path_));
    ExpectOk(version.Read(database));
    EXPECT_EQ(version.metadata().at("submitted.kernels"), "1") << change;
    EXPECT_EQ(version.metadata().at("seen.kernels"), "1") << change;
    EXPECT_EQ(version.metadata().at("loaded_by"), version.metadata().at("door")) << change;
    std::vector<Process> processes;
    ExpectOk(tables.Processes(&processes));
    ASSERT_EQ(processes.size(), 2u);
    EXPECT_EQ(processes[0].loaded_by, version.metadata().at("door")) << change;
    std::vector<Queue> queues;
    ExpectOk(tables.Queues(&queues));
    ASSERT_EQ(queues.size(), 2u);
    EXPECT_EQ(queues[0].submitted, 1u) << change;
    std::vector<ProcessCounter> counters;
    ExpectOk(tables.ProcessCounters(&counters));
    std::map<std::string, int> of_kernels;
    for (const ProcessCounter& counter : counters)
      of_kernels[counter.counter] += counter.kind == "kernels" && counter.process == 1;
    EXPECT_EQ(of_kernels["submitted"], 1) << change;
    EXPECT_FALSE(of_kernels.contains("seen")) << change;
  }
}

TEST_F(TablesOfATrace, AreRefusedWithoutAColumnOfTheirSchema) {
  ExecuteSql(path_, "ALTER TABLE rtl_queue DROP COLUMN size");
  Open();
  std::vector<Queue> queues;
  const Status status = tables_.Queues(&queues);
  EXPECT_EQ(std::string(status.message()), path_ + ": its table rtl_queue has no column size");
}

}  // namespace
}  // namespace rtl::query
