# The programs: a main() each.
add_executable(rocprofv3 programs/rocprofv3_main.cpp)
target_link_libraries(rocprofv3 PRIVATE rtl_rocprofv3)
add_executable(rocprofv3-avail programs/rocprofv3_avail_main.cpp)
target_link_libraries(rocprofv3-avail PRIVATE rtl_rocprofv3)
# bin has a script of that name, which Python runs, too.
set_target_properties(rocprofv3-avail PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/libexec)
configure_file(programs/rocprofv3-avail ${CMAKE_BINARY_DIR}/bin/rocprofv3-avail COPYONLY)
add_executable(rtl_tool programs/rtl_main.cpp)
set_target_properties(rtl_tool PROPERTIES OUTPUT_NAME rtl)
target_link_libraries(rtl_tool PRIVATE rtl_cli)
install(TARGETS rtl_tool rocprofv3 COMPONENT rtl RUNTIME DESTINATION bin)
install(TARGETS rocprofv3-avail COMPONENT rtl RUNTIME DESTINATION libexec)
install(PROGRAMS programs/rocprofv3-avail COMPONENT rtl DESTINATION bin)
install(TARGETS librtl rtl_engine_library librtl_hip librtl_rccl COMPONENT rtl LIBRARY DESTINATION lib NAMELINK_SKIP)
if(BUILD_TESTING)
  target_compile_definitions(rtl_programs_test PRIVATE RTL_PROGRAM="$<TARGET_FILE:rtl_tool>"
    MARKER_PROGRAM="$<TARGET_FILE:marker_program>" CHAIN_PROGRAM="$<TARGET_FILE:chain_program>")
  add_dependencies(rtl_programs_test rtl_tool librtl librtl_hip librtl_rccl roctx64 marker_program chain_program)
  # It launches programs of the system, and the preloaded libraries bring the sanitizer into them. The
  # address sanitizer has an option that allows this, the thread sanitizer has none.
  if(RTL_SANITIZE MATCHES "address")
    set_tests_properties(unit.programs PROPERTIES
                         ENVIRONMENT ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0)
  elseif(RTL_SANITIZE)
    set_tests_properties(unit.programs PROPERTIES DISABLED TRUE)
  endif()
endif()

# Makes the manual pages and the completion of shells from the options that the programs parse.
include(GNUInstallDirs)
add_executable(rtl_manual_writer programs/manual_main.cpp)
target_link_libraries(rtl_manual_writer PRIVATE rtl_programs)
set(manual ${CMAKE_BINARY_DIR}/manual)
set(manual_files)
foreach(program rtl rocprofv3)
  list(APPEND manual_files ${manual}/man/${program}.1 ${manual}/completions/bash/${program}
       ${manual}/completions/zsh/_${program} ${manual}/completions/fish/${program}.fish)
endforeach()
add_custom_command(OUTPUT ${manual_files} COMMAND rtl_manual_writer ${manual} DEPENDS rtl_manual_writer
                   COMMENT "Writing manual pages and completions")
add_custom_target(manual_pages ALL DEPENDS ${manual_files})
install(DIRECTORY ${manual}/man/ COMPONENT rtl DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(DIRECTORY ${manual}/completions/bash/ COMPONENT rtl DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(DIRECTORY ${manual}/completions/zsh/ COMPONENT rtl DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(DIRECTORY ${manual}/completions/fish/ COMPONENT rtl DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
