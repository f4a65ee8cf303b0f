// SPDX-License-Identifier: MIT
// api_details.h: details of launches and copies: rocpd_kernelapi and rocpd_copyapi, from the
// arguments of their calls. The name of a launched kernel is known from its dispatch, which may be
// read before or after the call.
//
// Memory     one entry per launch of which only one half has been read; at most kMaxWaiting each
//            way
// Errors     of the database
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/status.h"
#include "store/api_text.h"
#include "store/database.h"
#include "store/known_rows.h"

namespace rtl::store {

struct LaunchDetails {
  uint64_t stream = 0;
  uint64_t grid[3] = {};       // as the call gives it: blocks, or work-items
  uint64_t workgroup[3] = {};  // work-items
  uint64_t shared_bytes = 0;
};

struct CopyDetails {
  uint64_t stream = 0;
  uint64_t bytes = 0;
  uint64_t dst = 0;
  uint64_t src = 0;
  int64_t kind = 0;  // hipMemcpyKind
  bool sync = false;
};

// Empty when the call launches no kernel, or copies nothing.
std::optional<LaunchDetails> FindLaunch(const ApiArguments& arguments);
std::optional<CopyDetails> FindCopy(const ApiArguments& arguments);

// For one trace; the row's id distinguishes processes.
class ApiDetails {
 public:
  static constexpr size_t kMaxWaiting = 65536;

  // `no_kernel`: the name (a string's id) of a launch whose kernel was not recorded. `last_shape`:
  // the highest id in rtl_launch_call.
  Status Prepare(const Database& database, int64_t no_kernel, int64_t last_shape = 0);
  // `api`: rocpd_api.id.
  Status AddCall(int64_t api, const ApiArguments& arguments);
  Status AddKernel(int64_t api, int64_t name);
  // No kernel of the calls so far will be read any more.
  Status Settle();
  void Finalize();

 private:
  // The common part of launch calls.
  struct Shape {
    LaunchDetails launch;
    int64_t name;
  };
  Status Write(int64_t api, const LaunchDetails& launch, int64_t name);

  Statement shape_, launch_, copy_;
  KnownRows<Shape> shapes_;
  int64_t no_kernel_ = 0;
  std::unordered_map<int64_t, LaunchDetails> launches_;  // their kernels have not been read
  std::unordered_map<int64_t, int64_t> kernels_;         // their calls have not been read
};

}  // namespace rtl::store
