// SPDX-License-Identifier: MIT
#include "trace/schema/api_text.h"

#include <bit>
#include <charconv>
#include <cstring>

namespace rtl::store {
namespace {

template <typename Number>
void AppendFloating(Number value, std::string* out) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out->append(digits, end);
}

void AppendEnum(uint8_t enumeration, uint64_t value, std::string* out) {
  const char* const name = EnumeratorName(enumeration, static_cast<int64_t>(value));
  *out += name != nullptr ? std::string(name) : std::to_string(static_cast<int64_t>(value));
}

}  // namespace

std::string Hex(uint64_t value) {
  char digits[20] = {'0', 'x'};
  return std::string(digits, std::to_chars(digits + 2, digits + sizeof digits, value, 16).ptr);
}

ApiArguments::ApiArguments(const ApiCallRecord& record, std::string_view payload)
    : ApiArguments(FindApiCall(record.api), nullptr, record.flags, record.slots, payload) {
  if (call_ != nullptr) args_ = ApiArgs(*call_);
}

ApiArguments::ApiArguments(const ApiCall* call, const ApiArg* args, uint16_t flags, uint16_t slots,
                           std::string_view payload)
    : call_(call), args_(args) {
  if ((flags & kApiFlagText) != 0) {
    call_ = nullptr;
    texts_ = payload;
  }
  if (call_ == nullptr) return;
  const size_t bytes = size_t{slots} * 8;
  if (slots != call_->slots || payload.size() < bytes) {
    call_ = nullptr;
    return;
  }
  outputs_ = (flags & kApiFlagOutputs) != 0;
  truncated_ = (flags & kApiFlagTruncated) != 0;
  slots_ = payload.substr(0, bytes);
  texts_ = payload.substr(bytes);
}

uint64_t ApiArguments::Slot(uint32_t slot) const {
  uint64_t value = 0;
  if (slots_.size() >= (size_t{slot} + 1) * 8) memcpy(&value, slots_.data() + slot * 8, 8);
  return value;
}

bool ApiArguments::Find(std::string_view name, const ApiArg** argument, uint32_t* slot) const {
  if (call_ == nullptr) return false;
  uint32_t at = 0;
  for (uint32_t i = 0; i < call_->args; ++i) {
    const ApiArg& candidate = args_[i];
    if (name == candidate.name) {
      *argument = &candidate;
      *slot = at;
      return true;
    }
    at += SlotsOf(candidate.form);
  }
  return false;
}

void ApiArguments::AppendValue(const ApiArg& argument, uint32_t slot, size_t* text_at,
                               std::string* out) const {
  const uint64_t value = Slot(slot);
  switch (argument.form) {
    case ArgForm::kPointer:
      *out += Hex(value);
      return;
    case ArgForm::kSigned:
      *out += std::to_string(static_cast<int64_t>(value));
      return;
    case ArgForm::kUnsigned:
      *out += std::to_string(value);
      return;
    case ArgForm::kFloat:
      return AppendFloating(std::bit_cast<float>(static_cast<uint32_t>(value)), out);
    case ArgForm::kDouble:
      return AppendFloating(std::bit_cast<double>(value), out);
    case ArgForm::kEnum:
      return AppendEnum(argument.enumeration, value, out);
    case ArgForm::kDim3:
      *out += "{" + std::to_string(static_cast<uint32_t>(value)) + "," +
              std::to_string(value >> 32) + "," + std::to_string(Slot(slot + 1)) + "}";
      return;
    case ArgForm::kStruct:
      *out += "{...}";
      return;
    case ArgForm::kText: {
      if (value == kNullText) {
        *out += "null";
        return;
      }
      const std::string_view rest = texts_.substr(*text_at);
      const std::string_view text = rest.substr(0, value);
      *text_at += text.size();
      *out += '"';
      *out += text;
      *out += truncated_ && *text_at == texts_.size() ? "...\"" : "\"";
      return;
    }
    default:
      break;
  }
  *out += Hex(value);
  if (!outputs_ || value == 0) return;
  *out += " -> ";
  const uint64_t target = Slot(slot + 1);
  if (argument.form == ArgForm::kOutSigned) {
    *out += std::to_string(static_cast<int64_t>(target));
  } else if (argument.form == ArgForm::kOutUnsigned) {
    *out += std::to_string(target);
  } else if (argument.form == ArgForm::kOutFloat) {
    AppendFloating(std::bit_cast<float>(static_cast<uint32_t>(target)), out);
  } else {
    *out += Hex(target);
  }
}

std::string ApiArguments::Text() const {
  if (call_ == nullptr) return std::string(texts_);
  std::string text;
  uint32_t slot = 0;
  size_t text_at = 0;
  for (uint32_t i = 0; i < call_->args; ++i) {
    const ApiArg& argument = args_[i];
    if (i != 0) text += ", ";
    text += argument.name;
    text += '=';
    AppendValue(argument, slot, &text_at, &text);
    slot += SlotsOf(argument.form);
  }
  return text;
}

}  // namespace rtl::store
