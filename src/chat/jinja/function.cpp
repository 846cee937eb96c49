#include "chat/jinja/function.h"

#include <algorithm>
#include <unordered_map>

#include "chat/jinja/runtime.h"

namespace ingle::jinja {

namespace {

using Table = std::unordered_map<std::string_view, const Function*>;

Table table_of(std::span<const Family* const> families) {
    Table table;
    for (const Family* family : families)
        for (const Function& function : family->functions) table[function.name] = &function;
    return table;
}

const Table& table(FunctionKind kind) {
    static const Table tables[] = {table_of(filters::families()), table_of(tests::families()),
                                   table_of(globals::families())};
    return tables[size_t(kind)];
}

const std::unordered_map<std::string_view, Table>& method_tables() {
    static const auto tables = [] {
        std::unordered_map<std::string_view, Table> made;
        for (const Family* family : methods::families())
            for (const Function& function : family->functions)
                made[family->type][function.name] = &function;
        return made;
    }();
    return tables;
}

// Moves what belongs to parameter `index` out of the arguments; false if it was not given.
bool take(Call& call, size_t index, std::string_view name, std::optional<Value>& out) {
    Arguments& arguments = call.arguments;
    if (index < arguments.positional.size()) {
        out = std::move(arguments.positional[index]);
        return true;
    }
    for (auto at = arguments.named.begin(); at != arguments.named.end(); ++at) {
        if (at->first->bytes() != name) continue;
        out = std::move(at->second);
        arguments.named.erase(at);
        return true;
    }
    return false;
}

Status bind(Call& call, const Function& function) {
    std::string_view rest = function.parameters;
    bool variadic = false;
    while (!rest.empty()) {
        const size_t end = std::min(rest.find(' '), rest.size());
        std::string_view name = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (name == "*") {
            variadic = true;
            break;
        }
        const bool optional = name.back() == '?';
        if (optional) name.remove_suffix(1);
        std::optional<Value> value;
        if (!take(call, call.bound.size(), name, value) && !optional)
            return fail(Code::invalid_argument, function.name, "() misses its argument '", name,
                        "'");
        call.bound.push_back(std::move(value));
    }
    auto& positional = call.arguments.positional;
    const size_t used = std::min(positional.size(), call.bound.size());
    positional.erase(positional.begin(), positional.begin() + std::ptrdiff_t(used));
    if (variadic) return Status();
    if (!positional.empty())
        return fail(Code::invalid_argument, function.name, "() takes at most ", call.bound.size(),
                    " arguments (", call.bound.size() + positional.size(), " given)");
    if (!call.arguments.named.empty())
        return fail(Code::invalid_argument, function.name,
                    "() got an unexpected keyword argument '",
                    call.arguments.named[0].first->bytes(), "'");
    return Status();
}

}  // namespace

const Function* find_function(FunctionKind kind, std::string_view name) {
    const auto found = table(kind).find(name);
    return found == table(kind).end() ? nullptr : found->second;
}

const Function* find_method(std::string_view type, std::string_view name) {
    const auto& tables = method_tables();
    const auto found = tables.find(type);
    if (found == tables.end()) return nullptr;
    const auto method = found->second.find(name);
    return method == found->second.end() ? nullptr : method->second;
}

std::vector<const Function*> all_functions(FunctionKind kind) {
    std::vector<const Function*> all;
    for (const auto& [name, function] : table(kind)) all.push_back(function);
    return all;
}

Result<Value> invoke(Runtime& runtime, const Function& function, Value self, Arguments arguments) {
    if (!runtime.meter().spend(1)) return runtime.meter().out_of_steps();
    Call call{runtime, std::move(self), std::move(arguments)};
    INGLE_TRY(bind(call, function));
    return function.run(call);
}

Result<int64_t> Call::integer(size_t i, int64_t otherwise) const {
    if (!given(i)) return otherwise;
    if (const auto value = bound[i]->integer()) return *value;
    if (bound[i]->is_undefined()) return undefined_error(*bound[i]);
    return fail(Code::invalid_argument, "'", type_name(*bound[i]),
                "' object cannot be interpreted as an integer");
}

Result<TextPtr> Call::text(size_t i, std::string_view otherwise) const {
    if (!given(i)) return std::make_shared<const Text>(std::string(otherwise));
    if (const auto* value = bound[i]->as<TextPtr>()) return *value;
    if (bound[i]->is_undefined()) return undefined_error(*bound[i]);
    return fail(Code::invalid_argument, "expected str, found ", type_name(*bound[i]));
}

}  // namespace ingle::jinja
