// SPDX-License-Identifier: MIT
// rocBLAS: C = alpha A B + beta C in all types, transposes and a few sizes, against a product in
// double precision. With whole numbers the result must be exact; with fractions it may differ by
// the rounding of the type of the sum. usage: rocblas_gemm [TYPE]
#include <rocblas/rocblas.h>

#include <string>

#include "hip_support.h"
#include "reference.h"

using namespace programs;

namespace {

void RocblasCheck(rocblas_status status, const std::string& what) {
  if (status != rocblas_status_success) Die(what.c_str(), rocblas_status_to_string(status));
}

// A type of elements: its bytes are written by Put and read by Get. `epsilon` is that of the sums.
struct Type {
  const char* name;
  rocblas_datatype in, out, compute;
  size_t in_bytes, out_bytes, scalar_bytes;
  double epsilon, out_epsilon;
};

const Type kTypes[] = {
    {"f16", rocblas_datatype_f16_r, rocblas_datatype_f16_r, rocblas_datatype_f16_r, 2, 2, 2,
     0x1p-10, 0x1p-10},
    {"f16-f32", rocblas_datatype_f16_r, rocblas_datatype_f16_r, rocblas_datatype_f32_r, 2, 2, 4,
     0x1p-23, 0x1p-10},
    {"bf16-f32", rocblas_datatype_bf16_r, rocblas_datatype_bf16_r, rocblas_datatype_f32_r, 2, 2, 4,
     0x1p-23, 0x1p-7},
    {"i8-i32", rocblas_datatype_i8_r, rocblas_datatype_i32_r, rocblas_datatype_i32_r, 1, 4, 4, 0,
     0},
    {"f32", rocblas_datatype_f32_r, rocblas_datatype_f32_r, rocblas_datatype_f32_r, 4, 4, 4,
     0x1p-23, 0x1p-23},
    {"f64", rocblas_datatype_f64_r, rocblas_datatype_f64_r, rocblas_datatype_f64_r, 8, 8, 8,
     0x1p-52, 0x1p-52},
};

template <typename T>
void Store(std::vector<uint8_t>* bytes, size_t i, T value) {
  std::memcpy(bytes->data() + i * sizeof(T), &value, sizeof(T));
}
template <typename T>
T Load(const std::vector<uint8_t>& bytes, size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

void Put(rocblas_datatype type, std::vector<uint8_t>* bytes, size_t i, double value) {
  switch (type) {
    case rocblas_datatype_f16_r:
      return Store(bytes, i, real::ToHalf(value));
    case rocblas_datatype_bf16_r:
      return Store(bytes, i, real::ToBfloat(value));
    case rocblas_datatype_i8_r:
      return Store(bytes, i, static_cast<int8_t>(value));
    case rocblas_datatype_i32_r:
      return Store(bytes, i, static_cast<int32_t>(value));
    case rocblas_datatype_f32_r:
      return Store(bytes, i, static_cast<float>(value));
    default:
      return Store(bytes, i, value);
  }
}

double Get(rocblas_datatype type, const std::vector<uint8_t>& bytes, size_t i) {
  switch (type) {
    case rocblas_datatype_f16_r:
      return real::FromHalf(Load<uint16_t>(bytes, i));
    case rocblas_datatype_bf16_r:
      return real::FromBfloat(Load<uint16_t>(bytes, i));
    case rocblas_datatype_i8_r:
      return Load<int8_t>(bytes, i);
    case rocblas_datatype_i32_r:
      return Load<int32_t>(bytes, i);
    case rocblas_datatype_f32_r:
      return Load<float>(bytes, i);
    default:
      return Load<double>(bytes, i);
  }
}

struct Size {
  int m, n, k;
};

struct Problem {
  Type type;
  Size size;
  bool transpose_a, transpose_b, whole;
};

// Values from -3 to 3, whole or in quarters and with a third, which no type holds exactly.
std::vector<uint8_t> Matrix(rocblas_datatype type, size_t bytes, int count, bool whole,
                            uint32_t seed) {
  real::Numbers numbers(seed);
  std::vector<uint8_t> matrix(bytes * count);
  for (int i = 0; i < count; ++i) {
    const double value = numbers.Between(-3, 3);
    Put(type, &matrix, i, whole ? value : value / 3 + 0.25);
  }
  return matrix;
}

class DeviceBytes {
 public:
  explicit DeviceBytes(const std::vector<uint8_t>& bytes) : array_(bytes) {}
  void* data() const { return array_.data(); }
  std::vector<uint8_t> Get() const { return array_.Get(); }

 private:
  DeviceArray<uint8_t> array_;
};

std::string Scalar(const Type& type, double value) {
  std::vector<uint8_t> bytes(8);
  Put(type.compute, &bytes, 0, value);
  return std::string(bytes.begin(), bytes.end());
}

// The number of elements that differ from the reference by more than rounding.
int CountWrong(const Problem& p, const std::vector<uint8_t>& a, const std::vector<uint8_t>& b,
               const std::vector<uint8_t>& before, const std::vector<uint8_t>& after) {
  const auto [m, n, k] = p.size;
  int wrong = 0;
  for (int column = 0; column < n; ++column) {
    for (int row = 0; row < m; ++row) {
      double sum = 2 * Get(p.type.out, before, row + column * m);
      double sizes = std::fabs(sum);
      for (int i = 0; i < k; ++i) {
        const double product = Get(p.type.in, a, p.transpose_a ? i + row * k : row + i * m) *
                               Get(p.type.in, b, p.transpose_b ? column + i * n : i + column * k);
        sum += product;
        sizes += std::fabs(product);
      }
      const double got = Get(p.type.out, after, row + column * m);
      const double allowed =
          p.whole ? 0 : (k + 2) * p.type.epsilon * sizes + p.type.out_epsilon * std::fabs(sum);
      if (!(std::fabs(got - sum) <= allowed)) ++wrong;
    }
  }
  return wrong;
}

void Run(rocblas_handle handle, const Problem& p) {
  const auto [m, n, k] = p.size;
  const auto a = Matrix(p.type.in, p.type.in_bytes, m * k, p.whole, 1);
  const auto b = Matrix(p.type.in, p.type.in_bytes, k * n, p.whole, 2);
  const auto c = Matrix(p.type.out, p.type.out_bytes, m * n, p.whole, 3);
  const DeviceBytes device_a(a), device_b(b), device_c(c);
  const std::string alpha = Scalar(p.type, 1), beta = Scalar(p.type, 2);
  const std::string name = std::string(p.type.name) + " " + (p.transpose_a ? "T" : "N") +
                           (p.transpose_b ? "T" : "N") + " " + std::to_string(m) + "x" +
                           std::to_string(n) + "x" + std::to_string(k) +
                           (p.whole ? " whole" : " fractions");
  RocblasCheck(
      rocblas_gemm_ex(handle, p.transpose_a ? rocblas_operation_transpose : rocblas_operation_none,
                      p.transpose_b ? rocblas_operation_transpose : rocblas_operation_none, m, n, k,
                      alpha.data(), device_a.data(), p.type.in, p.transpose_a ? k : m,
                      device_b.data(), p.type.in, p.transpose_b ? n : k, beta.data(),
                      device_c.data(), p.type.out, m, device_c.data(), p.type.out, m,
                      p.type.compute, rocblas_gemm_algo_standard, 0, 0),
      name);
  const auto after = device_c.Get();
  const int wrong = CountWrong(p, a, b, c, after);
  char line[160];
  std::snprintf(line, sizeof(line), "%s %016llx", name.c_str(),
                static_cast<unsigned long long>(real::Digest(after)));
  if (wrong != 0) std::fprintf(stderr, "%s: %d of %d elements are wrong\n", line, wrong, m * n);
  Expect(wrong == 0, line);
}

}  // namespace

int main(int argc, char** argv) {
  rocblas_handle handle = nullptr;
  RocblasCheck(rocblas_create_handle(&handle), "rocblas_create_handle");
  for (const Type& type : kTypes) {
    if (argc > 1 && type.name != std::string(argv[1])) continue;
    for (const Size size : {Size{36, 52, 28}, Size{64, 64, 64}, Size{129, 65, 40}}) {
      for (int way = 0; way < 4; ++way) {
        Run(handle, {type, size, (way & 1) != 0, (way & 2) != 0, true});
        if (type.in != rocblas_datatype_i8_r) {
          Run(handle, {type, size, (way & 1) != 0, (way & 2) != 0, false});
        }
      }
    }
  }
  RocblasCheck(rocblas_destroy_handle(handle), "rocblas_destroy_handle");
  return ExitCode();
}
