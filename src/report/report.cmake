# Compiles the files of page/ into rtl_report.
set(folder ${CMAKE_CURRENT_SOURCE_DIR}/report/page)
set(scripts)
foreach(name base model draw links timeline tables charts flame main)
  list(APPEND scripts ${folder}/${name}.js)
endforeach()
set(embedded ${CMAKE_CURRENT_BINARY_DIR}/report_page_files.cpp)
list(JOIN scripts "," joined)
add_custom_command(
  OUTPUT ${embedded}
  COMMAND ${CMAKE_COMMAND} -DOUT=${embedded} -DHTML=${folder}/page.html -DCSS=${folder}/page.css
          -DSCRIPTS=${joined} -P ${CMAKE_CURRENT_SOURCE_DIR}/report/embed.cmake
  DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/report/embed.cmake ${folder}/page.html ${folder}/page.css ${scripts}
  COMMENT "Embedding the page of rtl report"
  VERBATIM)
target_sources(rtl_report PRIVATE ${embedded})
