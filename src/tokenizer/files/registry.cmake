ingle_registry(FOLDER ${INGLE_REGISTRY_FOLDER}/kinds TYPE Kind NAMESPACE ingle::files
  LIST all_kinds HEADER tokenizer/files/kind.h
  OUT ${INGLE_GENERATED}/tokenizer_files_kinds.cpp)
list(APPEND INGLE_REGISTRIES ${INGLE_GENERATED}/tokenizer_files_kinds.cpp)
