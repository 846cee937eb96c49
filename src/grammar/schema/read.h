// JSON Schema (drafts 4 to 7, 2019-09, 2020-12) as a formula. A keyword that cannot be enforced is
// refused with its place; none is ignored but annotations and words that no draft knows.
#pragma once

#include "grammar/schema/json.h"
#include "grammar/schema/normal_form.h"

namespace ingle::grammar {

// Errors read "schema, /properties/a/format: ...": the place is a JSON pointer.
Result<Formula> read_schema(NormalForms& forms, const Json& root);

// The formula that only this value satisfies.
Result<Formula> formula_of_value(NormalForms& forms, const Json& value);

}  // namespace ingle::grammar
