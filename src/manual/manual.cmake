# Makes the manual pages and the completion of shells from the options that the programs parse.
include(GNUInstallDirs)
add_executable(rtl_manual_writer rtl/manual_main.cpp)
target_link_libraries(rtl_manual_writer PRIVATE rtl_manual)
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
