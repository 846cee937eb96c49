# Every op is a header of this folder; `ops::Op` is the variant over all of them.
ingle_type_list(FOLDER ${INGLE_REGISTRY_FOLDER} PREFIX ops NAMESPACE ingle::ops CASE pascal
  TEMPLATE std::variant TEMPLATE_HEADER <variant> ALIAS Op OUT ${INGLE_GENERATED}/ops/all.h)
