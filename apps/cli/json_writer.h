// Writes JSON text piece by piece, in the order given. Needs no library, so every build of the command has it.
//
//   JsonWriter json;  json.begin_object().key("ids").begin_array().value(1).end_array().end_object();
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "base/text.h"

namespace ingle::cli {

class JsonWriter {
  public:
    // `indent`: spaces per level; 0 writes everything on one line.
    explicit JsonWriter(int indent = 0) : indent_(indent) {}

    JsonWriter& begin_object() { return open('{'); }
    JsonWriter& end_object() { return close('}'); }
    JsonWriter& begin_array() { return open('['); }
    JsonWriter& end_array() { return close(']'); }
    JsonWriter& key(std::string_view name);

    // Bytes that are no UTF-8 become U+FFFD.
    JsonWriter& value(std::string_view text);
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(bool truth) { return raw(truth ? "true" : "false"); }
    JsonWriter& value(double number);  // null for what is not finite
    JsonWriter& value(float number);   // as short as reads back to the same float
    JsonWriter& value(std::integral auto number)
        requires(!std::same_as<decltype(number), bool>)
    {
        return raw(std::to_string(number));
    }
    JsonWriter& null() { return raw("null"); }

    template <class T>
    JsonWriter& member(std::string_view name, const T& content) {
        return key(name).value(content);
    }

    const std::string& text() const { return text_; }

  private:
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    JsonWriter& raw(std::string_view token);
    void before_value();
    void new_line();

    std::string text_;
    int indent_;
    int depth_ = 0;
    bool first_ = true;      // nothing stands yet in the innermost array or object
    bool after_key_ = false;
};

}  // namespace ingle::cli
