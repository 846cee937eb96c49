#include "grammar/schema/json.h"

#include <algorithm>

#include "base/utf8.h"
#include "grammar/number_test.h"

namespace ingle::grammar {

namespace {

// RFC 8259 without recursion: open arrays and objects are kept in a list.
class JsonParser {
  public:
    explicit JsonParser(std::string_view text) : text_(text) {}

    Result<Json> parse() {
        while (true) {
            Json value;
            INGLE_ASSIGN(const bool opened, begin_value(value));
            if (opened) {
                if (int(open_.size()) >= Json::depth_max)
                    return fail(Code::limit, "JSON nested deeper than ", Json::depth_max);
                open_.push_back(std::move(value));
                names_.emplace_back();
                skip();
                if (!take(closing())) {
                    INGLE_TRY(member_name());
                    continue;
                }
                value = pop();
            }
            INGLE_ASSIGN(const bool done, end_value(std::move(value)));
            if (done) return std::move(root_);
        }
    }

  private:
    template <class... Words>
    Status wrong_json(const Words&... words) const {
        const std::string_view here = text_.substr(std::min(at_, text_.size()), 20);
        return fail(Code::invalid_argument, "JSON, byte ", at_, ": ", words...,
                    here.empty() ? std::string(", found the end") : cat(", found ", quoted(here)));
    }
    void skip() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
            ++at_;
    }
    bool take(char c) {
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    char closing() const { return open_.back().is(Json::Type::array) ? ']' : '}'; }
    Json pop() {
        Json value = std::move(open_.back());
        open_.pop_back();
        names_.pop_back();
        return value;
    }

    // A whole scalar, or an array or object whose bracket was taken (true).
    Result<bool> begin_value(Json& value) {
        skip();
        if (take('{')) {
            value.type = Json::Type::object;
            return true;
        }
        if (take('[')) {
            value.type = Json::Type::array;
            return true;
        }
        if (at_ < text_.size() && text_[at_] == '"') {
            value.type = Json::Type::string;
            INGLE_ASSIGN(value.text, string());
            return false;
        }
        for (const std::string_view word : {"null", "true", "false"}) {
            if (!text_.substr(at_).starts_with(word)) continue;
            at_ += word.size();
            value.type = word == "null" ? Json::Type::null : Json::Type::boolean;
            value.boolean = word == "true";
            return false;
        }
        value.type = Json::Type::number;
        INGLE_ASSIGN(value.text, number());
        return false;
    }

    // Puts a value where it belongs and goes on to the next one; true at the end.
    Result<bool> end_value(Json value) {
        while (true) {
            skip();
            if (open_.empty()) {
                if (at_ < text_.size()) return wrong_json("expected the end");
                root_ = std::move(value);
                return true;
            }
            if (open_.back().is(Json::Type::array)) open_.back().items.push_back(std::move(value));
            else open_.back().members.emplace_back(std::move(names_.back()), std::move(value));
            if (take(',')) {
                skip();
                INGLE_TRY(member_name());
                return false;
            }
            if (!take(closing())) return wrong_json("expected ',' or '", closing(), "'");
            value = pop();
        }
    }

    Status member_name() {
        if (!open_.back().is(Json::Type::object)) return {};
        if (at_ >= text_.size() || text_[at_] != '"') return wrong_json("expected the name of a member");
        INGLE_ASSIGN(names_.back(), string());
        skip();
        if (!take(':')) return wrong_json("expected ':'");
        return {};
    }

    Result<std::string> number() {
        const size_t start = at_;
        const auto digits = [this] {
            const size_t first = at_;
            while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
            return at_ - first;
        };
        take('-');
        const size_t whole = at_;
        const size_t count = digits();
        if (count == 0) return wrong_json("expected a value");
        if (count > 1 && text_[whole] == '0') return wrong_json("a number with a leading zero");
        if (take('.') && digits() == 0) return wrong_json("expected a digit");
        if (take('e') || take('E')) {
            if (!take('+')) take('-');
            if (digits() == 0) return wrong_json("expected a digit");
        }
        return std::string(text_.substr(start, at_ - start));
    }

    Result<char32_t> hex() {
        char32_t value = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            const char c = at_ < text_.size() ? text_[at_] : ' ';
            const char lower = char(c | 32);
            if (c >= '0' && c <= '9') value = value * 16 + char32_t(c - '0');
            else if (lower >= 'a' && lower <= 'f') value = value * 16 + char32_t(lower - 'a' + 10);
            else return wrong_json("expected a hexadecimal digit");
        }
        return value;
    }

    Result<std::string> string() {
        constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        std::string out;
        ++at_;
        while (!take('"')) {
            if (at_ >= text_.size()) return wrong_json("a string without end");
            if (uint8_t(text_[at_]) < 0x20) return wrong_json("a control character in a string");
            if (text_[at_] != '\\') {
                const auto [point, length] = utf8::decode(text_.substr(at_));
                if (point == utf8::invalid) return wrong_json("not UTF-8");
                out += text_.substr(at_, size_t(length));
                at_ += size_t(length);
                continue;
            }
            const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
            const size_t letter = letters.find(c);
            if (letter == letters.npos && c != 'u') return wrong_json("unknown escape");
            at_ += 2;
            if (letter != letters.npos) {
                out += meanings[letter];
                continue;
            }
            INGLE_ASSIGN(char32_t point, hex());
            if (point >= 0xd800 && point <= 0xdbff && text_.substr(at_).starts_with("\\u")) {
                at_ += 2;
                INGLE_ASSIGN(const char32_t low, hex());
                if (low < 0xdc00 || low > 0xdfff) return wrong_json("half of a surrogate pair");
                point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
            }
            if (point >= 0xd800 && point <= 0xdfff) return wrong_json("half of a surrogate pair");
            utf8::append(out, point);
        }
        return out;
    }

    std::string_view text_;
    size_t at_ = 0;
    Json root_;
    std::vector<Json> open_;
    std::vector<std::string> names_;  // one an open value: the member being read
};

}  // namespace

Result<Json> Json::parse(std::string_view text) { return JsonParser(text).parse(); }

const Json* Json::find(std::string_view name) const {
    for (size_t i = members.size(); i-- > 0;)
        if (members[i].first == name) return &members[i].second;
    return nullptr;
}

std::optional<uint32_t> Json::count() const {
    if (type != Type::number) return std::nullopt;
    const auto decimal = Decimal::parse(text);
    if (!decimal.ok() || decimal.value().negative || !decimal.value().is_integer()) return std::nullopt;
    const auto value = parse_int(decimal.value().whole);
    if (!value || *value > INT32_MAX) return std::nullopt;
    return uint32_t(*value);
}

std::string_view name_of(Json::Type type) {
    switch (type) {
        case Json::Type::null: return "null";
        case Json::Type::boolean: return "a boolean";
        case Json::Type::number: return "a number";
        case Json::Type::string: return "a string";
        case Json::Type::array: return "an array";
        case Json::Type::object: return "an object";
    }
    return "";
}

std::string pointer_to(std::string_view pointer, std::string_view step) {
    std::string out(pointer);
    out += '/';
    for (const char c : step) {
        if (c == '~') out += "~0";
        else if (c == '/') out += "~1";
        else out += c;
    }
    return out;
}

}  // namespace ingle::grammar
