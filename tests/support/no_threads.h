// SPDX-License-Identifier: MIT
// no_threads.h: a system without free threads: while one of these objects lives, every request for
// a thread of the usual size fails (EAGAIN), because there is no room for a stack of that size.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>
#include <stddef.h>

namespace rtl::test {

class NoThreads {
 public:
  NoThreads() {
    EXPECT_EQ(pthread_getattr_default_np(&before_), 0);
    pthread_attr_t huge;
    EXPECT_EQ(pthread_attr_init(&huge), 0);
    EXPECT_EQ(pthread_attr_setstacksize(&huge, size_t{1} << 50), 0);
    EXPECT_EQ(pthread_setattr_default_np(&huge), 0);
    EXPECT_EQ(pthread_attr_destroy(&huge), 0);
  }
  ~NoThreads() {
    EXPECT_EQ(pthread_setattr_default_np(&before_), 0);
    EXPECT_EQ(pthread_attr_destroy(&before_), 0);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_;
};

}  // namespace rtl::test
