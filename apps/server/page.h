// The page, as the build found it in apps/web/dist.
#pragma once

#include <string_view>

namespace ingle::server {

// Empty if this build has none.
std::string_view page_html();
// Its Content-Security-Policy.
std::string_view page_policy();

}  // namespace ingle::server
