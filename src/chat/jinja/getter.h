// How filters such as sort(attribute="a.b,c") reach into items.
#pragma once

#include "chat/jinja/value.h"

namespace ingle::jinja {

// A path of attributes and indices; with no attribute given, the item itself.
class Getter {
  public:
    // `attribute`: nothing or none, a name with dots, or a number. `several`: names with commas
    // too, whose values make a list.
    static Getter of(const std::optional<Value>& attribute, bool several = false);

    // A value to give where the path leads to nothing.
    std::optional<Value> otherwise = {};
    // Texts are compared in lower case.
    bool ignore_case = false;

    Result<Value> operator()(Runtime& runtime, const Value& item) const;

  private:
    Result<Value> follow(Runtime& runtime, const Values& path, const Value& item) const;

    std::vector<Values> paths_;
    bool several_ = false;
};

}  // namespace ingle::jinja
