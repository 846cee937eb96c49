#include "chat/jinja/iterate.h"

#include "chat/jinja/runtime.h"

namespace ingle::jinja {

namespace {

Result<SequencePtr> characters_of(Runtime& runtime, const Text& text) {
    Values items;
    INGLE_TRY(runtime.meter().touch(text.bytes().size(), text.length()));
    // A short text of its own for every character.
    if (text.length() > runtime.meter().room() / 160) return runtime.meter().out_of_memory();
    items.reserve(text.length());
    Characters characters(text);
    while (characters.next()) {
        TextBuilder one(runtime.meter());
        one.append(text, characters.begin(), characters.end());
        INGLE_ASSIGN(TextPtr made, one.finish());
        items.push_back(std::move(made));
    }
    INGLE_ASSIGN(const Value list, runtime.list(std::move(items)));
    return *list.as<SequencePtr>();
}

Result<SequencePtr> keys_of(Runtime& runtime, const Dict& dict) {
    Values keys;
    for (const auto& entry : dict.entries()) keys.push_back(entry.key);
    INGLE_ASSIGN(const Value list, runtime.list(std::move(keys)));
    return *list.as<SequencePtr>();
}

}  // namespace

Result<Iterator> Iterator::over(Runtime& runtime, const Value& value) {
    Iterator iterator;
    if (const auto* sequence = value.as<SequencePtr>()) {
        iterator.items_ = *sequence;
    } else if (const auto* generator = value.as<GeneratorPtr>()) {
        iterator.generator_ = *generator;
    } else if (const Dict* dict = value.dict()) {
        INGLE_ASSIGN(iterator.items_, keys_of(runtime, *dict));
    } else if (const Text* text = value.text()) {
        INGLE_ASSIGN(iterator.items_, characters_of(runtime, *text));
    } else if (value.is_undefined()) {
        iterator.items_ = std::make_shared<const Sequence>();
    } else {
        return type_error(value, "object is not iterable");
    }
    return iterator;
}

Result<std::optional<Value>> Iterator::next() {
    const Values& items = generator_ ? generator_->items->items : items_->items;
    size_t& position = generator_ ? generator_->position : position_;
    if (position < items.size()) return std::optional<Value>(items[position++]);
    if (generator_ && !generator_->failure.ok())
        return std::exchange(generator_->failure, Status());
    return std::optional<Value>();
}

std::optional<size_t> Iterator::known_size() const {
    if (generator_) return std::nullopt;
    return items_->items.size() - position_;
}

Result<SequencePtr> all_items(Runtime& runtime, const Value& value) {
    if (const auto* sequence = value.as<SequencePtr>()) return *sequence;
    INGLE_ASSIGN(Iterator iterator, Iterator::over(runtime, value));
    Values items;
    for (;;) {
        INGLE_ASSIGN(auto next, iterator.next());
        if (!next) break;
        items.push_back(std::move(*next));
    }
    INGLE_ASSIGN(const Value list, runtime.list(std::move(items)));
    return *list.as<SequencePtr>();
}

Result<int64_t> length_of(Runtime&, const Value& value) {
    if (const Text* text = value.text()) return int64_t(text->length());
    if (const Sequence* sequence = value.sequence()) return int64_t(sequence->items.size());
    if (const Dict* dict = value.dict()) return int64_t(dict->size());
    if (value.is_undefined()) return 0;
    return fail(Code::invalid_argument, "object of type '", type_name(value), "' has no len()");
}

}  // namespace ingle::jinja
