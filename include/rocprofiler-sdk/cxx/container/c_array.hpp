/* SPDX-License-Identifier: MIT
 * c_array.hpp: a pointer and a count as a container. It does not own its elements. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <typeinfo>

namespace rocprofiler {
namespace sdk {
namespace container {

template <typename T>
struct c_array {
  c_array(T* first, size_t count) : first_(first), count_(count) {}

  size_t size() const { return count_; }
  T& operator[](size_t i) { return first_[i]; }
  const T& operator[](size_t i) const { return first_[i]; }
  T& at(size_t i) { return first_[Checked(i)]; }
  const T& at(size_t i) const { return first_[Checked(i)]; }
  /* From `start` to `end`, without `end`. */
  c_array slice(size_t start, size_t end) { return {first_ + start, end - start}; }
  void pop_front() {
    ++first_;
    --count_;
  }
  void pop_back() { --count_; }
  operator T*() const { return first_; }

  template <typename U>
  struct iterator {
    iterator(T* at) : at_(at) {}
    void operator++() { ++at_; }
    void operator++(int) { ++at_; }
    U& operator*() const { return *at_; }
    bool operator==(const iterator& other) const { return at_ == other.at_; }
    bool operator!=(const iterator& other) const { return at_ != other.at_; }

   private:
    T* at_;
  };
  iterator<T> begin() { return {first_}; }
  iterator<const T> begin() const { return {first_}; }
  iterator<T> end() { return {first_ + count_}; }
  iterator<const T> end() const { return {first_ + count_}; }

 private:
  size_t Checked(size_t i) const {
    if (i < count_) return i;
    throw std::out_of_range("c_array: " + std::to_string(i) + " of " + std::to_string(count_));
  }
  T* first_;
  size_t count_;
};

template <typename T>
c_array<T> make_c_array(T* first, size_t count) {
  return {first, count};
}

}  // namespace container
}  // namespace sdk
}  // namespace rocprofiler
