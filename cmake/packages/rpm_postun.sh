#!/bin/sh
# $1: how many versions stay installed.
[ "$1" != 0 ] || { rm -f /etc/ld.so.conf.d/rocm-trace-lite.conf && ldconfig; }
