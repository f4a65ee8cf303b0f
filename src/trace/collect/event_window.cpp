// SPDX-License-Identifier: MIT
#include "trace/collect/event_window.h"

#include <filesystem>
#include <optional>

namespace rtl::store {

Status EventWindow::Make(size_t bytes, const std::string& mark,
                         const std::vector<RangeTrigger>& ranges,
                         std::unique_ptr<EventWindow>* out) {
  std::unique_ptr<EventWindow> window(new EventWindow(bytes));
  RTL_TRY(WindowTriggers::Make(mark, ranges, &window->triggers_));
  *out = std::move(window);
  return Status::Ok();
}

void EventWindow::Keep(uint32_t process, const spool::RecordView& record) {
  ring_.Add(process, record);
  if (std::optional<std::string> why = triggers_->Look(process, record)) Ask(std::move(*why));
}

void EventWindow::End(uint32_t process) {
  ring_.End(process);
  triggers_->End(process);
}

std::string EventWindow::TakeDue() {
  if (due_.empty()) return "";
  std::string why = due_.front();
  if (due_.size() > 1) why += " and " + std::to_string(due_.size() - 1) + " more";
  due_.clear();
  return why;
}

std::string EventWindow::NextName(const std::string& output) {
  const std::filesystem::path path(output);
  std::filesystem::path name = path;
  name.replace_extension("." + std::to_string(++named_) + path.extension().string());
  return name.string();
}

void EventWindow::NoteLeft(uint32_t process) {
  ring_.Drop(process);
  ++left_;
}

void EventWindow::AddLeft(const KindTotals* kinds) {
  for (size_t k = 0; k < kEventKindCount; ++k) left_kinds_[k].Add(kinds[k]);
}

}  // namespace rtl::store
