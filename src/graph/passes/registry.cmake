ingle_registry(FOLDER ${INGLE_REGISTRY_FOLDER} TYPE Pass NAMESPACE ingle::graph LIST all_passes
  HEADER graph/pass.h OUT ${INGLE_GENERATED}/graph/all_passes.cpp)
list(APPEND INGLE_REGISTRIES ${INGLE_GENERATED}/graph/all_passes.cpp)
