// strftime in the C locale, whatever locale the process has.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

namespace ingle::jinja {

std::string format_time(const std::tm& time, std::string_view format);

}  // namespace ingle::jinja
