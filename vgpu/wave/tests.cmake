# SPDX-License-Identifier: MIT
# Test snippets: every *_test.s here and in the folders below is assembled into an object whose labels
# the tests run by name (wave_test_support.h).
find_program(LLVM_MC NAMES llvm-mc-15 llvm-mc REQUIRED)

set(VGPU_SNIPPET_DIR ${CMAKE_CURRENT_BINARY_DIR}/wave_snippets)
file(GLOB_RECURSE VGPU_SNIPPETS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*_test.s)
set(VGPU_SNIPPET_OBJECTS)
foreach(source IN LISTS VGPU_SNIPPETS)
  get_filename_component(name ${source} NAME_WE)
  set(object ${VGPU_SNIPPET_DIR}/${name}.o)
  set(processor gfx906)
  if(name MATCHES "gfx90a")
    set(processor gfx90a)
  elseif(name MATCHES "gfx942")
    set(processor gfx940)  # LLVM 15 knows gfx942's instructions by the name of its forerunner
  endif()
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${VGPU_SNIPPET_DIR}
    COMMAND ${LLVM_MC} -arch=amdgcn -mcpu=${processor} -filetype=obj -I ${CMAKE_CURRENT_LIST_DIR}
            -o ${object} ${source}
    DEPENDS ${source} ${CMAKE_CURRENT_LIST_DIR}/snippet.inc
    VERBATIM)
  list(APPEND VGPU_SNIPPET_OBJECTS ${object})
endforeach()

add_custom_target(vgpu_wave_snippets DEPENDS ${VGPU_SNIPPET_OBJECTS})
add_dependencies(vgpu_wave_test vgpu_wave_snippets)
if(TARGET vgpu_jit)
  add_dependencies(vgpu_wave_test vgpu_jit)
endif()
list(JOIN VGPU_SNIPPET_OBJECTS ":" VGPU_SNIPPET_PATHS)
set(definitions VGPU_SNIPPETS="${VGPU_SNIPPET_PATHS}")
if(RTL_SANITIZE MATCHES "thread")
  list(APPEND definitions VGPU_SOME_INSTRUCTIONS)
endif()
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/snippet_runner_test.cpp
                            PROPERTIES COMPILE_DEFINITIONS "${definitions}")
