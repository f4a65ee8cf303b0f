/* SPDX-License-Identifier: MIT
 * serialization.hpp: records as JSON and in cereal's other formats. Needs cereal. */
#pragma once

#include <rocprofiler-sdk/cxx/serialization/load.hpp>
#include <rocprofiler-sdk/cxx/serialization/save.hpp>
