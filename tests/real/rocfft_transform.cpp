// SPDX-License-Identifier: MIT
// rocFFT: complex transforms of one and two dimensions, in both precisions, against sums over all
// terms, and back again. The library compiles its kernels at run time.
#include <rocfft/rocfft.h>

#include <complex>
#include <string>

#include "hip_support.h"
#include "reference.h"

using namespace programs;

namespace {

constexpr double kTurn = 6.283185307179586476925;

void RocfftCheck(rocfft_status status, const char* what) {
  if (status != rocfft_status_success) Die(what, std::to_string(status).c_str());
}

template <typename T>
using Signal = std::vector<std::complex<T>>;

template <typename T>
void Execute(rocfft_transform_type type, const std::vector<size_t>& lengths,
             std::complex<T>* data) {
  rocfft_plan plan = nullptr;
  rocfft_execution_info info = nullptr;
  size_t work_bytes = 0;
  RocfftCheck(rocfft_plan_create(&plan, rocfft_placement_inplace, type,
                                 sizeof(T) == 4 ? rocfft_precision_single : rocfft_precision_double,
                                 lengths.size(), lengths.data(), 1, nullptr),
              "rocfft_plan_create");
  RocfftCheck(rocfft_execution_info_create(&info), "rocfft_execution_info_create");
  RocfftCheck(rocfft_plan_get_work_buffer_size(plan, &work_bytes), "work buffer");
  const DeviceArray<uint8_t> work(work_bytes + 1);
  if (work_bytes != 0) {
    RocfftCheck(rocfft_execution_info_set_work_buffer(info, work.data(), work_bytes), "set work");
  }
  void* buffers[] = {data};
  RocfftCheck(rocfft_execute(plan, buffers, nullptr, info), "rocfft_execute");
  HIP_CHECK(hipDeviceSynchronize());
  RocfftCheck(rocfft_execution_info_destroy(info), "rocfft_execution_info_destroy");
  RocfftCheck(rocfft_plan_destroy(plan), "rocfft_plan_destroy");
}

// The transform along one dimension of `rows` rows, whose elements lie `stride` apart.
template <typename T>
Signal<double> Along(const Signal<T>& in, size_t length, size_t stride) {
  Signal<double> roots(length), out(in.size());
  for (size_t i = 0; i < length; ++i) {
    roots[i] = std::polar(1.0, -kTurn * static_cast<double>(i) / static_cast<double>(length));
  }
  for (size_t at = 0; at < in.size(); ++at) {
    const size_t k = at / stride % length;
    const size_t first = at - k * stride;
    for (size_t i = 0; i < length; ++i) {
      out[at] += std::complex<double>(in[first + i * stride]) * roots[i * k % length];
    }
  }
  return out;
}

template <typename T, typename U>
bool Near(const Signal<T>& got, const Signal<U>& wanted, double factor, double tolerance) {
  double largest = 0, error = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const std::complex<double> want = std::complex<double>(wanted[i]) * factor;
    largest = std::max(largest, std::abs(want));
    error = std::max(error, std::abs(std::complex<double>(got[i]) - want));
  }
  return error <= tolerance * largest;
}

template <typename T>
void Test(const std::vector<size_t>& lengths) {
  size_t count = 1;
  std::string name = sizeof(T) == 4 ? "single" : "double";
  for (const size_t length : lengths) {
    name += (count == 1 ? " " : "x") + std::to_string(length);
    count *= length;
  }
  real::Numbers numbers(static_cast<uint32_t>(count));
  Signal<T> signal(count);
  for (auto& value : signal) {
    value = {static_cast<T>(numbers.Between(-99, 99)) / 64,
             static_cast<T>(numbers.Between(-99, 99)) / 64};
  }
  Signal<double> wanted(signal.begin(), signal.end());
  for (size_t i = 0, stride = 1; i < lengths.size(); stride *= lengths[i++]) {
    wanted = Along(wanted, lengths[i], stride);
  }
  const double tolerance = sizeof(T) == 4 ? 1e-6 : 1e-14;
  const DeviceArray<std::complex<T>> device(signal);
  Execute(rocfft_transform_type_complex_forward, lengths, device.data());
  const Signal<T> forward = device.Get();
  char digest[24];
  std::snprintf(digest, sizeof(digest), " %016llx",
                static_cast<unsigned long long>(real::Digest(forward)));
  Expect(Near(forward, wanted, 1, tolerance), (name + " forward" + digest).c_str());
  Execute(rocfft_transform_type_complex_inverse, lengths, device.data());
  Expect(Near(device.Get(), signal, static_cast<double>(count), tolerance),
         (name + " and back").c_str());
}

}  // namespace

int main() {
  RocfftCheck(rocfft_setup(), "rocfft_setup");
  Test<float>({8});
  Test<float>({64});
  Test<float>({100});
  Test<double>({60});
  Test<double>({1024});
  Test<float>({16, 12});
  RocfftCheck(rocfft_cleanup(), "rocfft_cleanup");
  return ExitCode();
}
