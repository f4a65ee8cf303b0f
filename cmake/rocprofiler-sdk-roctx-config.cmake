# find_package(rocprofiler-sdk-roctx [COMPONENTS shared-library]): the target rocprofiler-sdk-roctx::rocprofiler-sdk-roctx,
# for C and C++; …-shared-library is the library alone.
include_guard(DIRECTORY)
include(${CMAKE_CURRENT_LIST_DIR}/rocprofiler-sdk-roctx-targets.cmake)
if(NOT TARGET rocprofiler-sdk-roctx::rocprofiler-sdk-roctx)
  add_library(rocprofiler-sdk-roctx::rocprofiler-sdk-roctx INTERFACE IMPORTED)
  target_link_libraries(rocprofiler-sdk-roctx::rocprofiler-sdk-roctx
                        INTERFACE rocprofiler-sdk-roctx::rocprofiler-sdk-roctx-shared-library)
endif()
set(rocprofiler-sdk-roctx_shared-library_FOUND TRUE)
set(rocprofiler-sdk-roctx_LIBRARIES rocprofiler-sdk-roctx::rocprofiler-sdk-roctx)
foreach(one IN LISTS rocprofiler-sdk-roctx_FIND_COMPONENTS)
  if(rocprofiler-sdk-roctx_FIND_REQUIRED_${one} AND NOT rocprofiler-sdk-roctx_${one}_FOUND)
    set(rocprofiler-sdk-roctx_FOUND FALSE)
    set(rocprofiler-sdk-roctx_NOT_FOUND_MESSAGE "there is no component ${one}; there is: shared-library")
  endif()
endforeach()
