# Programs for the tests, below ${RTL_PROGRAM_DIR}. What cannot be built on this machine is
# collected in the global property RTL_UNAVAILABLE_PROGRAMS, so that its tests are reported as skipped.
#
#   rtl_hsa_program(<name> <sources...>)  with the host compiler and libhsa-runtime64
#   rtl_hip_program(<name> <sources...>)  with hipcc, for gfx906
#   rtl_hip_code_object(<name> <source>)  the device part alone, as <name>.co
set(RTL_PROGRAM_DIR ${CMAKE_BINARY_DIR}/bin/programs)
set(RTL_GPU_ARCH gfx906)

find_program(HIPCC hipcc)
find_library(HSA_RUNTIME hsa-runtime64)
find_path(HSA_INCLUDE_DIR hsa/hsa_ext_amd.h)

set(loud "The tests that need it are reported as SKIPPED.")
if(NOT HIPCC)
  message(WARNING "hipcc was not found (package hipcc): HIP programs are not built. ${loud}")
endif()
if(NOT HSA_RUNTIME OR NOT HSA_INCLUDE_DIR)
  message(WARNING "libhsa-runtime64 was not found (package libhsa-runtime-dev): HSA programs are "
                  "not built. ${loud}")
endif()
unset(loud)

# In a sanitizer build the programs themselves are not instrumented: the runtime between them and
# the code under test is not either, and the sanitizer would miss what it synchronises. They
# only bring the sanitizer's own library along, and the object that starts it before any other
# library's constructor: one of those already opens a file, through the code under test.
set(RTL_PROGRAM_OPTIONS)
set(RTL_HIP_SANITIZER)
if(RTL_SANITIZE)
  set(RTL_PROGRAM_OPTIONS -fno-sanitize=all)
endif()
if(RTL_SANITIZE MATCHES "(address|thread)")
  string(SUBSTRING ${CMAKE_MATCH_1} 0 1 letter)
  set(RTL_HIP_SANITIZER -Wl,--no-as-needed)
  foreach(file lib${letter}san_preinit.o lib${letter}san.so)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${file}
                    OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE)
    # By way of the linker: hipcc would take them for sources.
    list(APPEND RTL_HIP_SANITIZER -Xlinker ${path})
  endforeach()
endif()

function(rtl_hsa_program name)
  if(NOT HSA_RUNTIME OR NOT HSA_INCLUDE_DIR)
    set_property(GLOBAL APPEND PROPERTY RTL_UNAVAILABLE_PROGRAMS ${name})
    return()
  endif()
  add_executable(${name} ${ARGN})
  target_compile_options(${name} PRIVATE ${RTL_PROGRAM_OPTIONS})
  target_include_directories(${name} SYSTEM PRIVATE ${HSA_INCLUDE_DIR})
  target_link_libraries(${name} PRIVATE ${HSA_RUNTIME} Threads::Threads)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${RTL_PROGRAM_DIR})
endfunction()

# The outputs of the two functions below are files of the build: an incremental build runs hipcc
# only for sources that changed. `programs` is the target that asks for them.
function(rtl_hip_output name output)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/].*\\.hip$"
       OUTPUT_VARIABLE command)
  set(sources ${command})
  list(FILTER sources INCLUDE REGEX "\\.hip$")
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  file(MAKE_DIRECTORY ${RTL_PROGRAM_DIR})
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${HIPCC} --offload-arch=${RTL_GPU_ARCH} -O2 -std=c++17 -Wall ${command} -o ${output}
    DEPENDS ${sources} ${headers}
    COMMENT "hipcc ${name}"
    VERBATIM)
  add_custom_target(program_${name} ALL DEPENDS ${output})
endfunction()

function(rtl_hip_program name)
  if(NOT HIPCC)
    set_property(GLOBAL APPEND PROPERTY RTL_UNAVAILABLE_PROGRAMS ${name})
    return()
  endif()
  rtl_hip_output(${name} ${RTL_PROGRAM_DIR}/${name} ${ARGN} ${RTL_HIP_SANITIZER})
endfunction()

function(rtl_hip_code_object name source)
  if(NOT HIPCC)
    set_property(GLOBAL APPEND PROPERTY RTL_UNAVAILABLE_PROGRAMS ${name})
    return()
  endif()
  rtl_hip_output(${name} ${RTL_PROGRAM_DIR}/${name}.co --cuda-device-only --no-gpu-bundle-output
                 -c ${source})
endfunction()
