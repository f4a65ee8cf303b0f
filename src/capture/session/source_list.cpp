// SPDX-License-Identifier: MIT
#include "capture/session/source_list.h"

#include <stdio.h>

namespace rtl::capture {

bool SourceList::LinkKernels(bool trace, bool tools) const {
  bool links = false;
  for (CallSource* const source : *this) links |= source->LinksKernels(trace, tools);
  return links;
}

bool SourceList::ReplaceHooks() const {
  for (CallSource* const source : *this) {
    if (source->ReplacesHooks()) return true;
  }
  return false;
}

void SourceList::RuntimeReady() const {
  for (CallSource* const source : *this) source->RuntimeReady();
}

void SourceList::Describe(char* text, size_t room, size_t used) const {
  for (CallSource* const source : *this) {
    const char* const how = source->description();
    if (how[0] == '\0' || used >= room) continue;
    used += static_cast<size_t>(snprintf(text + used, room - used, "; %s", how));
  }
}

void SourceList::Finish() const {
  for (CallSource* const source : *this) source->Finish();
}

void SourceList::Stop() const {
  for (CallSource* const source : *this) source->Stop();
}

void SourceList::StopLoneOnes() const {
  for (CallSource* const source : *this) {
    if (source->RecordsAlone()) source->Stop();
  }
}

void SourceList::DisarmInChild() const {
  for (CallSource* const source : *this) source->DisarmInChild();
}

void SourceList::BeginAnewInChild() const {
  for (CallSource* const source : *this) source->BeginAnewInChild();
}

}  // namespace rtl::capture
