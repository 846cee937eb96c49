# One file per family of filters, tests, methods and globals.
foreach(kind filters tests methods globals)
  ingle_registry(FOLDER ${INGLE_REGISTRY_FOLDER}/${kind} TYPE Family NAMESPACE ingle::jinja::${kind}
    LIST families OUT ${INGLE_GENERATED}/jinja_${kind}.cpp HEADER chat/jinja/function.h)
  list(APPEND INGLE_REGISTRIES ${INGLE_GENERATED}/jinja_${kind}.cpp)
endforeach()
