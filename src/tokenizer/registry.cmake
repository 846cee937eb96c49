ingle_registry(FOLDER ${INGLE_REGISTRY_FOLDER}/pre TYPE PreTokenizer NAMESPACE ingle::pre
  LIST all_pre_tokenizers HEADER tokenizer/pre_tokenizer.h
  OUT ${INGLE_GENERATED}/tokenizer_pre.cpp)
ingle_registry(FOLDER ${INGLE_REGISTRY_FOLDER}/models TYPE Algorithm NAMESPACE ingle::tokenizer
  LIST all_algorithms HEADER tokenizer/algorithm.h
  OUT ${INGLE_GENERATED}/tokenizer_models.cpp)
list(APPEND INGLE_REGISTRIES
  ${INGLE_GENERATED}/tokenizer_pre.cpp ${INGLE_GENERATED}/tokenizer_models.cpp)
