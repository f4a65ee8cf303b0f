// SPDX-License-Identifier: MIT
// MIOpen: convolutions forward, by data and by weights, of several shapes, by every solution that
// it offers, against sums computed here. The numbers are whole, so results must be equal. MIOpen
// compiles its kernels when the program runs. usage: miopen_convolution
#include <miopen/miopen.h>

#include <string>
#include <vector>

#include "hip_support.h"

using namespace programs;

namespace {

void MiopenCheck(miopenStatus_t status, const char* what) {
  if (status != miopenStatusSuccess) Die(what, miopenGetErrorString(status));
}
#define MIOPEN_CHECK(call) MiopenCheck((call), #call)

struct Shape {
  const char* name;
  int images, channels, size, filters, window, pad, stride;
  int out() const { return (size + 2 * pad - window) / stride + 1; }
  size_t inputs() const { return size_t(images) * channels * size * size; }
  size_t weights() const { return size_t(filters) * channels * window * window; }
  size_t outputs() const { return size_t(images) * filters * out() * out(); }
};

constexpr Shape kShapes[] = {
    {"3x3", 2, 4, 8, 8, 3, 1, 1},
    {"3x3 with a stride", 1, 3, 9, 4, 3, 0, 2},
    {"1x1", 2, 16, 7, 8, 1, 0, 1},
};

// Calls add(input, weight, output) with the index of each product of the convolution.
template <typename F>
void ForEachProduct(const Shape& s, F&& add) {
  for (int n = 0; n < s.images; ++n)
    for (int k = 0; k < s.filters; ++k)
      for (int y = 0; y < s.out(); ++y)
        for (int x = 0; x < s.out(); ++x)
          for (int c = 0; c < s.channels; ++c)
            for (int v = 0; v < s.window; ++v)
              for (int u = 0; u < s.window; ++u) {
                const int row = y * s.stride + v - s.pad, column = x * s.stride + u - s.pad;
                if (row < 0 || column < 0 || row >= s.size || column >= s.size) continue;
                add(((n * s.channels + c) * s.size + row) * s.size + column,
                    ((k * s.channels + c) * s.window + v) * s.window + u,
                    ((n * s.filters + k) * s.out() + y) * s.out() + x);
              }
}

std::vector<float> WholeNumbers(size_t count, int step, int values) {
  std::vector<float> numbers(count);
  for (size_t i = 0; i < count; ++i)
    numbers[i] = static_cast<float>(static_cast<int>(i) * step % values - values / 2);
  return numbers;
}

struct Descriptors {
  miopenTensorDescriptor_t input, weights, output;
  miopenConvolutionDescriptor_t convolution;

  explicit Descriptors(const Shape& s) {
    for (auto* each : {&input, &weights, &output}) MIOPEN_CHECK(miopenCreateTensorDescriptor(each));
    const auto set = [](miopenTensorDescriptor_t of, int n, int c, int size) {
      MIOPEN_CHECK(miopenSet4dTensorDescriptor(of, miopenFloat, n, c, size, size));
    };
    set(input, s.images, s.channels, s.size);
    set(weights, s.filters, s.channels, s.window);
    set(output, s.images, s.filters, s.out());
    MIOPEN_CHECK(miopenCreateConvolutionDescriptor(&convolution));
    MIOPEN_CHECK(miopenInitConvolutionDescriptor(convolution, miopenConvolution, s.pad, s.pad,
                                                 s.stride, s.stride, 1, 1));
  }
};

// Runs every solution through `run`, and compares the contents of `result`.
template <typename Run>
void TrySolutions(const std::string& what, std::vector<miopenConvSolution_t> solutions,
                  const DeviceArray<float>& result, const std::vector<float>& expected, Run&& run) {
  bool equal = !solutions.empty();
  for (const miopenConvSolution_t& solution : solutions) {
    DeviceArray<uint8_t> workspace(solution.workspace_size + 1);
    run(solution.solution_id, workspace.data(), solution.workspace_size);
    equal = equal && result.Get() == expected;
  }
  Expect(equal, what.c_str());
}

struct Test {
  miopenHandle_t miopen;
  Shape shape;
  Descriptors of{shape};
  std::vector<float> host_x = WholeNumbers(shape.inputs(), 7, 11);
  std::vector<float> host_w = WholeNumbers(shape.weights(), 5, 7);
  std::vector<float> host_y = WholeNumbers(shape.outputs(), 3, 5);

  void Forward() {
    const DeviceArray<float> x(host_x), w(host_w), y(shape.outputs());
    std::vector<float> expected(shape.outputs());
    ForEachProduct(shape, [&](int i, int j, int k) { expected[k] += host_x[i] * host_w[j]; });
    size_t count = 0;
    MIOPEN_CHECK(miopenConvolutionForwardGetSolutionCount(miopen, of.weights, of.input,
                                                          of.convolution, of.output, &count));
    std::vector<miopenConvSolution_t> found(count);
    MIOPEN_CHECK(miopenConvolutionForwardGetSolution(miopen, of.weights, of.input, of.convolution,
                                                     of.output, count, &count, found.data()));
    TrySolutions(std::string("forward ") + shape.name, found, y, expected,
                 [&](uint64_t id, void* workspace, size_t bytes) {
                   MIOPEN_CHECK(miopenConvolutionForwardCompileSolution(
                       miopen, of.weights, of.input, of.convolution, of.output, id));
                   MIOPEN_CHECK(miopenConvolutionForwardImmediate(
                       miopen, of.weights, w.data(), of.input, x.data(), of.convolution, of.output,
                       y.data(), workspace, bytes, id));
                 });
  }

  void BackwardData() {
    const DeviceArray<float> x(shape.inputs()), w(host_w), y(host_y);
    std::vector<float> expected(shape.inputs());
    ForEachProduct(shape, [&](int i, int j, int k) { expected[i] += host_y[k] * host_w[j]; });
    size_t count = 0;
    MIOPEN_CHECK(miopenConvolutionBackwardDataGetSolutionCount(miopen, of.output, of.weights,
                                                               of.convolution, of.input, &count));
    std::vector<miopenConvSolution_t> found(count);
    MIOPEN_CHECK(miopenConvolutionBackwardDataGetSolution(
        miopen, of.output, of.weights, of.convolution, of.input, count, &count, found.data()));
    TrySolutions(std::string("by data ") + shape.name, found, x, expected,
                 [&](uint64_t id, void* workspace, size_t bytes) {
                   MIOPEN_CHECK(miopenConvolutionBackwardDataCompileSolution(
                       miopen, of.output, of.weights, of.convolution, of.input, id));
                   MIOPEN_CHECK(miopenConvolutionBackwardDataImmediate(
                       miopen, of.output, y.data(), of.weights, w.data(), of.convolution, of.input,
                       x.data(), workspace, bytes, id));
                 });
  }

  void BackwardWeights() {
    const DeviceArray<float> x(host_x), w(shape.weights()), y(host_y);
    std::vector<float> expected(shape.weights());
    ForEachProduct(shape, [&](int i, int j, int k) { expected[j] += host_y[k] * host_x[i]; });
    size_t count = 0;
    MIOPEN_CHECK(miopenConvolutionBackwardWeightsGetSolutionCount(
        miopen, of.output, of.input, of.convolution, of.weights, &count));
    std::vector<miopenConvSolution_t> found(count);
    MIOPEN_CHECK(miopenConvolutionBackwardWeightsGetSolution(
        miopen, of.output, of.input, of.convolution, of.weights, count, &count, found.data()));
    TrySolutions(std::string("by weights ") + shape.name, found, w, expected,
                 [&](uint64_t id, void* workspace, size_t bytes) {
                   MIOPEN_CHECK(miopenConvolutionBackwardWeightsCompileSolution(
                       miopen, of.output, of.input, of.convolution, of.weights, id));
                   MIOPEN_CHECK(miopenConvolutionBackwardWeightsImmediate(
                       miopen, of.output, y.data(), of.input, x.data(), of.convolution, of.weights,
                       w.data(), workspace, bytes, id));
                 });
  }
};

}  // namespace

int main() {
  miopenHandle_t miopen;
  MIOPEN_CHECK(miopenCreate(&miopen));
  for (const Shape& shape : kShapes) {
    Test test{miopen, shape};
    test.Forward();
    test.BackwardData();
    test.BackwardWeights();
  }
  MIOPEN_CHECK(miopenDestroy(miopen));
  return ExitCode();
}
