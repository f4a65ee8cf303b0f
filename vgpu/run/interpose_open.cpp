// SPDX-License-Identifier: MIT
// interpose_open.cpp: opening files and directories.
#undef _FORTIFY_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cstdarg>
#include <cstdio>

#include "vgpu/run/interpose.h"

using vgpu::RealPath;

namespace {

mode_t ModeArgument(int flags, va_list arguments) {
  const bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return creates ? va_arg(arguments, mode_t) : 0;
}

int Open(int (*next)(const char*, int, ...), const char* path, int flags, mode_t mode) {
  if (const auto device = vgpu::DeviceAt(path)) return vgpu::OpenDevice(*device, flags);
  return next(RealPath(path).get(), flags, mode);
}

int OpenAt(int (*next)(int, const char*, int, ...), int directory, const char* path, int flags,
           mode_t mode) {
  if (const auto device = vgpu::DeviceAt(path)) return vgpu::OpenDevice(*device, flags);
  return next(directory, RealPath(path).get(), flags, mode);
}

}  // namespace

// The mode is an argument only of a call that may create a file.
#define VGPU_READ_MODE()                              \
  va_list arguments;                                  \
  va_start(arguments, flags);                         \
  const mode_t mode = ModeArgument(flags, arguments); \
  va_end(arguments)

#define VGPU_OPEN(name)                                    \
  VGPU_EXPORT int name(const char* path, int flags, ...) { \
    VGPU_NEXT(name);                                       \
    VGPU_READ_MODE();                                      \
    return Open(next, path, flags, mode);                  \
  }
VGPU_OPEN(open)
VGPU_OPEN(open64)

#define VGPU_OPENAT(name)                                                 \
  VGPU_EXPORT int name(int directory, const char* path, int flags, ...) { \
    VGPU_NEXT(name);                                                      \
    VGPU_READ_MODE();                                                     \
    return OpenAt(next, directory, path, flags, mode);                    \
  }
VGPU_OPENAT(openat)
VGPU_OPENAT(openat64)

// Fortified programs call these when they give no mode.
VGPU_EXPORT int __open_2(const char* path, int flags) { return open(path, flags); }
VGPU_EXPORT int __open64_2(const char* path, int flags) { return open64(path, flags); }
VGPU_EXPORT int __openat_2(int directory, const char* path, int flags) {
  return openat(directory, path, flags);
}
VGPU_EXPORT int __openat64_2(int directory, const char* path, int flags) {
  return openat64(directory, path, flags);
}

VGPU_REDIRECT(FILE*, fopen, (const char* path, const char* mode), RealPath(path).get(), mode)
VGPU_REDIRECT(FILE*, fopen64, (const char* path, const char* mode), RealPath(path).get(), mode)
VGPU_REDIRECT(DIR*, opendir, (const char* path), RealPath(path).get())
VGPU_REDIRECT(int, scandir,
              (const char* path, dirent*** names, int (*filter)(const dirent*),
               int (*compare)(const dirent**, const dirent**)),
              RealPath(path).get(), names, filter, compare)
VGPU_REDIRECT(int, scandir64,
              (const char* path, dirent64*** names, int (*filter)(const dirent64*),
               int (*compare)(const dirent64**, const dirent64**)),
              RealPath(path).get(), names, filter, compare)
