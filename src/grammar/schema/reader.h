// The reader of schemas: one function a group of keywords (read*.cpp).
#pragma once

#include <deque>

#include "grammar/schema/read.h"
#include "grammar/schema/references.h"

namespace ingle::grammar {

class SchemaReader {
  public:
    SchemaReader(NormalForms& forms, References references)
        : forms_(forms), formulas_(forms.formulas()), references_(std::move(references)) {}

    Result<Formula> read_all(const Json& root);

  private:
    using Parts = std::vector<Formula>;

    // A schema that something else refers to; read when its turn comes.
    Formula refer(const References::Place& place);
    Result<Formula> read(const Json& schema, const std::string& pointer);
    // Each adds what its keywords demand.
    Status read_logic(const Json& schema, const std::string& pointer, Parts& out);
    Status read_condition(const Json& schema, const std::string& pointer, Parts& out);
    Status read_numbers(const Json& schema, const std::string& pointer, Parts& out);
    Status read_text(const Json& schema, const std::string& pointer, Parts& out);
    Status read_members(const Json& schema, const std::string& pointer, Parts& out);
    Status read_dependencies(const Json& schema, const std::string& pointer, Parts& out);
    Status read_items(const Json& schema, const std::string& pointer, Parts& out);
    Status refuse_others(const Json& schema, const std::string& pointer);

    Result<Formula> type_named(const std::string& name, const std::string& pointer);
    Result<Parts> list_of(const Json& list, const std::string& pointer);
    // A keyword's number from 0 up, or nothing if it is not there.
    Result<std::optional<uint32_t>> count_of(const Json& schema, std::string_view keyword,
                                             const std::string& pointer);
    Result<uint32_t> pattern_names(const std::string& pattern, const std::string& pointer);
    uint32_t name(const std::string& name);
    Formula has_member(const std::string& member);
    Formula lacks_member(const std::string& member);

    template <class... Words>
    Status wrong(std::string_view pointer, const Words&... words) const {
        return fail(Code::invalid_argument, place(pointer), words...);
    }
    template <class... Words>
    Status unsupported(std::string_view pointer, const Words&... words) const {
        return fail(Code::unsupported, place(pointer), words...);
    }
    static std::string place(std::string_view pointer) {
        return cat("schema, ", pointer.empty() ? "(root)" : pointer, ": ");
    }

    NormalForms& forms_;
    Formulas& formulas_;
    References references_;
    std::map<std::string, uint32_t> targets_;  // pointer -> target
    std::deque<References::Place> waiting_;
};

}  // namespace ingle::grammar
