// SPDX-License-Identifier: MIT
// rocRAND: the bits of Philox 4x32-10 against the published algorithm, and the distribution of
// uniform and normal numbers of three generators.
#include <rocrand/rocrand.h>

#include <algorithm>
#include <array>
#include <string>

#include "hip_support.h"
#include "reference.h"

using namespace programs;

namespace {

constexpr uint64_t kSeed = 0x123456789abcdef;
constexpr int kCount = 100000;

void RocrandCheck(rocrand_status status, const char* what) {
  if (status != ROCRAND_STATUS_SUCCESS) Die(what, std::to_string(status).c_str());
}

std::array<uint32_t, 4> Philox(uint64_t block) {
  std::array<uint32_t, 4> counter = {static_cast<uint32_t>(block),
                                     static_cast<uint32_t>(block >> 32), 0, 0};
  uint32_t key[2] = {static_cast<uint32_t>(kSeed), static_cast<uint32_t>(kSeed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t first = uint64_t{0xD2511F53} * counter[0];
    const uint64_t second = uint64_t{0xCD9E8D57} * counter[2];
    counter = {
        static_cast<uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(second),
        static_cast<uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(first)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

class Generator {
 public:
  explicit Generator(rocrand_rng_type type) {
    RocrandCheck(rocrand_create_generator(&generator_, type), "rocrand_create_generator");
    RocrandCheck(rocrand_set_seed(generator_, kSeed), "rocrand_set_seed");
  }
  ~Generator() { RocrandCheck(rocrand_destroy_generator(generator_), "rocrand_destroy_generator"); }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  rocrand_generator get() const { return generator_; }

 private:
  rocrand_generator generator_ = nullptr;
};

template <typename T>
void ExpectLine(bool right, const std::string& what, const std::vector<T>& values) {
  char digest[24];
  std::snprintf(digest, sizeof(digest), " %016llx",
                static_cast<unsigned long long>(real::Digest(values)));
  Expect(right, (what + digest).c_str());
}

void ExpectPhilox() {
  const Generator philox(ROCRAND_RNG_PSEUDO_PHILOX4_32_10);
  const DeviceArray<uint32_t> device(kCount);
  RocrandCheck(rocrand_generate(philox.get(), device.data(), kCount), "rocrand_generate");
  const auto values = device.Get();
  ExpectLine(
      ForAll(kCount, [&](int i) { return values[i] == Philox(i / 4)[static_cast<size_t>(i % 4)]; }),
      "philox bits", values);
}

// Each tenth of the numbers between 0 and 1 has its share, within five standard deviations.
void ExpectUniform(const Generator& generator, const std::string& name) {
  const DeviceArray<float> device(kCount);
  RocrandCheck(rocrand_generate_uniform(generator.get(), device.data(), kCount), "uniform");
  const auto values = device.Get();
  std::array<int, 10> tenths{};
  bool right = true;
  for (const float value : values) {
    right = right && value > 0 && value <= 1;
    ++tenths[std::clamp(static_cast<int>(value * 10), 0, 9)];
  }
  for (const int tenth : tenths) right = right && std::abs(tenth - kCount / 10) < 5 * 95;
  ExpectLine(right, name + " uniform", values);
}

void ExpectNormal(const Generator& generator, const std::string& name) {
  const DeviceArray<double> device(kCount);
  RocrandCheck(rocrand_generate_normal_double(generator.get(), device.data(), kCount, 3, 2),
               "normal");
  const auto values = device.Get();
  double sum = 0, squares = 0;
  int within = 0;
  for (const double value : values) {
    sum += value;
    squares += (value - 3) * (value - 3);
    if (std::fabs(value - 3) < 2) ++within;
  }
  const bool right = std::fabs(sum / kCount - 3) < 0.04 && std::fabs(squares / kCount - 4) < 0.1 &&
                     std::fabs(within / double{kCount} - 0.6827) < 0.01;
  ExpectLine(right, name + " normal", values);
}

}  // namespace

int main() {
  ExpectPhilox();
  const std::pair<const char*, rocrand_rng_type> types[] = {
      {"philox", ROCRAND_RNG_PSEUDO_PHILOX4_32_10},
      {"xorwow", ROCRAND_RNG_PSEUDO_XORWOW},
      {"mrg32k3a", ROCRAND_RNG_PSEUDO_MRG32K3A},
  };
  for (const auto& [name, type] : types) {
    const Generator generator(type);
    ExpectUniform(generator, name);
    ExpectNormal(generator, name);
  }
  return ExitCode();
}
