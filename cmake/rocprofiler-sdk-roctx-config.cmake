# find_package(rocprofiler-sdk-roctx): the target rocprofiler-sdk-roctx::rocprofiler-sdk-roctx, for C and C++; the
# other name is the same.
include(${CMAKE_CURRENT_LIST_DIR}/rocprofiler-sdk-roctx-targets.cmake)
if(NOT TARGET rocprofiler-sdk-roctx::rocprofiler-sdk-roctx-shared-library)
  add_library(rocprofiler-sdk-roctx::rocprofiler-sdk-roctx-shared-library INTERFACE IMPORTED)
  target_link_libraries(rocprofiler-sdk-roctx::rocprofiler-sdk-roctx-shared-library
                        INTERFACE rocprofiler-sdk-roctx::rocprofiler-sdk-roctx)
endif()
