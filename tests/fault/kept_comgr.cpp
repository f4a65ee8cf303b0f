// SPDX-License-Identifier: MIT
// kept_comgr.cpp: a HIP runtime of ROCm 5.2 compiles its own kernels, with comgr, in every process,
// which takes most of a run's time. This library keeps the results in files and returns them when
// the inputs are the same. The tracer is not involved.
//
//   RTL_FAULT_COMGR=FOLDER   where; nothing is kept when it is not set
//
// Threads    any
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/fault/fail_nth.h"

namespace {

// From amd_comgr.h, which is not on every machine; all handles have this shape.
struct Handle {
  uint64_t handle;
};
constexpr int kDataKinds = 17;

struct Comgr {
  int (*do_action)(int, Handle, Handle, Handle);
  int (*count)(Handle, int, size_t*);
  int (*item)(Handle, int, size_t, Handle*);
  int (*data)(Handle, size_t*, char*);
  int (*name)(Handle, size_t*, char*);
  int (*isa)(Handle, size_t*, char*);
  int (*language)(Handle, int*);
  int (*options)(Handle, size_t*);
  int (*option)(Handle, size_t, size_t*, char*);
  int (*create)(int, Handle*);
  int (*set)(Handle, size_t, const char*);
  int (*set_name)(Handle, const char*);
  int (*add)(Handle, Handle);
  int (*release)(Handle);
};
Comgr g_comgr;

uint64_t Hash(std::string_view text, uint64_t hash) {
  hash += text.size();
  for (; text.size() >= 8; text.remove_prefix(8)) {
    uint64_t word;
    memcpy(&word, text.data(), sizeof word);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash;
}

// The result of a function that returns the size first. Valid until the next call.
template <typename F>
bool Ask(F ask, std::string_view* answer) {
  static thread_local std::vector<char> room;
  size_t bytes = 0;
  if (ask(&bytes, nullptr) != 0) return false;
  if (room.size() < bytes) room.resize(bytes);
  if (bytes != 0 && ask(&bytes, room.data()) != 0) return false;
  *answer = {room.data(), bytes};
  return true;
}

// Calls visit(part) with the kind, the name and the bytes of every object of a set.
template <typename F>
bool ForEachPart(Handle set, F visit) {
  for (int kind = 1; kind < kDataKinds; ++kind) {
    size_t count = 0;
    if (g_comgr.count(set, kind, &count) != 0) continue;  // the number is no kind
    for (size_t i = 0; i < count; ++i) {
      Handle item;
      if (g_comgr.item(set, kind, i, &item) != 0) return false;
      size_t size = 0;
      std::string_view part;
      bool read = g_comgr.data(item, &size, nullptr) == 0;
      if (read && size != 0) {  // only comgr can make an empty log
        visit({reinterpret_cast<const char*>(&kind), sizeof kind});
        read = Ask([&](size_t* n, char* to) { return g_comgr.name(item, n, to); }, &part);
        if (read) visit(part);
        read = read && Ask([&](size_t* n, char* to) { return g_comgr.data(item, n, to); }, &part);
        if (read) visit(part);
      }
      if (g_comgr.release(item) != 0 || !read) return false;
    }
  }
  return true;
}

// The hash of all inputs of an action.
bool HashAction(int kind, Handle info, Handle input, uint64_t* hash) {
  int language = 0;
  size_t options = 0;
  if (g_comgr.language(info, &language) != 0 || g_comgr.options(info, &options) != 0) return false;
  *hash = static_cast<uint64_t>(kind) << 32 | static_cast<uint32_t>(language);
  std::string_view text;
  // No ISA is fine.
  if (Ask([&](size_t* n, char* to) { return g_comgr.isa(info, n, to); }, &text)) {
    *hash = Hash(text, *hash);
  }
  for (size_t i = 0; i < options; ++i) {
    if (!Ask([&](size_t* n, char* to) { return g_comgr.option(info, i, n, to); }, &text)) {
      return false;
    }
    *hash = Hash(text, *hash);
  }
  return ForEachPart(input, [&](std::string_view part) { *hash = Hash(part, *hash); });
}

// A file is a series of parts: a number of bytes, and the bytes.
bool Take(std::string_view* all, std::string_view* part) {
  uint64_t bytes = 0;
  if (all->size() < sizeof bytes) return false;
  memcpy(&bytes, all->data(), sizeof bytes);
  all->remove_prefix(sizeof bytes);
  if (all->size() < bytes) return false;
  *part = all->substr(0, bytes);
  all->remove_prefix(bytes);
  return true;
}

// Writes the whole file or nothing.
void Keep(Handle result, const std::string& path) {
  const std::string unfinished = path + "." + std::to_string(getpid());
  FILE* const file = fopen(unfinished.c_str(), "wbe");
  if (file == nullptr) return;
  const bool read = ForEachPart(result, [&](std::string_view part) {
    const uint64_t bytes = part.size();
    (void)fwrite(&bytes, sizeof bytes, 1, file);
    (void)fwrite(part.data(), 1, part.size(), file);
  });
  const bool written = ferror(file) == 0;
  if (fclose(file) == 0 && read && written) (void)rename(unfinished.c_str(), path.c_str());
}

bool AddKept(std::string_view kept, Handle result) {
  std::string_view kind_bytes, name, data;
  while (Take(&kept, &kind_bytes)) {
    int kind;
    if (kind_bytes.size() != sizeof kind || !Take(&kept, &name) || !Take(&kept, &data))
      return false;
    memcpy(&kind, kind_bytes.data(), sizeof kind);
    Handle item;
    if (g_comgr.create(kind, &item) != 0) return false;
    // The name ends in its zero.
    const bool added = g_comgr.set(item, data.size(), data.data()) == 0 &&
                       g_comgr.set_name(item, name.data()) == 0 && g_comgr.add(result, item) == 0;
    if (g_comgr.release(item) != 0 || !added) return false;
  }
  return true;
}

// False when there is no such file.
bool Replay(const std::string& path, Handle result, int* error) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const off_t bytes = lseek(fd, 0, SEEK_END);
  void* const text =
      mmap(nullptr, static_cast<size_t>(bytes), PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
  (void)close(fd);
  if (text == MAP_FAILED) return false;
  *error = AddKept({static_cast<const char*>(text), static_cast<size_t>(bytes)}, result) ? 0 : 1;
  (void)munmap(text, static_cast<size_t>(bytes));
  return true;
}

int DoAction(int kind, Handle info, Handle input, Handle result) {
  uint64_t hash = 0;
  const bool known = HashAction(kind, info, input, &hash);
  char name[32];
  snprintf(name, sizeof name, "/%016lx", hash);
  const std::string path = getenv("RTL_FAULT_COMGR") + std::string(name);
  int error = 0;
  if (known && Replay(path, result, &error)) return error;
  error = g_comgr.do_action(kind, info, input, result);
  if (known && error == 0) Keep(result, path);
  return error;
}

template <typename F>
bool Find(void* library, const char* name, F* function) {
  *function = reinterpret_cast<F>(dlsym(library, name));
  return *function != nullptr;
}

}  // namespace

bool KeepsActions(const char* name) {
  // Not for our own call of dlsym below.
  return name != nullptr && strcmp(name, "amd_comgr_do_action") == 0 &&
         g_comgr.do_action == nullptr && getenv("RTL_FAULT_COMGR") != nullptr;
}

void* FindKeptAction(void* library, const char* name) {
  Comgr found = {};
  g_comgr.do_action = &DoAction;  // so that the look-up is a plain one
  const bool all = Find(library, name, &found.do_action) &&
                   Find(library, "amd_comgr_action_data_count", &found.count) &&
                   Find(library, "amd_comgr_action_data_get_data", &found.item) &&
                   Find(library, "amd_comgr_get_data", &found.data) &&
                   Find(library, "amd_comgr_get_data_name", &found.name) &&
                   Find(library, "amd_comgr_action_info_get_isa_name", &found.isa) &&
                   Find(library, "amd_comgr_action_info_get_language", &found.language) &&
                   Find(library, "amd_comgr_action_info_get_option_list_count", &found.options) &&
                   Find(library, "amd_comgr_action_info_get_option_list_item", &found.option) &&
                   Find(library, "amd_comgr_create_data", &found.create) &&
                   Find(library, "amd_comgr_set_data", &found.set) &&
                   Find(library, "amd_comgr_set_data_name", &found.set_name) &&
                   Find(library, "amd_comgr_data_set_add", &found.add) &&
                   Find(library, "amd_comgr_release_data", &found.release);
  g_comgr = found;
  return all ? reinterpret_cast<void*>(&DoAction) : reinterpret_cast<void*>(found.do_action);
}
