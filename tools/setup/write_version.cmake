# cmake -DTEMPLATE= -DOUTPUT= -DSOURCE_DIR= -DVERSION= -DCOMMIT= -DCOMPILER= -DBUILD_TYPE= -DSANITIZE= -DCUDA= -DHDF5= -P write_version.cmake
# COMMIT: of sources that come without their history; empty: the one that git names.
# Writes the version header, and leaves the file untouched when nothing has changed.
find_program(git git)
if(NOT COMMIT AND git AND EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND ${git} --no-optional-locks describe --always --dirty --tags WORKING_DIRECTORY ${SOURCE_DIR}
                  OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT COMMIT AND EXISTS ${SOURCE_DIR}/COMMIT)  # in a tarball of the sources
  file(STRINGS ${SOURCE_DIR}/COMMIT COMMIT LIMIT_COUNT 1)
endif()
if(NOT COMMIT)
  set(COMMIT "unknown")
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
