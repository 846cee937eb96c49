# Every src/quant/NAME.h is a weight format: quant::All lists them (generated header quant/all.h).
ingle_type_list(
  FOLDER ${INGLE_REGISTRY_FOLDER} PREFIX quant NAMESPACE ingle::quant CASE upper
  TEMPLATE List TEMPLATE_HEADER \"quant/support/list.h\" ALIAS All
  OUT ${INGLE_GENERATED}/quant/all.h)
