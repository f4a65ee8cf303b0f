// SPDX-License-Identifier: MIT
#include "cli/base/interruptions.h"

#include <signal.h>
#include <unistd.h>

#include "cli/base/print.h"
#include "trace/read/error.h"

namespace rtl::cli {
namespace {

std::atomic<bool> g_cancel{false};
std::atomic<int> g_signal{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "written in a signal handler");

void Cancel(int signal) {
  g_signal.store(signal, std::memory_order_relaxed);
  g_cancel.store(true, std::memory_order_relaxed);
}

}  // namespace

void CatchInterruptions(bool always) {
  g_cancel.store(false, std::memory_order_relaxed);
  struct sigaction action = {};
  action.sa_handler = Cancel;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    // sigaction cannot fail here: the signals exist and can be caught.
    (void)sigaction(signal, nullptr, &before);
    const bool ignored = before.sa_handler == SIG_IGN && (!always || signal == SIGHUP);
    if (!ignored) (void)sigaction(signal, &action, nullptr);
  }
}

void CatchLateInterruptions(bool terminated) {
  CatchInterruptions();
  if (!terminated) return;
  constexpr unsigned kSeconds = 8;  // `docker stop` sends SIGKILL after ten
  struct sigaction action = {};
  action.sa_handler = Cancel;
  (void)sigaction(SIGALRM, &action, nullptr);  // cannot fail: the signal exists and can be caught
  (void)alarm(kSeconds);
}

void EndLateInterruptions() { (void)alarm(0); }

const std::atomic<bool>* Interrupted() { return &g_cancel; }

int FinishOrFail(const Status& status) {
  if (status.ok()) return 0;
  const int failed = Fail(status);
  const int signal = g_signal.load(std::memory_order_relaxed);
  return query::WasCancelled(status) && signal != 0 ? 128 + signal : failed;
}

}  // namespace rtl::cli
