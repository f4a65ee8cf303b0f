// SPDX-License-Identifier: MIT
// files_apart.h: opens files in the traced program without occupying the number of a standard
// stream that the program has closed.
//
// open() returns the lowest free descriptor. In a program without standard output that is 1: output
// of the program would be written into the tracer's file, and a file that the program opens would
// not become its new standard output. If one of the three standard descriptors is free, the body
// runs on a thread of this process that has a descriptor table of its own. The table is gone when
// the thread ends; mappings stay.
//
// The table is a copy, so the body can use descriptors of the program. Descriptors that the body
// opens are gone afterwards. The body must not start threads, because they would share the copy.
// The thread uses the caller's thread-local state while the caller waits.
//
// Threads    any
// Blocking   as the body
// Errors     none: if no thread can be made, the body runs on the calling thread
#pragma once

#include <stdint.h>

#include <type_traits>

namespace rtl {

// Blocks every signal, also those that the C library uses, so that no handler runs on a stack of
// the tracer.
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

// For a descriptor that is kept: returns a descriptor of the same file above the standard streams.
int AboveStandardStreams(int fd);

}  // namespace rtl
