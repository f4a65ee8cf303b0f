// SPDX-License-Identifier: MIT
#include "rocprofv3/option_table.h"

#include <algorithm>

namespace rtl::v3 {
namespace {

using enum Takes;
constexpr Served kServed = Served::kYes;
constexpr Served kRefused = Served::kRefused;

constexpr char kIo[] = "Input and output";
constexpr char kAggregate[] = "Tracing, by purpose";
constexpr char kBasic[] = "Tracing";
constexpr char kGranular[] = "Tracing, in parts";
constexpr char kCounters[] = "Counter collection";
constexpr char kSampling[] = "PC sampling";
constexpr char kAfter[] = "Statistics";
constexpr char kNaming[] = "Kernel names";
constexpr char kFilter[] = "Filters";
constexpr char kPerfetto[] = "Perfetto";
constexpr char kDisplay[] = "Display";
constexpr char kAdvanced[] = "Advanced";
constexpr char kAttach[] = "Attachment";
constexpr char kThreadTrace[] = "Thread trace";
constexpr char kOurs[] = "Not in AMD's rocprofv3";

constexpr char kMedia[] =
    "Accepted when the library is not installed; otherwise refused: its calls are not intercepted";
constexpr char kNoAtt[] = "thread trace is not supported";
constexpr char kNoKind[] = "calls of this library are not intercepted";
constexpr char kNoDriver[] = "the driver's events are not read";
constexpr char kNoGraphs[] =
    "rocprofv3 1.0 has no records for launches of graphs; --hip-trace has their calls";
constexpr char kNoEvents[] =
    "rocprofv3 1.0 has no records for barriers of events; rtl trace --barriers records them";
constexpr char kNoReplay[] = "kernels are not replayed within a run";
constexpr char kNoStream[] = "counters are read for each kernel, not streamed while it runs";
constexpr char kOwnLibraries[] = "this rocprofv3 uses the libraries that it was installed with";
constexpr char kNoBuffer[] =
    "Accepted: the timeline is written without a buffer, and nothing is discarded";

constexpr Option kOptions[] = {
    {"help", "--help", "-h", kSwitch, nullptr, nullptr, kDisplay, kServed,
     "Print this help and exit"},
    {"version", "--version", "-v", kSwitch, nullptr, nullptr, kDisplay, kServed,
     "Print the version and exit"},

    {"input", "--input", "-i", kWord, nullptr, nullptr, kIo, kServed,
     "Options for one run or several: a file .json, .yaml or .txt"},
    {"output_file", "--output-file", "-o", kWord, nullptr, "ROCPROF_OUTPUT_FILE_NAME", kIo, kServed,
     "Beginning of the files' names; default %hostname%/%pid%"},
    {"output_directory", "--output-directory", "-d", kWord, nullptr, "ROCPROF_OUTPUT_PATH", kIo,
     kServed, "Their folder; default the current directory"},
    {"output_format", "--output-format", "-f", kChoices, "csv json pftrace otf2 rocpd db",
     "ROCPROF_OUTPUT_FORMAT", kIo, kServed, "Formats to write; db is rtl's own trace"},
    {"output_config", "--output-config", nullptr, kSwitch, nullptr, "ROCPROF_OUTPUT_CONFIG_FILE",
     kIo, kServed, "Also write the options of the run: ..._config.json"},
    {"log_level", "--log-level", nullptr, kChoice, "fatal error warning info trace env config",
     nullptr, kIo, kServed,
     "env, config, info, trace: print the variables that are set, the options, or both"},
    {"extra_counters", "--extra-counters", "-E", kWord, nullptr, nullptr, kIo, kServed,
     "Definitions of more counters, as a file of YAML"},

    {"runtime_trace", "--runtime-trace", "-r", kSwitch, nullptr, nullptr, kAggregate, kServed,
     "HIP runtime calls, markers, kernels, copies, memory, scratch memory"},
    {"sys_trace", "--sys-trace", "-s", kSwitch, nullptr, nullptr, kAggregate, kServed,
     "The same, HIP compiler calls and HSA calls"},

    {"hip_trace", "--hip-trace", nullptr, kSwitch, nullptr, nullptr, kBasic, kServed,
     "Calls of HIP's runtime and of its compiler's code"},
    {"marker_trace", "--marker-trace", nullptr, kSwitch, nullptr, "ROCPROF_MARKER_API_TRACE",
     kBasic, kServed, "ROCTx marks and ranges"},
    {"kernel_trace", "--kernel-trace", nullptr, kSwitch, nullptr, "ROCPROF_KERNEL_TRACE", kBasic,
     kServed, "Kernel dispatches"},
    {"memory_copy_trace", "--memory-copy-trace", nullptr, kSwitch, nullptr,
     "ROCPROF_MEMORY_COPY_TRACE", kBasic, kServed, "Asynchronous copies"},
    {"memory_allocation_trace", "--memory-allocation-trace", nullptr, kSwitch, nullptr,
     "ROCPROF_MEMORY_ALLOCATION_TRACE", kBasic, kServed, "Allocations and releases of memory"},
    {"scratch_memory_trace", "--scratch-memory-trace", nullptr, kSwitch, nullptr,
     "ROCPROF_SCRATCH_MEMORY_TRACE", kBasic, kServed,
     "Scratch memory of kernels, from ROCm 6.1 on"},
    {"hsa_trace", "--hsa-trace", nullptr, kSwitch, nullptr, nullptr, kBasic, kServed,
     "Calls of HSA"},
    {"rccl_trace", "--rccl-trace", nullptr, kSwitch, nullptr, "ROCPROF_RCCL_API_TRACE", kBasic,
     kServed, "Calls of RCCL"},
    {"kokkos_trace", "--kokkos-trace", nullptr, kSwitch, nullptr, nullptr, kBasic, kServed,
     "Events of Kokkos as ROCTx ranges; implies --marker-trace and --kernel-rename"},
    {"rocdecode_trace", "--rocdecode-trace", nullptr, kSwitch, nullptr,
     "ROCPROF_ROCDECODE_API_TRACE", kBasic, kServed, kMedia},
    {"rocjpeg_trace", "--rocjpeg-trace", nullptr, kSwitch, nullptr, "ROCPROF_ROCJPEG_API_TRACE",
     kBasic, kServed, kMedia},
    {"kfd_trace", "--kfd-trace", nullptr, kSwitch, nullptr, nullptr, kBasic, kRefused, kNoDriver},
    {"hip_graph_trace", "--hip-graph-trace", nullptr, kSwitch, nullptr, nullptr, kBasic, kRefused,
     kNoGraphs},
    {"hip_event_trace", "--hip-event-trace", nullptr, kSwitch, nullptr, nullptr, kBasic, kRefused,
     kNoEvents},
    {"rocshmem_trace", "--rocshmem-trace", nullptr, kSwitch, nullptr, nullptr, kBasic, kRefused,
     kNoKind},
    {"ompt_trace", "--ompt-trace", nullptr, kGroups,
     "all thread parallel task sync mutex target device error", nullptr, kBasic, kRefused,
     "events of OpenMP go to tools of rocprofiler-sdk, not into traces"},
    {"hipfile_trace", "--hipfile-trace", nullptr, kSwitch, nullptr, nullptr, kBasic, kRefused,
     kNoKind},

    {"hip_runtime_trace", "--hip-runtime-trace", nullptr, kSwitch, nullptr,
     "ROCPROF_HIP_RUNTIME_API_TRACE", kGranular, kServed, "Calls of functions hip..."},
    {"hip_compiler_trace", "--hip-compiler-trace", nullptr, kSwitch, nullptr,
     "ROCPROF_HIP_COMPILER_API_TRACE", kGranular, kServed, "Calls of functions __hip..."},
    {"hsa_core_trace", "--hsa-core-trace", nullptr, kSwitch, nullptr, "ROCPROF_HSA_CORE_API_TRACE",
     kGranular, kServed, "Calls of HSA: core"},
    {"hsa_amd_trace", "--hsa-amd-trace", nullptr, kSwitch, nullptr, "ROCPROF_HSA_AMD_EXT_API_TRACE",
     kGranular, kServed, "Calls of HSA: AMD's extensions"},
    {"hsa_image_trace", "--hsa-image-trace", nullptr, kSwitch, nullptr,
     "ROCPROF_HSA_IMAGE_EXT_API_TRACE", kGranular, kServed, "Calls of HSA: images"},
    {"hsa_finalizer_trace", "--hsa-finalizer-trace", nullptr, kSwitch, nullptr,
     "ROCPROF_HSA_FINALIZER_EXT_API_TRACE", kGranular, kServed, "Calls of HSA: finalizer"},

    {"kfd_page_migration_trace", "--kfd-page-migration-trace", nullptr, kSwitch, nullptr, nullptr,
     kGranular, kRefused, kNoDriver},
    {"kfd_page_mapping_trace", "--kfd-page-mapping-trace", nullptr, kSwitch, nullptr, nullptr,
     kGranular, kRefused, kNoDriver},
    {"kfd_queue_trace", "--kfd-queue-trace", nullptr, kSwitch, nullptr, nullptr, kGranular,
     kRefused, kNoDriver},
    {"kfd_dropped_events_trace", "--kfd-dropped-events-trace", nullptr, kSwitch, nullptr, nullptr,
     kGranular, kRefused, kNoDriver},

    {"pmc", "--pmc", nullptr, kAnyWords, nullptr, "ROCPROF_COUNTERS", kCounters, kServed,
     "Read these hardware counters of every kernel; several --pmc are as many runs"},
    {"pmc_groups", "", nullptr, kWords, nullptr, "ROCPROF_COUNTER_GROUPS", kCounters, kServed,
     "Groups of counters that take turns within one run, as a list of lists"},
    {"pmc_group_interval", "", nullptr, kNumber, nullptr, "ROCPROF_COUNTER_GROUPS_INTERVAL",
     kCounters, kServed, "How many counted kernels of a GPU each group of counters has; default 1"},

    {"replay_mode", "--replay-mode", nullptr, kChoice, "application kernel", nullptr, kCounters,
     kServed,
     "application: counters that do not fit together take several runs of the program (several "
     "--pmc); kernel is refused"},
    {"kernel_replay_beta_enabled", "--kernel-replay-beta-enabled", nullptr, kSwitch, nullptr,
     nullptr, kCounters, kRefused, kNoReplay},
    {"spm", "--spm", nullptr, kAnyWords, nullptr, nullptr, kCounters, kRefused, kNoStream},
    {"spm_beta_enabled", "--spm-beta-enabled", nullptr, kSwitch, nullptr, nullptr, kCounters,
     kRefused, kNoStream},
    {"spm_sample_interval", "--spm-sample-interval", nullptr, kNumber, nullptr, nullptr, kCounters,
     kRefused, kNoStream},
    {"spm_sample_interval_unit", "--spm-sample-interval-unit", nullptr, kChoice, "sclk_cycles",
     nullptr, kCounters, kRefused, kNoStream},

    {"pc_sampling_beta_enabled", "--pc-sampling-beta-enabled", nullptr, kSwitch, nullptr,
     "ROCPROFILER_PC_SAMPLING_BETA_ENABLED", kSampling, kServed,
     "Allow PC sampling; the next three need it"},
    {"pc_sampling_unit", "--pc-sampling-unit", nullptr, kChoice, "instructions cycles time",
     "ROCPROF_PC_SAMPLING_UNIT", kSampling, kServed, "Unit of the interval: time, in microseconds"},
    {"pc_sampling_method", "--pc-sampling-method", nullptr, kChoice, "stochastic host_trap",
     "ROCPROF_PC_SAMPLING_METHOD", kSampling, kServed, "Sampling method: host_trap (MI200)"},
    {"pc_sampling_interval", "--pc-sampling-interval", nullptr, kNumber, nullptr,
     "ROCPROF_PC_SAMPLING_INTERVAL", kSampling, kServed, "Time between samples (CSV and JSON)"},

    {"stats", "--stats", nullptr, kSwitch, nullptr, "ROCPROF_STATS", kAfter, kServed,
     "Statistics of the traced events, as ..._stats.csv"},
    {"summary", "--summary", "-S", kSwitch, nullptr, "ROCPROF_STATS_SUMMARY", kAfter, kServed,
     "Print a table of everything that was traced"},
    {"summary_per_domain", "--summary-per-domain", "-D", kSwitch, nullptr,
     "ROCPROF_STATS_SUMMARY_PER_DOMAIN", kAfter, kServed, "Print a table for each domain"},
    {"summary_groups", "--summary-groups", nullptr, kWords, nullptr, "ROCPROF_STATS_SUMMARY_GROUPS",
     kAfter, kServed, "Print a table for the domains that match each regular expression"},
    {"summary_output_file", "--summary-output-file", nullptr, kWord, nullptr,
     "ROCPROF_STATS_SUMMARY_OUTPUT", kAfter, kServed,
     "stdout, stderr (default), or the end of a file's name"},
    {"summary_units", "--summary-units", "-u", kChoice, "sec msec usec nsec",
     "ROCPROF_STATS_SUMMARY_UNITS", kAfter, kServed, "Unit of times in the tables; default nsec"},

    {"mangled_kernels", "--mangled-kernels", "-M", kSwitch, nullptr, "ROCPROF_DEMANGLE_KERNELS",
     kNaming, kServed, "Names of kernels as in the code object"},
    {"truncate_kernels", "--truncate-kernels", "-T", kSwitch, nullptr, "ROCPROF_TRUNCATE_KERNELS",
     kNaming, kServed, "Names of kernels without arguments and template parameters"},
    {"kernel_rename", "--kernel-rename", nullptr, kSwitch, nullptr, "ROCPROF_KERNEL_RENAME",
     kNaming, kServed, "A kernel gets the message of the innermost roctxRangePush around it"},

    {"kernel_include_regex", "--kernel-include-regex", nullptr, kWord, nullptr,
     "ROCPROF_KERNEL_FILTER_INCLUDE_REGEX", kFilter, kServed,
     "Count only kernels whose name matches"},
    {"kernel_exclude_regex", "--kernel-exclude-regex", nullptr, kWord, nullptr,
     "ROCPROF_KERNEL_FILTER_EXCLUDE_REGEX", kFilter, kServed,
     "Count no kernels whose name matches"},
    {"kernel_iteration_range", "--kernel-iteration-range", nullptr, kWords, nullptr,
     "ROCPROF_KERNEL_FILTER_RANGE", kFilter, kServed,
     "Count only these launches of each kernel: [1-2],[5]"},
    {"collection_period", "--collection-period", "-P", kWords, nullptr, "ROCPROF_COLLECTION_PERIOD",
     kFilter, kServed,
     "DELAY:DURATION:REPEAT, counted from the start of the process; events outside the periods are "
     "left out"},
    {"collection_period_unit", "--collection-period-unit", nullptr, kChoice,
     "hour min sec msec usec nsec", nullptr, kFilter, kServed,
     "Unit of --collection-period; default sec"},
    {"selected_regions", "--selected-regions", nullptr, kSwitch, nullptr,
     "ROCPROF_SELECTED_REGIONS", kFilter, kServed,
     "Trace between roctxProfilerResume and roctxProfilerPause only"},

    {"perfetto_backend", "--perfetto-backend", nullptr, kChoice, "inprocess system",
     "ROCPROF_PERFETTO_BACKEND", kPerfetto, kServed,
     "inprocess: rocprofv3 writes the timeline itself; system is refused"},
    {"perfetto_buffer_size", "--perfetto-buffer-size", nullptr, kNumber, nullptr,
     "ROCPROF_PERFETTO_BUFFER_SIZE_KB", kPerfetto, kServed, kNoBuffer},
    {"perfetto_buffer_fill_policy", "--perfetto-buffer-fill-policy", nullptr, kChoice,
     "discard ring_buffer", "ROCPROF_PERFETTO_BUFFER_FILL_POLICY", kPerfetto, kServed, kNoBuffer},
    {"perfetto_shmem_size_hint", "--perfetto-shmem-size-hint", nullptr, kNumber, nullptr,
     "ROCPROF_PERFETTO_SHMEM_SIZE_HINT_KB", kPerfetto, kServed, kNoBuffer},

    {"list_avail", "--list-avail", "-L", kSwitch, nullptr, nullptr, kDisplay, kServed,
     "Print the counters of this machine's GPUs and exit"},
    {"group_by_queue", "--group-by-queue", nullptr, kSwitch, nullptr, "ROCPROF_GROUP_BY_QUEUE",
     kDisplay, kServed, "Leave streams out; HIP calls are then recorded only on request"},

    {"preload", "--preload", nullptr, kAnyWords, nullptr, "ROCPROF_PRELOAD", kAdvanced, kServed,
     "Libraries to put first into LD_PRELOAD"},
    {"rocm_root", "--rocm-root", nullptr, kWord, nullptr, nullptr, kAdvanced, kRefused,
     kOwnLibraries},
    {"sdk_soversion", "--sdk-soversion", nullptr, kNumber, nullptr, nullptr, kAdvanced, kRefused,
     kOwnLibraries},
    {"sdk_version", "--sdk-version", nullptr, kWord, nullptr, nullptr, kAdvanced, kRefused,
     kOwnLibraries},
    {"readlink", "--readlink", nullptr, kSwitch, nullptr, nullptr, kAdvanced, kRefused,
     kOwnLibraries},
    {"realpath", "--realpath", nullptr, kSwitch, nullptr, nullptr, kAdvanced, kRefused,
     kOwnLibraries},
    {"benchmark_mode", "--benchmark-mode", nullptr, kChoice,
     "disabled-sdk-contexts sdk-buffer-overhead sdk-callback-overhead tool-runtime-overhead "
     "execution-profile",
     "ROCPROF_BENCHMARK_MODE", kAdvanced, kRefused,
     "this tracer does not have the parts that it switches off"},
    {"agent_index", "--agent-index", "-A", kChoice, "absolute relative type-relative",
     "ROCPROF_AGENT_INDEX", kAdvanced, kServed, "How agents are numbered; default relative"},
    {"suppress_marker_preload", "--suppress-marker-preload", nullptr, kSwitch, nullptr, nullptr,
     kAdvanced, kServed, "Do not put the ROCTx library into LD_PRELOAD"},
    {"echo", "--echo", nullptr, kSwitch, nullptr, nullptr, kAdvanced, kServed,
     "Print the program's command line instead of running it"},
    {"disable_signal_handlers", "--disable-signal-handlers", nullptr, kSwitch, nullptr,
     "ROCPROF_SIGNAL_HANDLERS", kAdvanced, kServed,
     "Accepted: rocprofv3 installs no signal handlers in the program"},
    {"process_sync", "--process-sync", nullptr, kSwitch, nullptr, nullptr, kAdvanced, kServed,
     "Accepted: the files are written when every process has ended, so that none waits for "
     "another"},
    {"minimum_output_data", "--minimum-output-data", nullptr, kNumber, nullptr,
     "ROCPROF_MINIMUM_OUTPUT_BYTES", kAdvanced, kServed,
     "Write files only if the records take more KB than this"},

    {"pid", "--pid", "-p", kWord, nullptr, nullptr, kAttach, kServed,
     "Trace a running process that was started with RTL_ATTACH=1 and the tracer"},
    {"attach", "--attach", nullptr, kWord, nullptr, nullptr, kAttach, kServed, "The same"},
    {"attach_duration_msec", "--attach-duration-msec", nullptr, kNumber, nullptr, nullptr, kAttach,
     kServed, "Duration; default: until Ctrl-C or the end of the process"},
    {"attach_children", "--attach-children", nullptr, kSwitch, nullptr, nullptr, kAttach, kServed,
     "no (default): only this process; yes is refused"},
    {"attach_sync_output", "--attach-sync-output", nullptr, kSwitch, nullptr, nullptr, kAttach,
     kServed, "Accepted: the files are complete when rocprofv3 ends"},
    {"profile_mpi_ranks", "--profile-mpi-ranks", nullptr, kWord, nullptr, "ROCPROF_MPI_RANKS",
     kFilter, kServed, "Trace only these ranks of a job: 0-3,8"},
    {"mpi_world_rank_variable", "--mpi-world-rank-variable", nullptr, kWord, nullptr, nullptr,
     kFilter, kServed, "The variable with this process's rank, for an unknown launcher"},
    {"mpi_world_size_variable", "--mpi-world-size-variable", nullptr, kWord, nullptr, nullptr,
     kFilter, kServed, "The variable with the number of ranks; both or none"},
    {"selected_regions_ref_count", "--selected-regions-ref-count", nullptr, kSwitch, nullptr,
     nullptr, kFilter, kRefused,
     "requests to pause are not counted: one roctxProfilerResume ends any number of them"},

    {"advanced_thread_trace", "--att", "--advanced-thread-trace", kSwitch, nullptr,
     "ROCPROF_ADVANCED_THREAD_TRACE", kThreadTrace, kRefused, kNoAtt},
    {"att_library_path", "--att-library-path", nullptr, kWords, nullptr, nullptr, kThreadTrace,
     kRefused, kNoAtt},
    {"att_target_cu", "--att-target-cu", nullptr, kWord, nullptr, nullptr, kThreadTrace, kRefused,
     kNoAtt},
    {"att_simd_select", "--att-simd-select", nullptr, kWord, nullptr, nullptr, kThreadTrace,
     kRefused, kNoAtt},
    {"att_buffer_size", "--att-buffer-size", nullptr, kWord, nullptr, nullptr, kThreadTrace,
     kRefused, kNoAtt},
    {"att_shader_engine_mask", "--att-shader-engine-mask", nullptr, kWord, nullptr, nullptr,
     kThreadTrace, kRefused, kNoAtt},
    {"att_gpu_index", "--att-gpu-index", nullptr, kWord, nullptr, nullptr, kThreadTrace, kRefused,
     kNoAtt},
    {"att_perfcounters", "--att-perfcounters", nullptr, kWord, nullptr, nullptr, kThreadTrace,
     kRefused, kNoAtt},
    {"att_perfcounter_ctrl", "--att-perfcounter-ctrl", nullptr, kNumber, nullptr, nullptr,
     kThreadTrace, kRefused, kNoAtt},
    {"att_activity", "--att-activity", nullptr, kNumber, nullptr, nullptr, kThreadTrace, kRefused,
     kNoAtt},
    {"att_serialize_all", "--att-serialize-all", nullptr, kSwitch, nullptr, nullptr, kThreadTrace,
     kRefused, kNoAtt},
    {"att_no_intercept", "--att-no-intercept", nullptr, kSwitch, nullptr, nullptr, kThreadTrace,
     kRefused, kNoAtt},
    {"att_no_detail", "--att-no-detail", nullptr, kSwitch, nullptr, nullptr, kThreadTrace, kRefused,
     kNoAtt},
    {"att_consecutive_kernels", "--att-consecutive-kernels", nullptr, kWord, nullptr, nullptr,
     kThreadTrace, kRefused, kNoAtt},
    {"att_resource_mode", "--att-resource-mode", nullptr, kWord, nullptr, nullptr, kThreadTrace,
     kRefused, kNoAtt},
    {"att_perfcounter_target_only", "--att-perfcounter-target-only", nullptr, kSwitch, nullptr,
     nullptr, kThreadTrace, kRefused, kNoAtt},

    {"keep_going", "--keep-going", nullptr, kSwitch, nullptr, nullptr, kOurs, kServed,
     "Run the program even where counters or PC samples cannot be had"},
    {"vgpu", "--vgpu", nullptr, kSwitch, nullptr, nullptr, kOurs, kServed,
     "Run the program on a virtual GPU; --vgpu=N: on N of them"},
    {"compat", "--compat", nullptr, kChoice, "1.0 0.5", "ROCPROFV3_COMPAT", kOurs, kServed,
     "Version of columns, names and default format; default 1.0"},
};

// Names that earlier versions used in input files.
constexpr struct {
  const char* old_key;
  const char* key;
} kOldKeys[] = {{"list_metrics", "list_avail"},
                {"hsa_finalize_trace", "hsa_finalizer_trace"},
                {"att", "advanced_thread_trace"}};

}  // namespace

std::span<const Option> Options() { return kOptions; }

const Option* FindOption(std::string_view name) {
  for (const Option& option : kOptions) {
    if (name.empty()) break;
    if (name == option.name || (option.other != nullptr && name == option.other)) return &option;
  }
  return name == "--list-metrics" ? FindKey("list_avail") : nullptr;
}

const Option* FindKey(std::string_view key) {
  std::string plain(key);
  for (char& c : plain) c = c == '-' ? '_' : c;
  for (const auto& [old_key, new_key] : kOldKeys) {
    if (plain == old_key) plain = new_key;
  }
  for (const Option& option : kOptions) {
    if (plain == option.key) return &option;
  }
  return nullptr;
}

std::vector<std::string> OtherKeys() {
  std::vector<std::string> keys = {kIgnoredKey};
  for (const Option& option : kOptions) {
    std::string name = option.name;
    name.erase(0, std::min<size_t>(name.size(), 2));  // removes the dashes
    std::replace(name.begin(), name.end(), '-', '_');
    if (name != option.key) keys.emplace_back(option.key);
  }
  for (const auto& [old_key, new_key] : kOldKeys) {
    if (FindOption("--" + std::string(old_key)) == nullptr) keys.emplace_back(old_key);
  }
  return keys;
}

}  // namespace rtl::v3
