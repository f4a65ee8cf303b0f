/* SPDX-License-Identifier: MIT
 * version.h: the version of the interface, not of the library behind it. */
#ifndef ROCPROFILER_SDK_ROCTX_VERSION_H_
#define ROCPROFILER_SDK_ROCTX_VERSION_H_

#define ROCTX_IS_ROCPROFILER_SDK 1

#define ROCTX_VERSION_MAJOR 1
#define ROCTX_VERSION_MINOR 0
#define ROCTX_VERSION_PATCH 0
#define ROCTX_SOVERSION (10000 * ROCTX_VERSION_MAJOR)
#define ROCTX_VERSION_STRING "1.0.0"
#define ROCTX_VERSION \
  ((10000 * ROCTX_VERSION_MAJOR) + (100 * ROCTX_VERSION_MINOR) + ROCTX_VERSION_PATCH)

/* Build information; these headers are the same in every build. */
#define ROCTX_GIT_DESCRIBE ""
#define ROCTX_GIT_REVISION ""
#define ROCTX_LIBRARY_ARCH "x86_64-linux-gnu"
#define ROCTX_SYSTEM_NAME "Linux"
#define ROCTX_SYSTEM_PROCESSOR "x86_64"
#define ROCTX_SYSTEM_VERSION ""
#define ROCTX_COMPILER_ID ""
#define ROCTX_COMPILER_VERSION ""

#endif /* ROCPROFILER_SDK_ROCTX_VERSION_H_ */
