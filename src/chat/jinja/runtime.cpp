#include "chat/jinja/runtime.h"

#include <algorithm>

#include "base/platform.h"
#include "chat/jinja/print.h"

namespace ingle::jinja {

namespace {

// About what a small object of the engine occupies with its control block.
constexpr uint64_t object_bytes = 256;

// How Python's messages name the object that lacks something.
std::string shown_type(const Value& value) {
    if (value.is_none()) return "None";
    if (value.as<NamespacePtr>()) return "jinja2.utils.Namespace object";
    return cat(type_name(value), " object");
}

Value no_attribute(const Value& object, std::string_view name) {
    return Value::undefined(cat("'", shown_type(object), "' has no attribute '", name, "'"));
}

Result<Value> no_element(Runtime& runtime, const Value& object, const Value& key) {
    TextBuilder shown(runtime.meter());
    INGLE_TRY(append_repr(runtime, shown, key));
    return Value::undefined(cat(shown_type(object), " has no element ", shown.bytes()));
}

Result<Value> element(Runtime& runtime, const Value& object, int64_t index) {
    const Text* text = object.text();
    const Sequence* sequence = object.sequence();
    const int64_t size = text ? int64_t(text->length()) : int64_t(sequence->items.size());
    const int64_t at = index < 0 ? index + size : index;
    if (at < 0 || at >= size) return no_element(runtime, object, index);
    if (sequence) return sequence->items[size_t(at)];
    INGLE_TRY(runtime.meter().touch(text->single_bytes() ? 0 : text->bytes().size()));
    TextBuilder one(runtime.meter());
    const size_t begin = text->offset_of(size_t(at));
    one.append(*text, begin, begin + character_bytes(text->bytes()[begin]));
    INGLE_ASSIGN(TextPtr made, one.finish(text->markup()));
    return Value(std::move(made));
}

}  // namespace

Runtime::~Runtime() {
    for (const NamespacePtr& held : namespaces_) held->attributes.clear();
}

std::tm Runtime::now() const {
    if (now_) return *now_;
    return platform::local_time(std::time(nullptr));
}

Result<Value> Runtime::list(Values items, Sequence::Flavour flavour) {
    const uint64_t bytes = sizeof(Sequence) + items.size() * sizeof(Value);
    if (bytes > meter_.room()) return meter_.out_of_memory();
    INGLE_TRY(meter_.touch(0, items.size()));
    int depth = 0;
    for (const Value& item : items) depth = std::max(depth, depth_of(item));
    if (depth >= meter_.limits().value_depth_max)
        return fail(Code::limit, "values nested more than ", depth, " levels deep");
    auto sequence = std::make_shared<Sequence>();
    sequence->flavour = flavour;
    sequence->items = std::move(items);
    sequence->depth = depth + 1;
    sequence->charge = Charge(meter_, bytes);
    return Value(SequencePtr(std::move(sequence)));
}

Result<Value> Runtime::dict(Dict entries) {
    const uint64_t bytes = sizeof(Dict) + entries.size() * 2 * sizeof(Dict::Entry);
    if (bytes > meter_.room()) return meter_.out_of_memory();
    INGLE_TRY(meter_.touch(0, entries.size()));
    int depth = 0;
    for (const auto& entry : entries.entries())
        depth = std::max({depth, depth_of(entry.key), depth_of(entry.value)});
    if (depth >= meter_.limits().value_depth_max)
        return fail(Code::limit, "values nested more than ", depth, " levels deep");
    entries.depth = depth + 1;
    entries.charge = Charge(meter_, bytes);
    return Value(DictPtr(std::make_shared<const Dict>(std::move(entries))));
}

Result<Value> Runtime::make_namespace(Dict attributes) {
    if (object_bytes > meter_.room()) return meter_.out_of_memory();
    auto made = std::make_shared<Namespace>(Namespace{std::move(attributes)});
    made->attributes.charge = Charge(meter_, object_bytes);
    namespaces_.push_back(made);
    return Value(std::move(made));
}

Result<Value> Runtime::native(Native native) {
    if (object_bytes > meter_.room()) return meter_.out_of_memory();
    if (native.depth > meter_.limits().value_depth_max)
        return fail(Code::limit, "values nested more than ", native.depth, " levels deep");
    native.charge = Charge(meter_, object_bytes);
    return Value(NativePtr(std::make_shared<const Native>(std::move(native))));
}

Result<Value> Runtime::generator(std::string type_name, Values items, Status failure) {
    if (failure.code() == Code::limit) return failure;
    INGLE_ASSIGN(const Value held, list(std::move(items)));
    return Value(std::make_shared<Generator>(
        Generator{std::move(type_name), *held.as<SequencePtr>(), 0, std::move(failure)}));
}

Result<Value> Runtime::call(const Value& callee, Arguments arguments) {
    if (callee.is_undefined()) return undefined_error(callee);
    const NativePtr* native = callee.as<NativePtr>();
    if (!native || !(*native)->call) return type_error(callee, "object is not callable");
    const Nesting nesting(*this);
    INGLE_TRY(nesting.entered());
    const NativePtr held = *native;
    Call call{*this, callee, std::move(arguments)};
    return held->call(call);
}

Result<Value> Runtime::native_attribute(const Value& object, std::string_view name) {
    const Function* method = find_method(type_name(object), name);
    if (!method) return Value();
    if (!method->run)
        return Value::undefined(
            cat("access to attribute '", name, "' of '", type_name(object), "' object is unsafe."));
    Native bound{"builtin_function_or_method",
                 cat("<built-in method ", name, " of ", type_name(object), " object>")};
    bound.depth = depth_of(object) + 1;
    bound.call = [method, object](Call& call) {
        return invoke(call.runtime, *method, object, std::move(call.arguments));
    };
    return native(std::move(bound));
}

Result<Value> Runtime::attribute(const Value& object, std::string_view name) {
    if (object.is_undefined()) return undefined_error(object);
    INGLE_ASSIGN(Value method, native_attribute(object, name));
    if (!method.is_none()) return method;
    if (const Dict* dict = object.dict()) {
        if (const Value* found = dict->find(name)) return *found;
    } else if (const auto* space = object.as<NamespacePtr>()) {
        if (const Value* found = (*space)->attributes.find(name)) return *found;
    } else if (const auto* native = object.as<NativePtr>(); native && (*native)->attribute) {
        INGLE_ASSIGN(auto found, (*native)->attribute(name));
        if (found) return std::move(*found);
    } else if (const Sequence* sequence = object.sequence();
               sequence && sequence->flavour == Sequence::Flavour::group) {
        if (name == "grouper") return sequence->items[0];
        if (name == "list") return sequence->items[1];
    }
    return no_attribute(object, name);
}

Result<Value> Runtime::item(const Value& object, const Value& key) {
    if (object.is_undefined()) return undefined_error(object);
    if (const Dict* dict = object.dict()) {
        if (const Value* found = dict->find(key)) return *found;
    } else if (const auto index = key.integer();
               index && (object.text() || (object.sequence() && object.sequence()->indexable()))) {
        return element(*this, object, *index);
    }
    const Text* name = key.text();
    if (!name) return no_element(*this, object, key);
    if (object.dict()) {
        INGLE_ASSIGN(Value method, native_attribute(object, name->bytes()));
        return method.is_none() ? no_attribute(object, name->bytes()) : method;
    }
    return attribute(object, name->bytes());
}

Result<Value> Runtime::filter(std::string_view name, const Value& value, Arguments arguments) {
    const Function* function = find_function(FunctionKind::filter, name);
    if (!function) return fail(Code::invalid_argument, "No filter named '", name, "' found.");
    return invoke(*this, *function, value, std::move(arguments));
}

Result<bool> Runtime::test(std::string_view name, const Value& value, Arguments arguments) {
    const Function* function = find_function(FunctionKind::test, name);
    if (!function) return fail(Code::invalid_argument, "No test named '", name, "' found.");
    INGLE_ASSIGN(const Value result, invoke(*this, *function, value, std::move(arguments)));
    return truthy(result);
}

Status undefined_error(const Value& value) {
    return Status(Code::invalid_argument, (*value.as<UndefinedPtr>())->message);
}

Status type_error(const Value& value, std::string_view what) {
    return fail(Code::invalid_argument, "'", type_name(value), "' ", what);
}

}  // namespace ingle::jinja
