// SPDX-License-Identifier: MIT
#include "trace/write/call_arguments.h"

namespace rtl::store {

Status CallArguments::Find(const ApiCallRecord& record, std::string_view payload,
                           const ApiArguments& arguments, Strings* strings, const Known** out) {
  const uint32_t head[] = {record.api, uint32_t{record.slots} << 16 | record.flags};
  key_.assign(reinterpret_cast<const char*>(head), sizeof head);
  key_.append(payload);
  const auto known = known_.find(key_);
  if (known != known_.end()) {
    *out = &known->second;
    return Status::Ok();
  }
  if (known_.size() >= kMost) known_.clear();
  Known& made = known_[key_];
  made.launch = FindLaunch(arguments);
  if (!made.launch.has_value()) made.copy = FindCopy(arguments);
  *out = &made;
  return strings->InternOnce(arguments.Text(), &made.text);
}

}  // namespace rtl::store
