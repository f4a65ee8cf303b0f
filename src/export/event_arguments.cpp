// SPDX-License-Identifier: MIT
#include "export/event_arguments.h"

#include <charconv>

namespace rtl::exporting {
namespace {

std::string Hex(uint64_t value) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
  return "0x" + std::string(digits, end);
}

bool HasDevice(const SpanKind& kind) {
  for (uint32_t i = 0; i < kind.field_count; ++i) {
    const FieldForm form = kind.fields[i].form;
    if (form == FieldForm::kAgent || form == FieldForm::kQueue) return true;
  }
  return false;
}

}  // namespace

const char* EventArgumentName(const SpanKind& kind, uint32_t number) {
  if (number == EventArgument::kDevice) return HasDevice(kind) ? "device" : nullptr;
  if (number >= kind.field_count) return nullptr;
  const EventField& field = kind.fields[number];
  if (field.form == FieldForm::kCall) return "args";
  // Not "agent", because TraceLens takes every event with an `agent` for a kernel.
  return field.form == FieldForm::kAgent ? "agent_number" : field.name;
}

Status EventArguments(query::TraceReader& trace, const query::EventRow& row,
                      std::vector<EventArgument>* out) {
  out->clear();
  const SpanKind& kind = *row.kind;
  const auto add = [&](uint32_t number, uint64_t value) {
    out->push_back({number, EventArgumentName(kind, number), false, value, {}});
  };
  const auto add_text = [&](uint32_t number, std::string text) {
    out->push_back({number, EventArgumentName(kind, number), true, 0, std::move(text)});
  };
  for (uint32_t i = 0; i < kind.field_count; ++i) {
    if (!row.Has(i)) continue;
    const auto value = static_cast<uint64_t>(row.values[i]);
    switch (kind.fields[i].form) {
      case FieldForm::kAddress:
        add_text(i, Hex(value));
        break;
      case FieldForm::kStatus:
        if (value != 0) add_text(i, Hex(value));
        break;
      case FieldForm::kQueue:
        add(i, value - 1);
        break;
      case FieldForm::kCall: {
        std::string_view text;
        RTL_TRY(trace.Text(row.values[i], &text));
        if (!text.empty()) add_text(i, std::string(text));
        break;
      }
      default:
        add(i, value);
    }
  }
  if (row.gpu >= 0) add(EventArgument::kDevice, static_cast<uint64_t>(row.gpu));
  return Status::Ok();
}

}  // namespace rtl::exporting
