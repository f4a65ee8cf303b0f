# Compiles the questions into rtl_fleet, and installs them for people and for other engines.
file(GLOB questions CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fleet/questions/*.sql)
set(embedded ${CMAKE_CURRENT_BINARY_DIR}/fleet_questions.cpp)
list(JOIN questions "," joined)
add_custom_command(
  OUTPUT ${embedded}
  COMMAND ${CMAKE_COMMAND} -DOUT=${embedded} -DQUESTIONS=${joined} -P ${CMAKE_CURRENT_SOURCE_DIR}/fleet/embed.cmake
  DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fleet/embed.cmake ${questions}
  COMMENT "Embedding the questions of rtl fleet"
  VERBATIM)
target_sources(rtl_fleet PRIVATE ${embedded})
install(FILES ${questions} COMPONENT rtl DESTINATION share/rtl/fleet)
