// SPDX-License-Identifier: MIT
#include "vgpu/kfd/topology.h"

#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "vgpu/config/gpu_model.h"
#include "vgpu/counters/hw_counters.h"
#include "vgpu/kfd/device_files.h"
#include "vgpu/kfd/driver.h"

namespace vgpu {
namespace {

constexpr char kTopology[] = "/sys/devices/virtual/kfd/kfd/topology";
constexpr uint32_t kFirstSimdId = 0x80001000;
constexpr uint32_t kSimdIdStep = 256;
constexpr uint32_t kVendorAmd = 0x1002;
constexpr int kHeapPublic = 1;
constexpr int kHeapPrivate = 2;
constexpr int kLinkPcie = 2;
constexpr int kWeightToHost = 20;
constexpr int kWeightToPeer = 40;
constexpr char kPciRoot[] = "/sys/devices/pci0000:00/";
constexpr uint32_t kMemoryClockMhz = 1000;
constexpr int kLinkWidth = 16;
constexpr int kLinkSpeed = 16;  // GT/s
constexpr int kCacheDataOfHost = 1 | 4;
constexpr int kCacheDataOfCompute = 1 | 8;
constexpr uint32_t kLocalSharedKb = 64;

// capability word of a node
constexpr uint32_t kWatchPointsSupported = 1u << 7;
constexpr uint32_t kFourWatchPoints = 2u << 8;
constexpr uint32_t kDoorbellType2 = 2u << 12;  // the value rung is a packet id
constexpr uint32_t kSramEcc = 1u << 26;
constexpr uint32_t kSvmSupported = 1u << 27;
// Without this bit, the driver's library neither enables nor disables debugging of the runtime.
// ROCm 7.2 then leaves the driver open when HSA shuts down, and HSA cannot start again.
constexpr uint32_t kDebuggerFirmware = 1u << 29;

using Property = std::pair<const char*, uint64_t>;

std::string Properties(std::initializer_list<Property> properties) {
  std::string text;
  for (const auto& [name, value] : properties) {
    text += std::string(name) + " " + std::to_string(value) + "\n";
  }
  return text;
}

// A part of the GPU as ip_discovery lists it, with the numbers of the real driver. `bases`: where
// its registers begin, as packets address them.
struct Part {
  int hardware_id;
  const char* name;
  PartVersion GpuModel::*version;
  std::initializer_list<uint32_t> bases;
};

const Part kParts[] = {
    {11, "GC", &GpuModel::graphics, {0x2000, 0xa000}},
    {42, "SDMA0", &GpuModel::sdma, {0x1260}},
    {108, "NBIF", &GpuModel::bus, {0x0, 0x14, 0xd20, 0x10400}},
};

// The table of metrics, version 1.3, of the real driver. A field with all bits set is not known.
struct Metrics {
  uint16_t bytes;
  uint8_t format;
  uint8_t content;
  uint16_t temperatures[6];
  uint16_t activities[3];
  uint16_t power;
  uint64_t energy;
  uint64_t clock;
  uint16_t average_clocks[7];
  uint16_t shader_clock;  // the current clocks, in MHz
  uint16_t soc_clock;
  uint16_t memory_clock;
  uint16_t video_clocks[4];
  uint32_t throttling;
  uint16_t fan;
  uint16_t link_width;
  uint16_t link_speed;  // 0.1 GT/s
  uint16_t padding;
  uint32_t activity_sums[2];
  uint16_t memory_temperatures[4];
  uint64_t firmware_clock;
  uint16_t voltages[3];
  uint16_t more_padding;
  uint64_t throttling_by_cause;
};
static_assert(sizeof(Metrics) == 120);

class Describer {
 public:
  Describer(const Config& config, const HostFacts& host)
      : config_(config), host_(host), model_(*FindGpuModel(config.gfx)) {}

  std::vector<MachineFile> Describe() {
    File(kTopology + std::string("/generation_id"), "2\n");
    File(kTopology + std::string("/system_properties"),
         Properties({{"platform_oem", 0}, {"platform_id", 0}, {"platform_rev", 0}}));
    HostNode();
    for (int gpu = 0; gpu < config_.num_gpus; ++gpu) {
      GpuNode(gpu);
      DrmFiles(gpu);
    }
    Device("/dev/kfd");
    ModuleFiles();
    return std::move(files_);
  }

 private:
  void File(const std::string& path, const std::string& text) { files_.push_back({path, text}); }
  void Link(const std::string& path, const std::string& to) {
    files_.push_back({path, to, false, true});
  }
  void Directory(const std::string& path) { files_.push_back({path, "", true}); }
  void Device(const std::string& path) { files_.push_back({path, "", false, false, true}); }

  static std::string NodePath(int node) {
    return kTopology + std::string("/nodes/") + std::to_string(node);
  }

  void Link(const std::string& path, int from, int to, int weight) {
    File(path + "/properties", Properties({{"type", kLinkPcie},
                                           {"version_major", 0},
                                           {"version_minor", 0},
                                           {"node_from", from},
                                           {"node_to", to},
                                           {"weight", weight},
                                           {"min_latency", 0},
                                           {"max_latency", 0},
                                           {"min_bandwidth", 312},
                                           {"max_bandwidth", 31504},
                                           {"recommended_transfer_size", 0},
                                           {"recommended_sdma_engine_id_mask", 0},
                                           {"flags", 1}}));
  }

  void HostNode() {
    const std::string path = NodePath(0);
    File(path + "/gpu_id", "0\n");
    File(path + "/name", "\n");
    File(path + "/properties",
         Properties({{"cpu_cores_count", host_.cpus},
                     {"simd_count", 0},
                     {"mem_banks_count", 1},
                     {"caches_count", 1},
                     {"io_links_count", config_.large_bar ? config_.num_gpus : 0},
                     {"p2p_links_count", 0},
                     {"cpu_core_id_base", 0},
                     {"simd_id_base", 0},
                     {"max_waves_per_simd", 0},
                     {"lds_size_in_kb", 0},
                     {"gds_size_in_kb", 0},
                     {"num_gws", 0},
                     {"wave_front_size", 0},
                     {"array_count", 0},
                     {"simd_arrays_per_engine", 0},
                     {"cu_per_simd_array", 0},
                     {"simd_per_cu", 0},
                     {"max_slots_scratch_cu", 0},
                     {"gfx_target_version", 0},
                     {"vendor_id", 0},
                     {"device_id", 0},
                     {"location_id", 0},
                     {"domain", 0},
                     {"drm_render_minor", 0},
                     {"hive_id", 0},
                     {"num_sdma_engines", 0},
                     {"num_sdma_xgmi_engines", 0},
                     {"num_sdma_queues_per_engine", 0},
                     {"num_cp_queues", 0},
                     {"max_engine_clk_ccompute", 3400}}));
    File(path + "/mem_banks/0/properties", Properties({{"heap_type", 0},
                                                       {"size_in_bytes", host_.memory_bytes},
                                                       {"flags", 0},
                                                       {"width", 72},
                                                       {"mem_clk_max", 2666}}));
    // Without a cache here, ROCm 5.2 reads the caches of the host. Where the kernel of the host
    // does not describe them, as in some virtual machines, ROCm 5.2 then finds no GPU.
    Cache(path + "/caches/0", 0, 1, 32, kCacheDataOfHost);
    Directory(path + "/io_links");
    if (!config_.large_bar) return;  // a link from the host means that it can reach all of a GPU
    for (int gpu = 0; gpu < config_.num_gpus; ++gpu) {
      Link(path + "/io_links/" + std::to_string(gpu), 0, gpu + 1, kWeightToHost);
    }
  }

  std::string GpuProperties(int gpu) const {
    const uint32_t capability = kWatchPointsSupported | kFourWatchPoints | kDoorbellType2 |
                                (config_.debugger || config_.pc_sampling ? kDebuggerFirmware : 0) |
                                (config_.svm ? kSvmSupported : 0) |
                                (model_.sram_ecc ? kSramEcc : 0);
    const uint32_t arrays = model_.chiplets * model_.shader_engines * model_.arrays_per_engine;
    return Properties({{"cpu_cores_count", 0},
                       {"simd_count", model_.AllComputeUnits() * model_.simds_per_cu},
                       {"mem_banks_count", 1},
                       {"caches_count", 2},
                       {"io_links_count", 1},
                       {"p2p_links_count", config_.num_gpus - 1},
                       {"cpu_core_id_base", 0},
                       {"simd_id_base", SimdIdBase(gpu)},
                       {"max_waves_per_simd", model_.waves_per_simd},
                       {"lds_size_in_kb", kLocalSharedKb},
                       {"gds_size_in_kb", 0},
                       {"num_gws", model_.gws},
                       {"wave_front_size", 64},
                       {"array_count", arrays},
                       {"simd_arrays_per_engine", model_.arrays_per_engine},
                       {"cu_per_simd_array", model_.UnitsPerEngine()},
                       {"simd_per_cu", model_.simds_per_cu},
                       {"max_slots_scratch_cu", 32},
                       {"gfx_target_version", model_.target_version},
                       {"vendor_id", kVendorAmd},
                       {"device_id", model_.device_id},
                       {"location_id", PciBusOf(gpu) << 8},
                       {"domain", 0},
                       {"drm_render_minor", kFirstRenderMinor + gpu},
                       {"hive_id", 0},
                       {"num_sdma_engines", 2},
                       {"num_sdma_xgmi_engines", 0},
                       {"num_sdma_queues_per_engine", 8},
                       {"num_cp_queues", 24},
                       {"max_engine_clk_fcompute", model_.clock_mhz},
                       {"local_mem_size", 0},
                       {"fw_version", model_.firmware},
                       {"capability", capability},
                       {"debug_prop", 1511},
                       {"sdma_fw_version", kSdmaFirmware},
                       {"unique_id", UniqueIdOf(gpu)},
                       {"num_xcc", model_.chiplets},
                       {"max_engine_clk_ccompute", 3400}});
  }

  static uint64_t UniqueIdOf(int gpu) { return 0x7600000000000001 + static_cast<uint64_t>(gpu); }
  static uint32_t SimdIdBase(int gpu) { return kFirstSimdId + kSimdIdStep * gpu; }

  void Cache(const std::string& path, uint32_t processor, int level, int kilobytes, int type) {
    File(path + "/properties", Properties({{"processor_id_low", processor},
                                           {"level", level},
                                           {"size", kilobytes},
                                           {"cache_line_size", 64},
                                           {"cache_lines_per_tag", 1},
                                           {"association", 16},
                                           {"latency", 1},
                                           {"type", type},
                                           {"sibling_map", 1}}));
  }

  void GpuNode(int gpu) {
    const std::string path = NodePath(gpu + 1);
    File(path + "/gpu_id", std::to_string(GpuIdOf(gpu)) + "\n");
    File(path + "/name", model_.name + std::string("\n"));
    File(path + "/properties", GpuProperties(gpu));
    File(path + "/modelled_counters", ModelledCounters(model_.gfx));
    File(path + "/mem_banks/0/properties",
         Properties({{"heap_type", config_.large_bar ? kHeapPublic : kHeapPrivate},
                     {"size_in_bytes", config_.vram_bytes},
                     {"flags", 0},
                     {"width", 4096},
                     {"mem_clk_max", kMemoryClockMhz}}));
    File(path + "/mem_banks/0/used_memory", "0\n");
    Cache(path + "/caches/0", SimdIdBase(gpu), 1, 16, kCacheDataOfCompute);
    Cache(path + "/caches/1", SimdIdBase(gpu), 2, 4096, kCacheDataOfCompute);
    Link(path + "/io_links/0", gpu + 1, 0, kWeightToHost);
    Directory(path + "/p2p_links");
    int index = 0;
    for (int peer = 0; peer < config_.num_gpus; ++peer) {
      if (peer == gpu) continue;
      Link(path + "/p2p_links/" + std::to_string(index++), gpu + 1, peer + 1, kWeightToPeer);
    }
  }

  static std::string Hex(const char* format, uint64_t value) {
    char text[32];
    std::snprintf(text, sizeof(text), format, static_cast<unsigned long long>(value));
    return text;
  }

  static std::string PciAddress(int gpu) {
    return "0000:" + Hex("%02llx", static_cast<uint64_t>(PciBusOf(gpu))) + ":00.0";
  }

  // The files of a GPU that management tools read. Sensors, and the memory in use, are not
  // modelled: those files do not exist.
  void PciDevice(int gpu) {
    const std::string address = PciAddress(gpu);
    const std::string path = kPciRoot + address + "/";
    const std::string bus = address.substr(0, 7);
    File(path + "vendor", Hex("0x%04llx\n", kVendorAmd));
    File(path + "device", Hex("0x%04llx\n", model_.device_id));
    File(path + "subsystem_vendor", Hex("0x%04llx\n", kVendorAmd));
    File(path + "subsystem_device", Hex("0x%04llx\n", model_.device_id));
    File(path + "revision", Hex("0x%02llx\n", model_.pci_revision));
    File(path + "class", "0x038000\n");  // a display controller, neither VGA nor 3D
    File(path + "uevent",
         "DRIVER=amdgpu\nPCI_CLASS=38000\nPCI_ID=1002:" + Hex("%04llX", model_.device_id) +
             "\nPCI_SLOT_NAME=" + address + "\n");
    File(path + "unique_id", Hex("%016llx\n", UniqueIdOf(gpu)));
    File(path + "vbios_version",
         std::string(kVbiosName) + "\n");  // older tools ignore a card without one
    File(path + "numa_node", "0\n");
    File(path + "local_cpulist", "0-" + std::to_string(host_.cpus - 1) + "\n");
    for (const char* which : {"current", "max"}) {  // as the links of the topology
      File(path + which + "_link_speed", std::to_string(kLinkSpeed) + ".0 GT/s PCIe\n");
      File(path + which + "_link_width", std::to_string(kLinkWidth) + "\n");
    }
    File(path + "gpu_metrics", GpuMetrics());
    Parts(path);
    File(path + "mem_info_vram_total", std::to_string(config_.vram_bytes) + "\n");
    File(path + "mem_info_vis_vram_total", std::to_string(VisibleVramBytes(config_)) + "\n");
    File(path + "mem_info_gtt_total", std::to_string(kGttBytes) + "\n");
    File(path + "pp_dpm_sclk", "0: " + std::to_string(model_.clock_mhz) + "Mhz *\n");
    File(path + "pp_dpm_mclk", "0: " + std::to_string(kMemoryClockMhz) + "Mhz *\n");
    File(path + "power_dpm_force_performance_level", "auto\n");
    // Tools require the folder of sensors, and old tools the name of a sensor. No sensor can be
    // read.
    const std::string sensors = path + "hwmon/hwmon" + std::to_string(gpu);
    File(sensors + "/name", "amdgpu\n");
    File(sensors + "/in0_label", "vddgfx\n");
    Link(path + "driver", "../../../bus/pci/drivers/amdgpu");
    Link(path + "subsystem", "../../../bus/pci");
    Link("/sys/bus/pci/devices/" + address, "../../../devices/pci0000:00/" + address);
    Directory(kPciRoot + std::string("pci_bus/") + bus);
    Link("/sys/class/pci_bus/" + bus, "../../devices/pci0000:00/pci_bus/" + bus);
  }

  void Parts(const std::string& path) {
    for (const Part& part : kParts) {
      const std::string number = std::to_string(part.hardware_id);
      const std::string place = path + "ip_discovery/die/0/" + number + "/0/";
      File(place + "hw_id", number + "\n");
      File(place + "num_instance", "0\n");
      const PartVersion& version = model_.*part.version;
      File(place + "major", std::to_string(version.major) + "\n");
      File(place + "minor", std::to_string(version.minor) + "\n");
      File(place + "revision", std::to_string(version.revision) + "\n");
      File(place + "harvest", "0x0\n");
      File(place + "num_base_addresses", std::to_string(part.bases.size()) + "\n");
      std::string bases;
      for (const uint32_t base : part.bases) bases += Hex("0x%08llX\n", base);
      File(place + "base_addr", bases);
      Link(path + "ip_discovery/die/0/" + part.name, number);
    }
  }

  std::string GpuMetrics() const {
    Metrics metrics;
    std::memset(&metrics, 0xff, sizeof(metrics));
    metrics.bytes = sizeof(metrics);
    metrics.format = 1;
    metrics.content = 3;
    metrics.shader_clock = static_cast<uint16_t>(model_.clock_mhz);
    metrics.memory_clock = kMemoryClockMhz;
    metrics.link_width = kLinkWidth;
    metrics.link_speed = kLinkSpeed * 10;
    return {reinterpret_cast<const char*>(&metrics), sizeof(metrics)};
  }

  void DrmDevice(int gpu, const std::string& node, const std::string& minor) {
    const std::string address = PciAddress(gpu);
    const std::string path = kPciRoot + address + "/drm/" + node;
    File(path + "/dev", std::to_string(kDrmMajor) + ":" + minor + "\n");
    Link(path + "/device", "../../../" + address);
    Link("/sys/class/drm/" + node, "../../devices/pci0000:00/" + address + "/drm/" + node);
  }

  void DrmFiles(int gpu) {
    const std::string minor = std::to_string(kFirstRenderMinor + gpu);
    const std::string node = "renderD" + minor;
    Device("/dev/dri/" + node);
    PciDevice(gpu);
    DrmDevice(gpu, node, minor);
    DrmDevice(gpu, "card" + std::to_string(gpu), std::to_string(gpu));
    const std::string nodes =
        "/sys/dev/char/" + std::to_string(kDrmMajor) + ":" + minor + "/device/drm/";
    Directory(nodes + node);
    // No program opens this node, but without it libdrm takes two GPUs for one.
    Directory(nodes + "card" + std::to_string(gpu));
  }

  // Tools check whether the kernel module is loaded.
  void ModuleFiles() {
    File("/sys/module/amdgpu/initstate", "live\n");
    File("/sys/module/amdgpu/refcnt", "0\n");
    File("/sys/module/amdgpu/version", "6.2.4\n");
    Directory("/sys/module/amdgpu/holders");
    Directory("/sys/devices/virtual/kfd/kfd/proc");  // no process is listed
    File("/proc/modules", "amdgpu 9000000 0 - Live 0x0000000000000000\n");
  }

  const Config& config_;
  const HostFacts& host_;
  const GpuModel& model_;
  std::vector<MachineFile> files_;
};

}  // namespace

std::vector<MachineFile> DescribeMachine(const Config& config, const HostFacts& host) {
  return Describer(config, host).Describe();
}

}  // namespace vgpu
