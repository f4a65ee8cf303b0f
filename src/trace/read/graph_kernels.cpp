// SPDX-License-Identifier: MIT
#include "trace/read/graph_kernels.h"

#include <string>

#include "trace/schema/schema.h"

namespace rtl::query {
namespace {

constexpr char kGraphLaunches[] =
    "SELECT id FROM rocpd_string WHERE string IN ('hipGraphLaunch', 'hipGraphLaunch_spt')";
constexpr char kMakeTable[] =
    "CREATE TEMP TABLE IF NOT EXISTS rtl_reader_graph_kernel"
    " (op_id INTEGER PRIMARY KEY ON CONFLICT IGNORE, graph, launch, node)";
constexpr char kFillTable[] =
    "INSERT INTO temp.rtl_reader_graph_kernel SELECT op_id, graph, launch, node FROM (";
constexpr char kSelectKernel[] =
    "SELECT graph, launch, node FROM temp.rtl_reader_graph_kernel WHERE op_id = ?1";

}  // namespace

Status GraphKernels::Prepare(Statement* by_kernel) {
  bool has_row = false;
  Statement launches;
  RTL_TRY(database_.Prepare(kGraphLaunches, &launches));
  RTL_TRY(launches.Step(&has_row));
  if (!has_row) return Status::Ok();
  if (!is_made_) {
    Statement table;
    RTL_TRY(database_.Prepare(kMakeTable, &table));
    RTL_TRY(table.Step(&has_row));
    Statement fill;
    RTL_TRY(database_.Prepare(std::string(kFillTable) + store::kGraphKernelsSql + ")", &fill));
    RTL_TRY(fill.Step(&has_row));
    is_made_ = true;
  }
  return database_.Prepare(kSelectKernel, by_kernel);
}

}  // namespace rtl::query
