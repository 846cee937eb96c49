// Values of the template language, with Python's types and semantics. Containers never change after
// they are built (the sandbox forbids it); only namespaces do.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "chat/jinja/text.h"

namespace ingle::jinja {

class Value;
class Dict;
class Runtime;
struct Sequence;
struct Namespace;
struct Native;
struct Generator;
struct Call;

using Values = std::vector<Value>;
using SequencePtr = std::shared_ptr<const Sequence>;
using DictPtr = std::shared_ptr<const Dict>;
using NamespacePtr = std::shared_ptr<Namespace>;
using NativePtr = std::shared_ptr<const Native>;
using GeneratorPtr = std::shared_ptr<Generator>;

struct None {
    friend bool operator==(None, None) = default;
};
// A missing variable, attribute or item: prints as nothing, is false and empty; most other uses
// fail with `message`.
struct Undefined {
    std::string message;
};
using UndefinedPtr = std::shared_ptr<const Undefined>;

class Value {
  public:
    using Variant = std::variant<None, bool, int64_t, double, TextPtr, SequencePtr, DictPtr,
                                 NamespacePtr, NativePtr, GeneratorPtr, UndefinedPtr>;

    Value() = default;
    Value(None) {}  // NOLINT: implicit on purpose, here and below
    Value(bool value) : data_(value) {}
    Value(int64_t value) : data_(value) {}
    Value(int value) : data_(int64_t(value)) {}
    Value(size_t value) : data_(int64_t(value)) {}
    Value(double value) : data_(value) {}
    Value(TextPtr value) : data_(std::move(value)) {}
    Value(SequencePtr value) : data_(std::move(value)) {}
    Value(DictPtr value) : data_(std::move(value)) {}
    Value(NamespacePtr value) : data_(std::move(value)) {}
    Value(NativePtr value) : data_(std::move(value)) {}
    Value(GeneratorPtr value) : data_(std::move(value)) {}
    Value(UndefinedPtr value) : data_(std::move(value)) {}
    Value(const void*) = delete;  // no pointer turns into true

    static Value text(std::string bytes) { return std::make_shared<const Text>(std::move(bytes)); }
    static Value undefined(std::string message);

    template <class T>
    const T* as() const {
        return std::get_if<T>(&data_);
    }
    const Text* text() const {
        const TextPtr* text = as<TextPtr>();
        return text ? text->get() : nullptr;
    }
    const Sequence* sequence() const {
        const SequencePtr* sequence = as<SequencePtr>();
        return sequence ? sequence->get() : nullptr;
    }
    const Dict* dict() const {
        const DictPtr* dict = as<DictPtr>();
        return dict ? dict->get() : nullptr;
    }
    bool is_none() const { return as<None>(); }
    bool is_undefined() const { return as<UndefinedPtr>(); }
    // int or bool, as Python counts booleans among the integers.
    std::optional<int64_t> integer() const;
    // int, bool or float.
    std::optional<double> number() const;

    const Variant& data() const { return data_; }

  private:
    Variant data_;
};

// list, tuple, range and the views of a dict: all that has a length, an order and items.
struct Sequence {
    enum class Flavour { list, tuple, group, range, keys, values, items };

    Flavour flavour = Flavour::list;
    Values items = {};
    std::array<int64_t, 3> range = {};  // start, stop, step of a range
    int depth = 1;
    Charge charge = {};

    bool indexable() const { return flavour <= Flavour::range; }
    bool is_list() const { return flavour == Flavour::list; }
    bool is_tuple() const { return flavour == Flavour::tuple || flavour == Flavour::group; }
};

// Keeps the order of insertion; small ones are searched, large ones indexed.
class Dict {
  public:
    struct Entry;

    const std::vector<Entry>& entries() const { return entries_; }
    size_t size() const;
    const Value* find(std::string_view key) const;
    // Null also for keys that cannot be hashed.
    const Value* find(const Value& key) const;
    // Only while the dict is being built. The key must be hashable.
    void set(Value key, Value value);
    void clear();

    int depth = 1;
    Charge charge = {};

  private:
    size_t locate(const Value& key) const;

    std::vector<Entry> entries_;
    std::unordered_multimap<size_t, size_t> index_;  // hash -> entry, above a few entries
};

struct Dict::Entry {
    Value key;
    Value value;
};

// namespace(...): the only thing that {% set name.attribute = ... %} may change.
struct Namespace {
    Dict attributes;
};

struct Arguments {
    Values positional = {};
    std::vector<std::pair<TextPtr, Value>> named = {};
};

// A callable or an object of the engine: macro, loop, cycler, bound method.
struct Native {
    std::string type_name;  // "Macro", "LoopContext"
    std::string shown;      // what it prints as
    std::function<Result<Value>(Call&)> call = {};
    std::function<Result<std::optional<Value>>(std::string_view)> attribute = {};
    int depth = 1;
    Charge charge = {};
};

// What a lazy filter gives: consumed once. `failure` strikes when the items before it are used up.
struct Generator {
    std::string type_name;
    SequencePtr items;
    size_t position = 0;
    Status failure = {};
};

// The name of the type as Python's messages have it: "str", "NoneType", "dict_items".
std::string_view type_name(const Value& value);
bool truthy(const Value& value);
// 0 for scalars; what a container around it must exceed.
int depth_of(const Value& value);

}  // namespace ingle::jinja
