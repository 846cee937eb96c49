ingle_registry(FOLDER ${INGLE_REGISTRY_FOLDER}/styles TYPE ReplyStyle NAMESPACE ingle::chat
  LIST reply_styles OUT ${INGLE_GENERATED}/chat/reply_styles.cpp HEADER chat/reading/style.h)
list(APPEND INGLE_REGISTRIES ${INGLE_GENERATED}/chat/reply_styles.cpp)
