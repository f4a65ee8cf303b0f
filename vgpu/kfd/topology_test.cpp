// SPDX-License-Identifier: MIT
#include "vgpu/kfd/topology.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "vgpu/kfd/redirect.h"

namespace vgpu {
namespace {

constexpr HostFacts kHost{4, uint64_t{8} << 30};
const std::string kNodes = "/sys/devices/virtual/kfd/kfd/topology/nodes/";

class Machine {
 public:
  explicit Machine(const Config& config) {
    for (const MachineFile& file : DescribeMachine(config, kHost)) files_[file.path] = file.text;
  }

  bool Has(const std::string& path) const { return files_.contains(path); }
  std::string Text(const std::string& path) const {
    const auto found = files_.find(path);
    return found == files_.end() ? "(missing)" : found->second;
  }
  // A line "name value" of a properties file.
  std::string Property(const std::string& path, const std::string& name) const {
    std::istringstream text(Text(path));
    std::string key;
    std::string value;
    while (text >> key >> value) {
      if (key == name) return value;
    }
    return "(missing)";
  }

 private:
  std::map<std::string, std::string> files_;
};

// HSA of ROCm 7.2 starts a second time in a process only where the firmware knows debuggers.
TEST(Topology, ReportsFirmwareThatKnowsDebuggers) {
  constexpr uint32_t kDebuggerFirmware = 1u << 29;
  for (const int gfx : {0x906, 0x90a, 0x942}) {
    Config config;
    config.gfx = gfx;
    EXPECT_NE(std::stoul(Machine(config).Property(kNodes + "1/properties", "capability")) &
                  kDebuggerFirmware,
              0u);
  }
}

TEST(Topology, ReportsSharedVirtualMemoryWhenItIsOn) {
  constexpr uint32_t kSvm = 1u << 27;
  Config config;
  EXPECT_EQ(std::stoul(Machine(config).Property(kNodes + "1/properties", "capability")) & kSvm, 0u);
  config.svm = true;
  EXPECT_EQ(std::stoul(Machine(config).Property(kNodes + "1/properties", "capability")) & kSvm,
            kSvm);
}

TEST(Topology, ListsThePartsOfAGpuByNumberAndByName) {
  Config config;
  config.gfx = 0x90a;
  const Machine machine(config);
  const std::string parts = "/sys/devices/pci0000:00/0000:03:00.0/ip_discovery/die/0/";
  EXPECT_EQ(machine.Text(parts + "11/0/major") + machine.Text(parts + "11/0/minor") +
                machine.Text(parts + "11/0/revision"),
            "9\n4\n2\n");
  EXPECT_EQ(machine.Text(parts + "GC"), "11");
  EXPECT_EQ(machine.Text(parts + "108/0/base_addr"),
            "0x00000000\n0x00000014\n0x00000D20\n0x00010400\n");
}

TEST(Topology, MeasuresOnlyWhatIsModelled) {
  const std::string metrics = Machine({}).Text("/sys/devices/pci0000:00/0000:03:00.0/gpu_metrics");
  ASSERT_EQ(metrics.size(), 120u);
  const auto word = [&metrics](size_t at) {
    return static_cast<uint8_t>(metrics[at]) | static_cast<uint8_t>(metrics[at + 1]) << 8;
  };
  EXPECT_EQ(word(0), 120);
  EXPECT_EQ(word(2), 0x0301);
  EXPECT_EQ(word(4), 0xffff);  // a temperature
  EXPECT_EQ(word(54), 1725);   // MHz
  EXPECT_EQ(word(74), 16);     // lanes
  EXPECT_EQ(word(76), 160);    // 0.1 GT/s
}

// As an MI50, for which rocBLAS is compiled: its half-precision products depend on it.
TEST(Topology, SaysThatAGfx906HasSramEccAndAGfx900HasNot) {
  constexpr uint32_t kSramEcc = 1u << 26;
  Config config;
  for (const auto& [gfx, expected] : {std::pair{0x900, 0u}, {0x906, kSramEcc}, {0x90a, kSramEcc}}) {
    config.gfx = gfx;
    EXPECT_EQ(
        std::stoul(Machine(config).Property(kNodes + "1/properties", "capability")) & kSramEcc,
        expected);
  }
}

TEST(Topology, DescribesAGfx90a) {
  constexpr uint32_t kSramEcc = 1u << 26;
  Config config;
  config.gfx = 0x90a;
  const Machine machine(config);
  EXPECT_EQ(machine.Property(kNodes + "1/properties", "gfx_target_version"), "90010");
  EXPECT_EQ(machine.Property(kNodes + "1/properties", "simd_count"), "416");
  EXPECT_EQ(machine.Property(kNodes + "1/properties", "lds_size_in_kb"), "64");
  EXPECT_EQ(machine.Text(kNodes + "1/name"), "aldebaran\n");
  EXPECT_EQ(std::stoul(machine.Property(kNodes + "1/properties", "capability")) & kSramEcc,
            kSramEcc);
}

TEST(Topology, DescribesAGfx942) {
  Config config;
  config.gfx = 0x942;
  const Machine machine(config);
  const std::string properties = kNodes + "1/properties";
  EXPECT_EQ(machine.Property(properties, "gfx_target_version"), "90402");
  EXPECT_EQ(machine.Property(properties, "num_xcc"), "8");
  EXPECT_EQ(machine.Property(properties, "simd_count"), "1216");
  EXPECT_EQ(machine.Property(properties, "array_count"), "32");
  EXPECT_NE(machine.Text(kNodes + "1/modelled_counters").find("SQ 60\n"), std::string::npos);
}

TEST(Topology, DescribesTheHostAndOneNodePerGpu) {
  Config config;
  config.num_gpus = 2;
  const Machine machine(config);
  EXPECT_EQ(machine.Text(kNodes + "0/gpu_id"), "0\n");
  EXPECT_EQ(machine.Property(kNodes + "0/properties", "cpu_cores_count"), "4");
  EXPECT_EQ(machine.Property(kNodes + "1/properties", "gfx_target_version"), "90006");
  EXPECT_EQ(machine.Property(kNodes + "1/properties", "simd_count"), "240");
  EXPECT_EQ(machine.Property(kNodes + "1/properties", "drm_render_minor"), "128");
  EXPECT_EQ(machine.Property(kNodes + "2/properties", "drm_render_minor"), "129");
  EXPECT_NE(machine.Text(kNodes + "1/gpu_id"), machine.Text(kNodes + "2/gpu_id"));
  EXPECT_FALSE(machine.Has(kNodes + "3/gpu_id"));
}

TEST(Topology, CountsWhatIsThere) {
  Config config;
  config.num_gpus = 3;
  config.large_bar = true;
  const Machine machine(config);
  for (int node = 0; node < 4; ++node) {
    const std::string path = kNodes + std::to_string(node);
    for (const std::string kind : {"io_links", "p2p_links", "caches"}) {
      const int count = std::stoi(machine.Property(path + "/properties", kind + "_count"));
      for (int i = 0; i <= count; ++i) {
        const std::string file = path + "/" + kind + "/" + std::to_string(i) + "/properties";
        EXPECT_EQ(machine.Has(file), i < count) << file;
      }
    }
  }
}

// ROCm 5.2 finds no GPU when a host has no cache, here and in the host's own files.
TEST(Topology, TheHostHasACache) {
  const Machine machine((Config()));
  EXPECT_EQ(machine.Property(kNodes + "0/properties", "caches_count"), "1");
  EXPECT_EQ(machine.Property(kNodes + "0/caches/0/properties", "processor_id_low"), "0");
  EXPECT_EQ(machine.Property(kNodes + "0/caches/0/properties", "level"), "1");
  EXPECT_EQ(machine.Property(kNodes + "0/caches/0/properties", "size"), "32");
}

TEST(Topology, LinksTheHostToGpusWhoseMemoryItReaches) {
  Config config;
  EXPECT_FALSE(Machine(config).Has(kNodes + "0/io_links/0/properties"));
  EXPECT_EQ(Machine(config).Property(kNodes + "1/mem_banks/0/properties", "heap_type"), "2");
  config.large_bar = true;
  EXPECT_TRUE(Machine(config).Has(kNodes + "0/io_links/0/properties"));
  EXPECT_EQ(Machine(config).Property(kNodes + "1/mem_banks/0/properties", "heap_type"), "1");
}

TEST(Topology, HasDeviceFilesForEveryGpu) {
  Config config;
  config.num_gpus = 2;
  const Machine machine(config);
  EXPECT_TRUE(machine.Has("/dev/kfd"));
  EXPECT_TRUE(machine.Has("/dev/dri/renderD128"));
  EXPECT_TRUE(machine.Has("/dev/dri/renderD129"));
  EXPECT_TRUE(machine.Has("/sys/dev/char/226:129/device/drm/renderD129"));
  EXPECT_TRUE(machine.Has("/sys/dev/char/226:129/device/drm/card1"));
  EXPECT_FALSE(machine.Has("/dev/dri/renderD130"));
}

TEST(Topology, ShowsEveryGpuToManagementTools) {
  Config config;
  config.num_gpus = 2;
  config.gfx = 0x90a;
  const Machine machine(config);
  const std::string device = "/sys/devices/pci0000:00/0000:04:00.0";
  EXPECT_EQ(machine.Text("/sys/class/drm/card1"),
            "../../devices/pci0000:00/0000:04:00.0/drm/card1");
  EXPECT_EQ(machine.Text("/sys/class/drm/renderD129"),
            "../../devices/pci0000:00/0000:04:00.0/drm/renderD129");
  EXPECT_EQ(machine.Text(device + "/drm/card1/device"), "../../../0000:04:00.0");
  EXPECT_EQ(machine.Text(device + "/drm/card1/dev"), "226:1\n");
  EXPECT_EQ(machine.Text(device + "/vendor"), "0x1002\n");
  EXPECT_EQ(machine.Text(device + "/device"), "0x740f\n");
  EXPECT_EQ(machine.Text(device + "/unique_id"), "7600000000000002\n");
  EXPECT_EQ(machine.Text(device + "/mem_info_vram_total"),
            std::to_string(config.vram_bytes) + "\n");
  EXPECT_EQ(machine.Text("/sys/bus/pci/devices/0000:04:00.0"),
            "../../../devices/pci0000:00/0000:04:00.0");
  EXPECT_FALSE(machine.Has("/sys/class/drm/card2"));
  EXPECT_EQ(machine.Text(device + "/hwmon/hwmon1/name"), "amdgpu\n");
  EXPECT_FALSE(machine.Has(device + "/hwmon/hwmon1/temp1_input"));  // there are no sensors
  EXPECT_FALSE(machine.Has(device + "/gpu_busy_percent"));
}

class Publishing : public ::testing::Test {
 protected:
  Publishing() {
    char name[] = "/tmp/vgpu-test-XXXXXX";
    directory_ = mkdtemp(name);
  }
  ~Publishing() override { std::filesystem::remove_all(directory_); }

  static std::string Read(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  size_t Entries() const {
    size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory_)) {
      ++count;
    }
    return count;
  }

  const std::vector<MachineFile> files_ = {{"/a/b/text", "hello\n"},
                                           {"/a/empty", ""},
                                           {"/a/folder", "", true},
                                           {"/c/link", "../a/b", false, true}};
  std::string directory_;
  std::string why_;
};

TEST_F(Publishing, WritesEveryFile) {
  const std::string root = PublishMachine(files_, directory_, &why_);
  EXPECT_EQ(Read(root + "/a/b/text"), "hello\n");
  EXPECT_TRUE(std::filesystem::is_empty(root + "/a/empty"));
  EXPECT_TRUE(std::filesystem::is_directory(root + "/a/folder"));
  EXPECT_EQ(Read(root + "/c/link/text"), "hello\n");
}

TEST_F(Publishing, UsesOneDirectoryPerContent) {
  const std::string first = PublishMachine(files_, directory_, &why_);
  EXPECT_EQ(PublishMachine(files_, directory_, &why_), first);
  EXPECT_EQ(Entries(), 1u);
  auto others = files_;
  others[0].text = "world\n";
  EXPECT_NE(PublishMachine(others, directory_, &why_), first);
  EXPECT_EQ(Entries(), 2u);
}

TEST_F(Publishing, PutsBackWhatACleanerRemoved) {
  const std::string root = PublishMachine(files_, directory_, &why_);
  for (const char* const gone : {"/a/b/text", "/a/empty", "/a/folder", "/c/link"}) {
    ASSERT_EQ(std::filesystem::remove_all(root + gone), 1u) << gone;
    ASSERT_EQ(PublishMachine(files_, directory_, &why_), root) << gone;
    EXPECT_EQ(Read(root + "/c/link/text"), "hello\n") << gone;
    EXPECT_TRUE(std::filesystem::is_empty(root + "/a/empty")) << gone;
    EXPECT_TRUE(std::filesystem::is_directory(root + "/a/folder")) << gone;
  }
  EXPECT_EQ(Entries(), 1u);
}

TEST_F(Publishing, MakesTheBaseWithItsParents) {
  const std::string root = PublishMachine(files_, directory_ + "/x/y", &why_);
  EXPECT_EQ(Read(root + "/a/b/text"), "hello\n");
}

TEST_F(Publishing, ExplainsAFailure) {
  std::ofstream(directory_ + "/file") << "in the way";
  EXPECT_EQ(PublishMachine(files_, directory_ + "/file", &why_), "");
  EXPECT_NE(why_.find("Not a directory"), std::string::npos) << why_;
}

TEST_F(Publishing, LeavesOneWholeTreeWhenManyDoItAtOnce) {
  constexpr int kProcesses = 8;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      std::string why;
      const std::string root = PublishMachine(files_, directory_, &why);
      _exit(Read(root + "/a/b/text") == "hello\n" ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(Entries(), 1u);  // a process that was late has removed its draft
}

// The redirected path, relative to the machine's directory; "-" when it is not redirected.
std::string Redirected(const char* path) {
  RedirectedPath redirected;
  if (!redirected.Redirect(path)) return "-";
  const std::string text = redirected.c_str();
  EXPECT_EQ(text.rfind(MachineRoot(), 0), 0u) << text;
  return text.substr(MachineRoot().size());
}

TEST(Redirect, TakesThePathsOfTheDevices) {
  EXPECT_EQ(Redirected("/dev/kfd"), "/dev/kfd");
  EXPECT_EQ(Redirected("/dev/dri/renderD128"), "/dev/dri/renderD128");
  EXPECT_EQ(Redirected("/sys/dev/char/226:128/device/drm"), "/sys/dev/char/226:128/device/drm");
  EXPECT_EQ(Redirected("/sys/module/amdgpu/initstate"), "/sys/module/amdgpu/initstate");
  EXPECT_EQ(Redirected("/proc/modules"), "/proc/modules");
}

TEST(Redirect, FollowsTheClassLink) {
  EXPECT_EQ(Redirected("/sys/class/kfd/kfd/topology/nodes"),
            "/sys/devices/virtual/kfd/kfd/topology/nodes");
}

TEST(Redirect, TakesThePciDevicesThatAreGpus) {
  for (const char* path :
       {"/sys/devices/pci0000:00/0000:03:00.0", "/sys/bus/pci/devices/0000:03:00.0/vendor",
        "/sys/class/pci_bus/0000:03/../../0000:03:00.0",
        "/sys/devices/pci0000:00/pci_bus/0000:03"}) {
    EXPECT_EQ(Redirected(path), path);
  }
  for (const char* path :
       {"/sys/devices/pci0000:00/0000:04:00.0", "/sys/bus/pci/devices/0000:02:00.0",
        "/sys/bus/pci/devices/0000:03:00.1", "/sys/bus/pci/devices/0000:03:00.00",
        "/sys/bus/pci/devices/0000:3", "/sys/bus/pci/devices", "/sys/class/pci_bus/0000:04",
        "/sys/devices/pci0000:00", "/sys/class/pci_bus/0000:0"}) {
    EXPECT_EQ(Redirected(path), "-") << path;
  }
}

TEST(Redirect, LeavesAllOtherPathsAlone) {
  EXPECT_EQ(Redirected(nullptr), "-");
  EXPECT_EQ(Redirected(""), "-");
  EXPECT_EQ(Redirected("dev/kfd"), "-");
  EXPECT_EQ(Redirected("/dev/kfd2"), "-");
  EXPECT_EQ(Redirected("/dev/null"), "-");
  EXPECT_EQ(Redirected("/sys/dev/char/227:0"), "-");
  EXPECT_EQ(Redirected("/proc/modules.old"), "-");
  EXPECT_EQ(Redirected("/"), "-");
}

TEST(Redirect, LeavesAPathAloneThatIsTooLong) {
  const std::string path = "/dev/dri/" + std::string(2000, 'x');
  EXPECT_EQ(Redirected(path.c_str()), "-");
}

}  // namespace
}  // namespace vgpu
