# What is installed, and the Debian package: cmake --build build --target package
include(GNUInstallDirs)

set(made ${CMAKE_BINARY_DIR}/packaging)
set(manual ${made}/man)
set(completions ${made}/completions)

# Manual pages and completions are what the command says of itself; one built for another machine cannot be asked.
if(NOT CMAKE_CROSSCOMPILING)
  add_custom_command(
    OUTPUT ${made}/stamp
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${made}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${completions}
    COMMAND ingle man --folder ${manual}
    COMMAND gzip -9 -n ${manual}/*.1
    COMMAND gzip -9 -n -c ${CMAKE_SOURCE_DIR}/CHANGELOG.md > ${made}/changelog.gz
    COMMAND ingle completion bash > ${completions}/ingle
    COMMAND ingle completion zsh > ${completions}/_ingle
    COMMAND ingle completion fish > ${completions}/ingle.fish
    COMMAND ${CMAKE_COMMAND} -E touch ${made}/stamp
    DEPENDS ingle ${CMAKE_SOURCE_DIR}/CHANGELOG.md
    COMMENT "Asking the command for its manual pages and completions")
  add_custom_target(ingle_documents ALL DEPENDS ${made}/stamp)
  install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
  install(FILES ${completions}/ingle
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT command)
  install(FILES ${completions}/_ingle
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT command)
  install(FILES ${completions}/ingle.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT command)
  install(FILES ${made}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
endif()

install(TARGETS ingle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright
  COMPONENT command)
install(FILES deploy/grafana.json deploy/alerts.yaml
  DESTINATION ${CMAKE_INSTALL_DATADIR}/ingle COMPONENT command)
install(PROGRAMS deploy/healthy DESTINATION lib/ingle COMPONENT command)

# For packages only: paths that are the system's own.
install(FILES deploy/ingle.service DESTINATION /usr/lib/systemd/system
  COMPONENT service EXCLUDE_FROM_ALL)
install(FILES deploy/ingle.env DESTINATION /etc/ingle COMPONENT service EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ingle)
set(CPACK_PACKAGE_VENDOR Ingle)
set(CPACK_PACKAGE_CONTACT "The authors of Ingle <ingle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "runs large language models on this machine")
set(CPACK_PACKAGE_DESCRIPTION
  "One command that talks with models in GGUF files, serves them over HTTP with a page,\n\
 and makes them smaller. CPU first, no account, no cloud.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command service)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION misc)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${CMAKE_SOURCE_DIR}/deploy/debian/conffiles ${CMAKE_SOURCE_DIR}/deploy/debian/postinst
  ${CMAKE_SOURCE_DIR}/deploy/debian/prerm ${CMAKE_SOURCE_DIR}/deploy/debian/postrm)
find_program(INGLE_SHLIBDEPS dpkg-shlibdeps)
if(INGLE_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
