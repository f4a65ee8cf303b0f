// SPDX-License-Identifier: MIT
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <set>

#include "rocprofv3/request.h"

namespace rtl::v3 {
namespace {

using exporting::tool::Domain;
using exporting::tool::KernelNames;

class Writer {
 public:
  Writer() { json_.StartObject(); }

  void Truth(const char* key, bool value) {
    Key(key);
    json_.Bool(value);
  }
  void Word(const char* key, const std::string& value) {
    Key(key);
    json_.String(value.c_str());
  }
  void Words(const char* key, const std::vector<std::string>& values) {
    Key(key);
    json_.StartArray();
    for (const std::string& value : values) json_.String(value.c_str());
    json_.EndArray();
  }
  // Writes an option that was given.
  void Given(const std::string& key, const std::vector<std::string>& words) {
    if (written_.contains(key)) return;
    const bool is_truth = FindKey(key)->takes == Takes::kSwitch;
    if (words.size() != 1) return Words(key.c_str(), words);
    is_truth ? Truth(key.c_str(), words[0] == "true") : Word(key.c_str(), words[0]);
  }
  std::string Text() {
    json_.EndObject();
    return text_.GetString();
  }

 private:
  void Key(const std::string& key) {
    written_.insert(key);
    json_.Key(key.c_str());
  }

  rapidjson::StringBuffer text_;
  rapidjson::Writer<rapidjson::StringBuffer> json_{text_};
  std::set<std::string> written_;
};

void WriteTracing(const Request& request, Writer* out) {
  const exporting::tool::ToolOptions& tool = request.tool;
  out->Truth("kernel_trace", tool.wants(Domain::kKernel));
  out->Truth("hsa_core_api_trace", tool.hsa_core);
  out->Truth("hsa_amd_ext_api_trace", tool.hsa_amd);
  out->Truth("hsa_image_ext_api_trace", tool.hsa_image);
  out->Truth("hsa_finalizer_ext_api_trace", tool.hsa_finalizer);
  out->Truth("marker_api_trace", tool.wants(Domain::kMarker));
  out->Truth("memory_copy_trace", tool.wants(Domain::kCopy));
  out->Truth("memory_allocation_trace", tool.wants(Domain::kAllocation));
  out->Truth("scratch_memory_trace", tool.wants(Domain::kScratch));
  out->Truth("counter_collection", tool.counters);
  out->Truth("hip_runtime_api_trace", tool.hip_runtime);
  out->Truth("hip_compiler_api_trace", tool.hip_compiler);
  out->Truth("rccl_api_trace", tool.wants(Domain::kRccl));
  out->Truth("pc_sampling_host_trap", tool.samples);
}

void WriteOutput(const Request& request, Writer* out) {
  const Formats& formats = request.formats;
  out->Word("raw_output_path", request.folder);
  out->Word("raw_output_file", request.file);
  out->Truth("summary", request.summary.whole);
  out->Truth("summary_per_domain", request.summary.per_domain);
  out->Words("summary_groups", request.summary.groups);
  out->Word("summary_unit", NameOf(request.summary.unit));
  out->Word("summary_file", request.summary_file);
  out->Truth("summary_output", request.summary.wanted());
  out->Truth("csv_output", formats.csv);
  out->Truth("json_output", formats.json);
  out->Truth("pftrace_output", formats.pftrace);
  out->Truth("otf2_output", formats.otf2);
  out->Truth("rocpd_output", formats.rocpd);
  out->Truth("kernel_rename", request.tool.kernel_rename);
  out->Truth("group_by_queue", request.tool.group_by_queue);
  out->Truth("demangle", request.tool.kernel_names != KernelNames::kMangled);
  out->Truth("truncate", request.tool.kernel_names == KernelNames::kTruncated);
  out->Truth("selected_regions", request.begins_paused);
}

}  // namespace

std::string ConfigText(const Settings& settings, const Request& request) {
  Writer out;
  WriteTracing(request, &out);
  WriteOutput(request, &out);
  for (const auto& [key, words] : settings.all()) out.Given(key, words);
  return out.Text();
}

}  // namespace rtl::v3
