#include "chat/jinja/getter.h"

#include <algorithm>

#include "chat/jinja/runtime.h"
#include "chat/jinja/text_functions.h"

namespace ingle::jinja {

namespace {

Values path_of(std::string_view name) {
    Values path;
    for (const std::string_view part : split(name, '.')) {
        const bool digits =
            !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
        const auto index = digits ? parse_int(part) : std::nullopt;
        path.push_back(index ? Value(*index) : Value::text(std::string(part)));
    }
    return path;
}

}  // namespace

Getter Getter::of(const std::optional<Value>& attribute, bool several) {
    Getter getter;
    const Text* name = attribute ? attribute->text() : nullptr;
    if (!attribute || attribute->is_none()) {
        getter.paths_.emplace_back();
    } else if (!name) {
        getter.paths_.push_back({*attribute});
    } else if (several) {
        for (const std::string_view part : split(name->bytes(), ','))
            getter.paths_.push_back(path_of(part));
    } else {
        getter.paths_.push_back(path_of(name->bytes()));
    }
    getter.several_ = getter.paths_.size() > 1;
    return getter;
}

Result<Value> Getter::follow(Runtime& runtime, const Values& path, const Value& item) const {
    Value value = item;
    for (const Value& part : path) {
        INGLE_ASSIGN(value, runtime.item(value, part));
        if (otherwise && value.is_undefined()) value = *otherwise;
    }
    if (ignore_case && value.text()) return cased(runtime, *value.text(), Case::lower);
    return value;
}

Result<Value> Getter::operator()(Runtime& runtime, const Value& item) const {
    if (!several_) return follow(runtime, paths_[0], item);
    Values values;
    for (const Values& path : paths_) {
        INGLE_ASSIGN(Value value, follow(runtime, path, item));
        values.push_back(std::move(value));
    }
    return runtime.list(std::move(values));
}

}  // namespace ingle::jinja
