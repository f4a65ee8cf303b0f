// SPDX-License-Identifier: MIT
#include "counters/definitions.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "counters/words.h"
#include "counters/yaml.h"

namespace rtl::counters {
namespace {

using Kind = YamlNode::Kind;

constexpr std::string_view kRoot = "rocprofiler-sdk";
constexpr uint32_t kBuckets = 4096;

uint32_t BucketOf(std::string_view gpu, std::string_view name) {
  uint32_t hash = 2166136261u;
  for (const std::string_view part : {gpu, name}) {
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  }
  return hash % kBuckets;
}

Status At(const YamlNode& node, const char* what) {
  return Status::Error("line %u: %s", node.line, what);
}

}  // namespace

struct Definitions::Entry {
  Entry* next;
  std::string_view gpu;
  Definition* definition;
};

Definitions::~Definitions() {
  free(all_);
  free(buckets_);
}

const Definition* Definitions::Find(std::string_view gpu, std::string_view name) const {
  if (count() == 0) return nullptr;
  const Entry* entry = __atomic_load_n(&buckets_[BucketOf(gpu, name)], __ATOMIC_ACQUIRE);
  for (; entry != nullptr; entry = entry->next) {
    const Definition* const definition = __atomic_load_n(&entry->definition, __ATOMIC_ACQUIRE);
    if (entry->gpu == gpu && definition->name == name) return definition;
  }
  return nullptr;
}

bool Definitions::KnowsGpu(std::string_view gpu) const {
  for (uint32_t i = 1; i <= count(); ++i) {
    if (at(i).Knows(gpu)) return true;
  }
  return false;
}

Status Definitions::Enter(std::string_view gpu, Definition* definition) {
  Entry** const bucket = &buckets_[BucketOf(gpu, definition->name)];
  for (Entry* entry = *bucket; entry != nullptr; entry = entry->next) {
    if (entry->gpu != gpu || entry->definition->name != definition->name) continue;
    __atomic_store_n(&entry->definition, definition, __ATOMIC_RELEASE);
    return Status::Ok();
  }
  auto* const entry = arena_.New<Entry>();
  if (entry == nullptr) return Status::Error("there is no memory");
  *entry = {*bucket, gpu, definition};
  __atomic_store_n(bucket, entry, __ATOMIC_RELEASE);
  return Status::Ok();
}

// Publishes a definition to readers on other threads: first the definition, then the count and the
// names.
Status Definitions::Publish(Definition* definition) {
  if (all_ == nullptr) {
    all_ = static_cast<Definition**>(calloc(kMost, sizeof(void*)));
    buckets_ = static_cast<Entry**>(calloc(kBuckets, sizeof(void*)));
  }
  if (all_ == nullptr || buckets_ == nullptr) return Status::Error("there is no memory");
  if (count_ == kMost) return Status::Error("more than %u definitions", kMost);
  definition->number = count_ + 1;
  all_[count_] = definition;
  __atomic_store_n(&count_, count_ + 1, __ATOMIC_RELEASE);
  for (uint32_t i = 0; i < definition->gpu_count; ++i)
    RTL_TRY(Enter(definition->gpus[i], definition));
  return Status::Ok();
}

Definition* Definitions::Make(std::string_view name, std::string_view description,
                              std::string_view origin) {
  auto* const made = arena_.New<Definition>();
  if (made == nullptr) return nullptr;
  made->name = arena_.Copy(name);
  made->description = arena_.Copy(description);
  made->origin = arena_.Copy(origin);
  made->block = made->expression = arena_.Copy({});
  return made->name.data() == nullptr || made->expression.data() == nullptr ? nullptr : made;
}

Status Definitions::Define(std::string_view gpu, std::string_view name, std::string_view expression,
                           std::string_view description, const Definition** out) {
  if (!IsCounterName(name))
    return Status::Error("%.*s is not a name: use letters, digits and _",
                         static_cast<int>(name.size() < 80 ? name.size() : 80), name.data());
  Definition* const made = Make(name, description, "tool");
  if (made == nullptr) return Status::Error("there is no memory");
  made->expression = arena_.Copy(expression);
  made->gpus = arena_.New<std::string_view>();
  if (made->gpus == nullptr) return Status::Error("there is no memory");
  made->gpus[0] = arena_.Copy(gpu);
  made->gpu_count = 1;
  *out = made;
  return Publish(made);
}

// Reads `block` and `event`, or `expression`.
Status Definitions::ReadOne(const YamlNode& node, Definition* out) {
  const YamlNode* const block = node.Find("block");
  const YamlNode* const event = node.Find("event");
  const YamlNode* const expression = node.Find("expression");
  for (const YamlNode* each : {block, event, expression}) {
    if (each != nullptr && (each->kind != Kind::kScalar || each->text.empty()))
      return At(*each, "a word is expected");
  }
  if (expression != nullptr) {
    if (block != nullptr || event != nullptr)
      return At(node, "a counter is an event of a block or an expression, not both");
    out->expression = arena_.Copy(expression->text);
    return Status::Ok();
  }
  if (block == nullptr || event == nullptr)
    return At(node, "block and event are missing, and so is expression");
  if (!ReadDigits(event->text, &out->event)) return At(*event, "event is no number");
  out->block = arena_.Copy(block->text);
  return Status::Ok();
}

// Reads schema 1. `made`: the definitions that Append publishes if the whole text can be read.
Status Definitions::ReadNew(const YamlNode& counters, std::string_view origin, Chain* made) {
  if (counters.kind != Kind::kList) return At(counters, "counters is no list");
  for (const YamlNode* counter = counters.child; counter != nullptr; counter = counter->next) {
    const YamlNode* const name = counter->Find("name");
    const YamlNode* const description = counter->Find("description");
    const YamlNode* const definitions = counter->Find("definitions");
    if (name == nullptr || !IsCounterName(name->text)) return At(*counter, "a counter has no name");
    if (definitions == nullptr || definitions->kind != Kind::kList)
      return At(*counter, "a counter has no list of definitions");
    for (const YamlNode* node = definitions->child; node != nullptr; node = node->next) {
      Definition* const one =
          Make(name->text, description == nullptr ? "" : description->text, origin);
      const YamlNode* const gpus = node->Find("architectures");
      if (one == nullptr) return Status::Error("there is no memory");
      if (gpus == nullptr || gpus->kind != Kind::kList || gpus->child == nullptr)
        return At(*node, "a definition has no list of architectures");
      for (const YamlNode* gpu = gpus->child; gpu != nullptr; gpu = gpu->next) ++one->gpu_count;
      one->gpus = arena_.New<std::string_view>(one->gpu_count);
      if (one->gpus == nullptr) return Status::Error("there is no memory");
      uint32_t index = 0;
      for (const YamlNode* gpu = gpus->child; gpu != nullptr; gpu = gpu->next)
        one->gpus[index++] = arena_.Copy(gpu->text);
      RTL_TRY(ReadOne(*node, one));
      made->Add(one);
    }
  }
  return Status::Ok();
}

// Reads the schema before 1: a map by name. GPUs with the same definition share a key,
// "gfx906/gfx90a".
Status Definitions::ReadOld(const YamlNode& root, std::string_view origin, Chain* made) {
  for (const YamlNode* counter = root.child; counter != nullptr; counter = counter->next) {
    if (counter->key == "schema-version") continue;
    const YamlNode* const description = counter->Find("description");
    const YamlNode* const gpus = counter->Find("architectures");
    if (!IsCounterName(counter->key)) return At(*counter, "a counter has no name");
    if (gpus == nullptr || gpus->kind != Kind::kMap)
      return At(*counter, "a counter has no mapping of architectures");
    for (const YamlNode* node = gpus->child; node != nullptr; node = node->next) {
      const YamlNode* const own = node->Find("description");
      const YamlNode* const said = own != nullptr ? own : description;
      Definition* const one = Make(counter->key, said == nullptr ? "" : said->text, origin);
      if (one == nullptr) return Status::Error("there is no memory");
      one->gpu_count = 1;
      for (const char c : node->key) one->gpu_count += c == '/' ? 1 : 0;
      one->gpus = arena_.New<std::string_view>(one->gpu_count);
      if (one->gpus == nullptr) return Status::Error("there is no memory");
      std::string_view rest = node->key;
      for (uint32_t i = 0; i < one->gpu_count; ++i) {
        const size_t slash = rest.find('/');
        one->gpus[i] = arena_.Copy(rest.substr(0, slash));
        rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
      }
      RTL_TRY(ReadOne(*node, one));
      made->Add(one);
    }
  }
  return Status::Ok();
}

Status Definitions::Append(std::string_view yaml, std::string_view origin) {
  Arena reading;
  const YamlNode* root = nullptr;
  RTL_TRY(ReadYaml(yaml, &reading, &root));
  if (root->kind != Kind::kMap) return Status::Error("it is not a mapping of counters");
  Chain made;
  if (const YamlNode* const sdk = root->Find(kRoot); sdk != nullptr) {
    const YamlNode* const version = sdk->Find("counters-schema-version");
    const YamlNode* const counters = sdk->Find("counters");
    if (version != nullptr && version->text != "1")
      return At(*version, "this is not schema 1 of counters, the only one with a number");
    if (counters == nullptr) return Status::Error("it has no counters");
    RTL_TRY(ReadNew(*counters, origin, &made));
  } else {
    RTL_TRY(ReadOld(*root, origin, &made));
  }
  for (Definition* each = made.first; each != nullptr; each = each->next) RTL_TRY(Publish(each));
  return Status::Ok();
}

Status Definitions::AppendFile(const char* path) {
  const UniqueFd file(::open(path, O_RDONLY | O_CLOEXEC));
  struct stat status;
  if (!file.valid() || fstat(file.get(), &status) != 0)
    return Status::ErrnoError(errno, "%s cannot be read", path);
  if (!S_ISREG(status.st_mode)) return Status::Error("%s is no file", path);
  const auto size = static_cast<size_t>(status.st_size);
  if (size > kMostYamlBytes) return Status::Error("%s is too large", path);
  auto* const text = static_cast<char*>(malloc(size + 1));
  if (text == nullptr) return Status::Error("%s: there is no memory", path);
  size_t got = 0;
  while (got < size) {
    const ssize_t more = ::read(file.get(), text + got, size - got);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) break;
    got += static_cast<size_t>(more);
  }
  const Status read = Append({text, got}, path);
  free(text);
  return read.ok() ? Status::Ok() : Status::Error("%s: %s", path, read.message());
}

}  // namespace rtl::counters
