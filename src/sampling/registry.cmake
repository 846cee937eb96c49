ingle_registry(FOLDER ${INGLE_REGISTRY_FOLDER}/samplers TYPE SamplerKind NAMESPACE ingle::sampling
  LIST sampler_kinds OUT ${INGLE_GENERATED}/sampling/sampler_kinds.cpp HEADER sampling/sampler.h)
list(APPEND INGLE_REGISTRIES ${INGLE_GENERATED}/sampling/sampler_kinds.cpp)
