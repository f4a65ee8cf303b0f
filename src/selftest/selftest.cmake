# The code objects of kernels.cl: for each target by the first of these compilers that knows it. A newer target needs
# the compiler of the runtime 7.2 (scripts/runtime get 7.2), or -DRTL_DEVICE_CLANG=COMMAND.
set(RTL_DEVICE_CLANG "" CACHE STRING "A clang with amdgcn for kernels of rtl selftest; empty: those found here")
set(targets gfx900 gfx906 gfx908 gfx90a gfx90c gfx942 gfx950 gfx1010 gfx1011 gfx1012 gfx1030 gfx1031 gfx1032 gfx1034 gfx1035
    gfx1036 gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 gfx1200 gfx1201)
set(source ${CMAKE_CURRENT_SOURCE_DIR}/selftest/kernels.cl)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/selftest)
file(MAKE_DIRECTORY ${folder})

set(compilers)
foreach(version 22 21 20 19 15 14)
  find_program(RTL_CLANG_${version} NAMES clang-${version} NO_CACHE)
  if(RTL_CLANG_${version})
    list(APPEND compilers "${RTL_CLANG_${version}}")
  endif()
endforeach()
foreach(runtime 7.2 6.4)
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/scripts/runtime root ${runtime} OUTPUT_VARIABLE root
                  ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  file(GLOB clang ${root}/usr/bin/clang-[0-9][0-9])
  if(root AND clang)
    get_filename_component(clang ${clang} NAME)
    list(APPEND compilers "${CMAKE_SOURCE_DIR}/scripts/runtime exec ${runtime} -- ${clang}")
  endif()
endforeach()
if(RTL_DEVICE_CLANG)
  set(compilers "${RTL_DEVICE_CLANG}")
endif()

# Version 4 of code objects: the oldest runtime and the newest load it.
set(options -x cl -cl-std=CL2.0 -O2 -gline-tables-only -target amdgcn-amd-amdhsa -mcode-object-version=4 -nogpulib
    -Xclang -finclude-default-header)
set(objects)
set(missing)
set(table)
set(texts)
foreach(target IN LISTS targets)
  set(chosen)
  foreach(compiler IN LISTS compilers)
    separate_arguments(command UNIX_COMMAND "${compiler}")
    execute_process(COMMAND ${command} ${options} -mcpu=${target} -E -o /dev/null /dev/null
                    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed)
      set(chosen ${command})
      break()
    endif()
  endforeach()
  if(NOT chosen)
    list(APPEND missing ${target})
    continue()
  endif()
  set(object ${folder}/${target}.co)
  # From the source's own folder: the lines of the kernels name no path of this machine.
  add_custom_command(OUTPUT ${object}
    COMMAND ${chosen} ${options} -mcpu=${target} -fdebug-compilation-dir=. -o ${object} kernels.cl
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/selftest
    DEPENDS ${source} COMMENT "kernels.cl for ${target}" VERBATIM)
  list(APPEND objects ${object})
  string(APPEND texts "SELFTEST_CODE(${target}, \"${object}\")\n")
  string(REGEX MATCH "^gfx9" narrow ${target})
  if(narrow)
    string(APPEND table "SELFTEST_TARGET(${target}, 64)\n")
  else()
    string(APPEND table "SELFTEST_TARGET(${target}, 32)\n")
  endif()
endforeach()
list(JOIN missing ", " missing)
if(missing)
  message(STATUS "rtl selftest has no kernels for ${missing}: no compiler here knows them (scripts/runtime get 7.2)")
endif()
file(CONFIGURE OUTPUT ${folder}/code_objects.inc CONTENT
  "// Written by selftest.cmake.\n${texts}#undef SELFTEST_CODE\n#ifdef SELFTEST_TARGET\n${table}#undef SELFTEST_TARGET\n#endif\n#define SELFTEST_MISSING \"${missing}\"\n")
rtl_own_unit(selftest/code_objects.cpp)
set_source_files_properties(selftest/code_objects.cpp PROPERTIES
  OBJECT_DEPENDS "${objects};${folder}/code_objects.inc" INCLUDE_DIRECTORIES ${folder})

rtl_module(selftest        DEPS base trace LIBS sqlite3 ${CMAKE_DL_LIBS})
rtl_own_unit(selftest/hip_programs.cpp selftest/hsa_programs.cpp)  # both have a MUST
target_include_directories(rtl_selftest SYSTEM PRIVATE ${HSA_INCLUDE_DIR})
target_compile_definitions(rtl_selftest PRIVATE RTL_BUILT_FOR_GLIBC="${RTL_GLIBC}")
add_library(selftest_tool MODULE selftest/tool/selftest_tool.c)
set_target_properties(selftest_tool PROPERTIES OUTPUT_NAME rtl_selftest_tool C_STANDARD 99 C_EXTENSIONS ON
                      INSTALL_RPATH "$ORIGIN")
target_compile_options(selftest_tool PRIVATE -fvisibility=hidden)
target_include_directories(selftest_tool SYSTEM PRIVATE ${HSA_INCLUDE_DIR})
target_link_libraries(selftest_tool PRIVATE rocprofiler-sdk::rocprofiler-sdk)
install(TARGETS selftest_tool COMPONENT sdk LIBRARY DESTINATION lib)
