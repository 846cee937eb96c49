// The version of this source tree; the build and the packages read it from here.
#pragma once

#include <string_view>

namespace ingle {

inline constexpr std::string_view version_text = "0.1.0";

}  // namespace ingle
