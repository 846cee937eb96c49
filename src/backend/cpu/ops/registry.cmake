ingle_registry(FOLDER ${INGLE_REGISTRY_FOLDER} TYPE StepMaker NAMESPACE ingle::cpu
  LIST all_step_makers HEADER backend/cpu/step.h
  OUT ${INGLE_GENERATED}/cpu/all_step_makers.cpp)
list(APPEND INGLE_REGISTRIES ${INGLE_GENERATED}/cpu/all_step_makers.cpp)
