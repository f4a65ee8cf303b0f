// SPDX-License-Identifier: MIT
// files_apart.h: opens files in the program without taking a standard stream that it has closed.
//
// open() takes the lowest free number. In a program without standard output that is 1: what the
// program prints meanwhile would be written into our file, and what it opens would not become its
// new standard output. While one of the three is free, the body runs on a thread of this process
// that has a table of descriptors of its own, which ends with it. Mappings stay.
//
// The table is a copy, so the body can use descriptors of the program. Descriptors that it opens
// are gone afterwards. It must not start threads: they would share the copy. The virtual thread
// uses the caller's thread-local state, while the caller waits.
//
// Threads    any
// Blocking   as the body
// Errors     none: where no thread can be made, the body runs as it is
#pragma once

#include <stdint.h>

#include <type_traits>

namespace rtl {

// Blocks every signal, those of the C library too, so that no handler runs on a stack of ours.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked();
  ~AllSignalsBlocked();
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  uint64_t before_ = 0;
};

void RunApart(void (*body)(void* data), void* data);

template <typename Body>
void FilesApart(Body&& body) {
  using Function = std::remove_reference_t<Body>;
  RunApart([](void* data) { (*static_cast<Function*>(data))(); }, &body);
}

// For a descriptor that is kept: the same file under a number above the standard streams.
int AboveStandardStreams(int fd);

}  // namespace rtl
