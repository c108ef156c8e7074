# cmake -DTEMPLATE= -DOUTPUT= -DSOURCE_DIR= -DVERSION= -DCOMPILER= -DBUILD_TYPE= -DSANITIZE= -P write_version.cmake
# Writes the version header, and leaves the file untouched when nothing has changed.
set(COMMIT "")
find_program(git git)
if(git AND EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND ${git} --no-optional-locks describe --always --dirty --tags WORKING_DIRECTORY ${SOURCE_DIR}
                  OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT COMMIT)
  set(COMMIT "unknown")
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
