// SPDX-License-Identifier: MIT
#include "sdk/agents/topology.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temp_dir.h"

namespace rtl::sdk {
namespace {

class Nodes {
 public:
  void Write(const std::string& file, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(root()) / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  void AddCpu(int node) {
    Write(std::to_string(node) + "/properties", "cpu_cores_count 8\nsimd_count 0\n");
  }
  void AddGpu(int node, uint64_t unique) {
    const std::string folder = std::to_string(node) + "/";
    Write(folder + "properties",
          "cpu_cores_count 0\nsimd_count 240\nmem_banks_count 1\ncaches_count 2\nio_links_count 1\n"
          "max_waves_per_simd 10\narray_count 4\nsimd_arrays_per_engine 1\nsimd_per_cu 4\n"
          "gfx_target_version 90010\nvendor_id 4098\ndevice_id 26273\nunique_id " +
              std::to_string(unique) + "\n");
    Write(folder + "name", "vega20\n");
    Write(folder + "gpu_id", "18960\n");
    Write(folder + "mem_banks/0/properties",
          "heap_type 2\nsize_in_bytes 17179869184\nwidth 4096\n");
    Write(folder + "caches/1/properties", "processor_id_low 7\nlevel 2\nsize 4096\ntype 9\n");
    Write(folder + "io_links/0/properties", "type 2\nnode_from 1\nnode_to 0\nweight 20\n");
  }
  std::string root() const { return folder_.path(); }

 private:
  test::TempDir folder_;
};

TEST(Topology, ReadsEveryNode) {
  Nodes nodes;
  nodes.AddCpu(0);
  nodes.AddGpu(1, 5);
  nodes.AddGpu(2, 6);
  static Topology* const topology = new Topology();  // never freed: tools keep pointers
  topology->Load(nodes.root().c_str());
  ASSERT_EQ(topology->count(), 3u);
  const rocprofiler_agent_t& gpu = topology->at(2);
  EXPECT_EQ(gpu.type, ROCPROFILER_AGENT_TYPE_GPU);
  EXPECT_STREQ(gpu.name, "gfx90a");
  EXPECT_STREQ(gpu.model_name, "vega20");
  EXPECT_EQ(gpu.gpu_id, 18960u);
  EXPECT_EQ(gpu.cu_count, 60u);
  EXPECT_EQ(gpu.num_shader_banks, 4u);
  EXPECT_EQ(gpu.max_waves_per_cu, 40u);
  EXPECT_EQ(gpu.node_id, 2u);
  EXPECT_EQ(gpu.logical_node_id, 2);
  EXPECT_EQ(gpu.logical_node_type_id, 1);
  EXPECT_EQ(gpu.uuid.bytes[0], 6);
  ASSERT_EQ(gpu.caches_count, 2u);
  EXPECT_EQ(gpu.caches[0].size, 0u) << "its file is missing";
  EXPECT_EQ(gpu.caches[1].size, 4096u);
  EXPECT_EQ(gpu.caches[1].type.Value, 9u);
  ASSERT_EQ(gpu.mem_banks_count, 1u);
  EXPECT_EQ(gpu.mem_banks[0].size_in_bytes, 17179869184u);
  ASSERT_EQ(gpu.io_links_count, 1u);
  EXPECT_EQ(gpu.io_links[0].weight, 20u);
  EXPECT_EQ(topology->pointers()[2], &gpu);
  EXPECT_EQ(topology->IdOf(2).handle, gpu.id.handle);
  EXPECT_EQ(topology->IdOf(3).handle, 0u);
  EXPECT_NE(topology->at(0).id.handle, topology->at(1).id.handle);
  EXPECT_EQ(topology->at(0).cpu_cores_count, 8u);
}

TEST(Topology, HasTheProcessorWithoutADriver) {
  static Topology* const topology = new Topology();  // never freed: tools keep pointers
  topology->Load("/nowhere");
  ASSERT_EQ(topology->count(), 1u);
  EXPECT_EQ(topology->at(0).type, ROCPROFILER_AGENT_TYPE_CPU);
  EXPECT_GT(topology->at(0).cpu_cores_count, 0u);
}

TEST(Visibility, IsTheIndexInTheList) {
  rocprofiler_uuid_t uuid = {};
  const uint64_t unique = 0xe1f2;
  memcpy(uuid.bytes, &unique, sizeof unique);
  EXPECT_EQ(PlaceInList("0,2", 2, uuid), 1);
  EXPECT_EQ(PlaceInList("0, 2", 2, uuid), 1);
  EXPECT_EQ(PlaceInList("0,2", 1, uuid), -1);
  EXPECT_EQ(PlaceInList("GPU-e1f2", 5, uuid), 0);
  EXPECT_EQ(PlaceInList("GPU-1,GPU-E1F2", 5, uuid), 1);
  EXPECT_EQ(PlaceInList("", 0, uuid), -1);
  EXPECT_EQ(PlaceInList("1,x,0", 0, uuid), -1) << "entries after a wrong entry are ignored";
  EXPECT_EQ(PlaceInList("GPU-1,0", 0, {}), 1) << "a GPU without a unique id";
}

TEST(Visibility, CombinesTheListsOfBothRuntimes) {
  rocprofiler_agent_t gpu = {};
  gpu.type = ROCPROFILER_AGENT_TYPE_GPU;
  gpu.logical_node_type_id = 2;
  const auto visible = [&] {
    const auto bits = VisibilityOf(gpu);
    return std::string(bits.hsa ? "hsa " : "") + (bits.hip ? "hip" : "");
  };
  EXPECT_EQ(visible(), "hsa hip");
  setenv("ROCR_VISIBLE_DEVICES", "1,2", 1);
  EXPECT_EQ(visible(), "hsa hip");
  setenv("HIP_VISIBLE_DEVICES", "0", 1);
  EXPECT_EQ(visible(), "hsa ") << "HIP's index for it is one";
  setenv("HIP_VISIBLE_DEVICES", "1", 1);
  EXPECT_EQ(visible(), "hsa hip");
  setenv("ROCR_VISIBLE_DEVICES", "0", 1);
  EXPECT_EQ(visible(), "");
  gpu.type = ROCPROFILER_AGENT_TYPE_CPU;
  EXPECT_EQ(visible(), "hsa hip");
  unsetenv("ROCR_VISIBLE_DEVICES");
  unsetenv("HIP_VISIBLE_DEVICES");
}

}  // namespace
}  // namespace rtl::sdk
