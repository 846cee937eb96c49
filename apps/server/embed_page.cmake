# cmake -DHTML=... -DPOLICY=... -DOUT=... -P embed_page.cmake: the page as a C++ array.
set(bytes "")
set(policy "")
if(EXISTS ${HTML})
  file(READ ${HTML} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  file(READ ${POLICY} policy)
  string(STRIP "${policy}" policy)
endif()
file(WRITE ${OUT} "// Generated from apps/web/dist.
#include \"server/page.h\"

namespace ingle::server {

namespace {
constexpr unsigned char html[] = {${bytes}0};
}

std::string_view page_html() { return {reinterpret_cast<const char*>(html), sizeof html - 1}; }
std::string_view page_policy() { return R\"policy(${policy})policy\"; }

}  // namespace ingle::server
")
