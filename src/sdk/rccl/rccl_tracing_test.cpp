// SPDX-License-Identifier: MIT
#include "sdk/rccl/rccl_tracing.h"

#include <gtest/gtest.h>
#include <rocprofiler-sdk/rccl.h>
#include <string.h>

#include <string>
#include <vector>

#include "capture/hip/open_call.h"
#include "capture/rccl/rccl_tables.h"

namespace rtl::sdk {
namespace {

using capture::RcclTables;

struct HeardOfRccl {
  std::vector<rocprofiler_callback_tracing_record_t> records;
  std::vector<std::string> enter, exit;  // arguments
  int32_t result = -1;
};

int NoteRccl(rocprofiler_callback_tracing_kind_t, rocprofiler_tracing_operation_t, uint32_t,
             const void* const, int32_t, const char* type, const char* name, const char* value,
             int32_t dereferences, void* list) {
  static_cast<std::vector<std::string>*>(list)->push_back(
      std::string(type) + " " + name + "=" + value + (dereferences != 0 ? " behind" : ""));
  return 0;
}

void OnRcclCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t*,
                void* data) {
  auto* const heard = static_cast<HeardOfRccl*>(data);
  heard->records.push_back(record);
  const bool enter = record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER;
  EXPECT_EQ(rocprofiler_iterate_callback_tracing_kind_operation_args(
                record, NoteRccl, 1, enter ? &heard->enter : &heard->exit),
            ROCPROFILER_STATUS_SUCCESS);
  heard->result = static_cast<rocprofiler_callback_tracing_rccl_api_data_t*>(record.payload)
                      ->retval.ncclResult_t_retval;
}

uint64_t correlation_inside_rccl = 0;

struct RcclId {
  char bytes[128];
};
int RealInitRank(void** comm, int, RcclId, int rank) {
  correlation_inside_rccl = capture::OpenCall::Correlation();
  *comm = reinterpret_cast<void*>(0xc0);
  return rank;
}

struct TableOfRccl {
  size_t bytes = sizeof(TableOfRccl);
  void* entries[ROCPROFILER_RCCL_API_ID_ncclCommInitRank + 1] = {};
};

class RcclTracingTest : public testing::Test {
 protected:
  void SetUp() override {
    context_ = contexts_.Create(0);
    table_.entries[ROCPROFILER_RCCL_API_ID_ncclCommInitRank] =
        reinterpret_cast<void*>(&RealInitRank);
  }
  void TearDown() override { RcclTables::TEST_Forget(); }

  void Ask(rocprofiler_rccl_api_id_t operation) {
    CallbackService& service = context_->callbacks[ROCPROFILER_CALLBACK_TRACING_RCCL_API];
    service.callback = OnRcclCall;
    service.data = &heard_;
    service.operations.Add(operation);
    (void)context_->Start();
    calls_.Open();
    tracing_.Open();
  }

  int InitRank(void** comm, int rank) {
    RcclId id = {};
    return reinterpret_cast<int (*)(void**, int, RcclId, int)>(
        table_.entries[ROCPROFILER_RCCL_API_ID_ncclCommInitRank])(comm, 2, id, rank);
  }

  HeardOfRccl heard_;
  Contexts contexts_;
  Context* context_ = nullptr;
  ApiCalls calls_{&contexts_};
  RcclTracing tracing_{&calls_};
  capture::RcclCalls rccl_;
  TableOfRccl table_;
};

TEST_F(RcclTracingTest, ReportsACallOfATableWithItsArgumentsAndResult) {
  Ask(ROCPROFILER_RCCL_API_ID_ncclCommInitRank);
  ASSERT_TRUE(RcclTables::Wrap(&table_, rccl_.Listen(&tracing_)).ok());
  void* comm = nullptr;
  EXPECT_EQ(InitRank(&comm, 0), 0);
  ASSERT_EQ(heard_.records.size(), 2u);
  EXPECT_EQ(heard_.records[0].operation, ROCPROFILER_RCCL_API_ID_ncclCommInitRank);
  EXPECT_EQ(heard_.records[0].correlation_id.internal, 1u);
  EXPECT_EQ(correlation_inside_rccl, 1u) << "a kernel would belong to this call";
  ASSERT_EQ(heard_.enter.size(), 4u);
  EXPECT_EQ(heard_.enter[1], "int nranks=2");
  EXPECT_EQ(heard_.enter[3], "int myrank=0") << "after 128 bytes without alignment";
  EXPECT_EQ(heard_.exit[0], "ncclComm_t* newcomm=0xc0 behind");
  heard_.exit.clear();
  EXPECT_EQ(InitRank(&comm, 4), 4);
  EXPECT_EQ(heard_.result, 4);
  EXPECT_NE(heard_.exit[0], "ncclComm_t* newcomm=0xc0 behind") << "nothing was filled in";
  EXPECT_EQ(heard_.exit[3], "int myrank=4");
}

TEST_F(RcclTracingTest, DoesNotReportACallWithoutASubscription) {
  Ask(ROCPROFILER_RCCL_API_ID_ncclAllReduce);
  EXPECT_TRUE(tracing_.asked());
  ASSERT_TRUE(RcclTables::Wrap(&table_, rccl_.Listen(&tracing_)).ok());
  void* comm = nullptr;
  EXPECT_EQ(InitRank(&comm, 1), 1);
  EXPECT_EQ(comm, reinterpret_cast<void*>(0xc0));
  EXPECT_EQ(heard_.records.size(), 0u);
  EXPECT_EQ(correlation_inside_rccl, 0u);
}

// Tools read the arguments at the header's offsets.
TEST(RcclFunctions, LaysOutArgumentsAsTheInterfaceDoes) {
  using Args = rocprofiler_rccl_api_args_t;
  const ApiArguments& init = kRcclFunctions[ROCPROFILER_RCCL_API_ID_ncclCommInitRank].arguments;
  EXPECT_EQ(OffsetOfArgument(init, 3), offsetof(Args, ncclCommInitRank.myrank));
  const ApiArguments& config =
      kRcclFunctions[ROCPROFILER_RCCL_API_ID_ncclCommInitRankConfig].arguments;
  EXPECT_EQ(OffsetOfArgument(config, 4), offsetof(Args, ncclCommInitRankConfig.config));
  const ApiArguments& reduce = kRcclFunctions[ROCPROFILER_RCCL_API_ID_ncclReduce].arguments;
  EXPECT_EQ(OffsetOfArgument(reduce, 7), offsetof(Args, ncclReduce.stream));
  EXPECT_EQ(OffsetOfArgument(reduce, 5), offsetof(Args, ncclReduce.root));
}

}  // namespace
}  // namespace rtl::sdk
