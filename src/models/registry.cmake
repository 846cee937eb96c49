ingle_registry(FOLDER ${INGLE_REGISTRY_FOLDER} TYPE Architecture NAMESPACE ingle::models
  LIST all_architectures HEADER models/support/architecture.h
  OUT ${INGLE_GENERATED}/models/all_architectures.cpp)
list(APPEND INGLE_REGISTRIES ${INGLE_GENERATED}/models/all_architectures.cpp)
