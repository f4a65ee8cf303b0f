# Programs for the tests, below ${RTL_PROGRAM_DIR}. The global property RTL_UNAVAILABLE_PROGRAMS lists those
# that cannot be built on this machine; their tests are reported as skipped.
#
#   rtl_hsa_program(<name> <sources...>)  with the host compiler and libhsa-runtime64
#   rtl_hsa_tool(<name> <sources...>)     the same as a module that the runtime loads
#   rtl_hip_program(<name> <sources...>)  with hipcc, for gfx906 and each --offload-arch=...
#   rtl_hip_code_object(<name> <source>)  the device part alone, as <name>.co
#
# For each of RTL_RUNTIMES there is a folder ${RTL_PROGRAM_DIR}-<runtime> with the same files:
# runtime-dependent ones are compiled with its headers and its own hipcc, the others are links.
set(RTL_PROGRAM_DIR ${CMAKE_BINARY_DIR}/bin/programs)
set(RTL_GPU_ARCH gfx906)
option(RTL_ALL_PROGRAMS "Build every HIP program; OFF: only those that are named (tests/sample.py --programs)" ON)
set(RTL_RUNTIMES "" CACHE STRING "runtimes of scripts/runtime to test with as well: 6.1;6.4;7.2;7.14")

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

# The available runtimes: RTL_RUNTIME_ROOT_<runtime> is the root file system.
set(RTL_RUNTIME_TOOL ${CMAKE_SOURCE_DIR}/scripts/runtime)
set(RTL_RUNTIMES_HERE)
foreach(runtime IN LISTS RTL_RUNTIMES)
  execute_process(COMMAND ${RTL_RUNTIME_TOOL} root ${runtime} OUTPUT_VARIABLE root
                  ERROR_VARIABLE reason OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(root)
    list(APPEND RTL_RUNTIMES_HERE ${runtime})
    set(RTL_RUNTIME_ROOT_${runtime} ${root})
    file(MAKE_DIRECTORY ${RTL_PROGRAM_DIR}-${runtime})
  else()
    message(WARNING "${reason}${loud}")
  endif()
endforeach()
unset(loud)

# A sanitizer build does not instrument the programs: the runtime between them and the code under test is
# not instrumented either, and the sanitizer would miss its synchronisation. They only link the sanitizer's
# own library, and an object that starts it before any other library's constructor, because one of those
# already opens a file through the code under test.
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
    # Passed to the linker: hipcc would take them for sources.
    list(APPEND RTL_HIP_SANITIZER -Xlinker ${path})
  endforeach()
endif()

# ccache, with paths that are equal in every build and tree.
set(RTL_HIP_LAUNCHER)
if(CCACHE)
  set(RTL_HIP_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

# Links the host's build into this runtime's folder.
function(rtl_link_for_runtime runtime file)
  file(CREATE_LINK ../programs/${file} ${RTL_PROGRAM_DIR}-${runtime}/${file} SYMBOLIC)
endfunction()

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
  foreach(runtime IN LISTS RTL_RUNTIMES_HERE)
    rtl_link_for_runtime(${runtime} ${name})
  endforeach()
endfunction()

function(rtl_one_hsa_tool name include_dir folder)
  add_library(${name} MODULE ${ARGN})
  # The runtime's own switch for the complete tables.
  target_compile_definitions(${name} PRIVATE AMD_INTERNAL_BUILD)
  target_compile_options(${name} PRIVATE ${RTL_PROGRAM_OPTIONS})
  target_include_directories(${name} SYSTEM PRIVATE ${include_dir})
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${folder})
endfunction()

# The tables differ between runtimes: a tool is compiled for each.
function(rtl_hsa_tool name)
  if(HSA_RUNTIME AND HSA_INCLUDE_DIR)
    rtl_one_hsa_tool(${name} ${HSA_INCLUDE_DIR} ${RTL_PROGRAM_DIR} ${ARGN})
  endif()
  foreach(runtime IN LISTS RTL_RUNTIMES_HERE)
    # Only these headers: the root's C library headers do not fit this compiler.
    set(headers ${CMAKE_BINARY_DIR}/hsa_headers/${runtime})
    file(MAKE_DIRECTORY ${headers})
    file(CREATE_LINK ${RTL_RUNTIME_ROOT_${runtime}}/usr/include/hsa ${headers}/hsa SYMBOLIC)
    rtl_one_hsa_tool(${name}-${runtime} ${headers} ${RTL_PROGRAM_DIR}-${runtime} ${ARGN})
    set_target_properties(${name}-${runtime} PROPERTIES OUTPUT_NAME ${name})
  endforeach()
endfunction()

# The outputs of hipcc are files of the build: an incremental build runs it only for sources that
# changed. With ccache a program is compiled once for all presets, which
# differ only in their linked libraries.
function(rtl_hip_compile target output compiler)
  cmake_parse_arguments(PARSE_ARGV 3 M "" "" "LAUNCHER;OPTIONS;DEPENDS")
  list(TRANSFORM M_OPTIONS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/].*\\.hip$"
       OUTPUT_VARIABLE options)
  set(sources ${options})
  list(FILTER sources INCLUDE REGEX "\\.hip$")
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  get_filename_component(folder ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  set(flags --offload-arch=${RTL_GPU_ARCH} -O2 -std=c++17 -Wall)
  set(compile)
  set(rest ${options})
  if(M_LAUNCHER AND NOT "-c" IN_LIST options)
    set(for_compiler ${options})
    list(FILTER for_compiler INCLUDE REGEX "(^-I|^-fPIC$|^--offload-arch=|\\.hip$)")
    list(FILTER rest EXCLUDE REGEX "(^-I|^-fPIC$|^--offload-arch=|\\.hip$)")
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}.o)
    set(compile COMMAND ${M_LAUNCHER} ${compiler} ${flags} ${for_compiler} -c -o ${object})
    list(PREPEND rest ${object})
  endif()
  add_custom_command(
    OUTPUT ${output}
    ${compile}
    COMMAND ${compiler} ${flags} ${rest} -o ${output}
    DEPENDS ${sources} ${headers} ${M_DEPENDS}
    COMMENT "hipcc ${target}"
    VERBATIM)
  set(all ALL)
  if(NOT RTL_ALL_PROGRAMS AND NOT output MATCHES "\\.(co|so)$")  # programs open these by name
    set(all)
  endif()
  add_custom_target(program_${target} ${all} DEPENDS ${output})
endfunction()

function(rtl_hip_output name file)
  set(without_gfx942 ${ARGN})  # older compilers do not know it
  list(REMOVE_ITEM without_gfx942 --offload-arch=gfx942)
  rtl_hip_compile(${name} ${RTL_PROGRAM_DIR}/${file} ${HIPCC} LAUNCHER ${RTL_HIP_LAUNCHER}
                  OPTIONS ${without_gfx942})
  foreach(runtime IN LISTS RTL_RUNTIMES_HERE)
    set(root ${RTL_RUNTIME_ROOT_${runtime}})
    if(runtime STREQUAL 7.14 AND "7.2" IN_LIST RTL_RUNTIMES_HERE)  # its compiler is the one of 7.2
      file(CREATE_LINK ../programs-7.2/${file} ${RTL_PROGRAM_DIR}-${runtime}/${file} SYMBOLIC)
    elseif(EXISTS ${root}/usr/bin/hipcc)
      set(compiler ${RTL_RUNTIME_TOOL} exec ${runtime} env HIP_PLATFORM=amd hipcc)
      set(options ${ARGN})
      if(runtime VERSION_LESS 6.4)
        set(options ${without_gfx942})
      endif()
      rtl_hip_compile(${name}-${runtime} ${RTL_PROGRAM_DIR}-${runtime}/${file} "${compiler}"
                      OPTIONS ${options} DEPENDS ${root}/.recipe)
    else()
      rtl_link_for_runtime(${runtime} ${file})
    endif()
  endforeach()
endfunction()

function(rtl_hip_program name)
  if(NOT HIPCC)
    set_property(GLOBAL APPEND PROPERTY RTL_UNAVAILABLE_PROGRAMS ${name})
    return()
  endif()
  set(sanitizer ${RTL_HIP_SANITIZER})
  if("-shared" IN_LIST ARGN)  # it is loaded into a program that has it
    set(sanitizer)
  endif()
  rtl_hip_output(${name} ${name} ${ARGN} ${sanitizer})
endfunction()

function(rtl_hip_code_object name source)
  if(NOT HIPCC)
    set_property(GLOBAL APPEND PROPERTY RTL_UNAVAILABLE_PROGRAMS ${name})
    return()
  endif()
  rtl_hip_output(${name} ${name}.co --cuda-device-only --no-gpu-bundle-output -c ${source} ${ARGN})
endfunction()
