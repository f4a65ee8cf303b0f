# find_package(rocprofiler-sdk): the target rocprofiler-sdk::rocprofiler-sdk, for C and C++.
include(${CMAKE_CURRENT_LIST_DIR}/rocprofiler-sdk-targets.cmake)

# callback_tracing.h needs the headers of the HSA runtime.
find_path(rocprofiler-sdk_HSA_INCLUDE_DIR hsa/hsa.h PATHS /opt/rocm/include)
if(rocprofiler-sdk_HSA_INCLUDE_DIR)
  set_property(TARGET rocprofiler-sdk::rocprofiler-sdk APPEND PROPERTY
               INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${rocprofiler-sdk_HSA_INCLUDE_DIR})
  set_property(TARGET rocprofiler-sdk::rocprofiler-sdk APPEND PROPERTY
               INTERFACE_INCLUDE_DIRECTORIES ${rocprofiler-sdk_HSA_INCLUDE_DIR})
else()
  message(STATUS "rocprofiler-sdk: hsa/hsa.h is not found: install the HSA runtime's headers, or set "
                 "rocprofiler-sdk_HSA_INCLUDE_DIR")
endif()
