// Where the schemas of a document are: by JSON pointer, by $id and by $anchor.
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "grammar/schema/json.h"

namespace ingle::grammar {

enum class Draft { draft4, draft6, draft7, draft2019, draft2020 };

class References {
  public:
    struct Place {
        const Json* schema = nullptr;
        std::string pointer;
    };

    // Refuses a dialect ("$schema") that is not known.
    static Result<References> make(const Json& root);

    Draft draft() const { return draft_; }
    // The schema that `reference`, written inside `from`, means.
    Result<Place> resolve(const Json& from, std::string_view reference) const;

  private:
    void collect(const Json& value, const std::string& pointer, const std::string& base);

    Draft draft_ = Draft::draft2020;
    Place root_;
    std::map<std::string, Place, std::less<>> by_uri_;
    std::unordered_map<const Json*, std::string> bases_;
};

}  // namespace ingle::grammar
