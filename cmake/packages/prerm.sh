#!/bin/sh
# Before the files are removed: what Python compiled beside them.
for module in rtl roctx; do rm -rf "/usr/lib/python3/dist-packages/$module/__pycache__"; done
