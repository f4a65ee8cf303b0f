// SPDX-License-Identifier: MIT
#include "vgpu/wave/launch.h"

#include <memory>
#include <utility>

#include "vgpu/wave/grid.h"
#include "vgpu/wave/grid_launch.h"
#include "vgpu/wave/gws.h"
#include "vgpu/wave/host_trap.h"
#include "vgpu/wave/translation.h"
#include "vgpu/wave/worker_pool.h"

namespace vgpu {

DispatchResult ExecuteDispatch(const DispatchRequest& request) {
  GridLaunch launch;
  DispatchResult refused = PrepareLaunch(request, &launch);
  if (refused.code != DispatchResult::Code::kOk) return refused;
  const auto grid = std::make_shared<Grid>(launch, request.stop);
  std::unique_ptr<Executor> executor = BorrowExecutor();
  DispatchResult result = grid->Run(*executor);
  ReturnExecutor(std::move(executor));
  return result;
}

void ForgetDispatches() {
  ForgetWorkers();
  ForgetTranslations();
  ForgetGws();
  ForgetHostTraps();
}

}  // namespace vgpu
