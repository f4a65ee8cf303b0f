#!/bin/sh
# The libraries lie in /usr/lib, where loaders of RPM systems look for those of 64 bits only with this file.
echo /usr/lib >/etc/ld.so.conf.d/rocm-trace-lite.conf && ldconfig
