// Methods of range.
#include "chat/jinja/sequence_methods.h"

namespace ingle::jinja::methods {

namespace {

constexpr Function functions[] = {
    {"count", "value", sequence_count},
    {"index", "value start? stop?", sequence_index},
};

}  // namespace

namespace entries {
extern const Family range;
const Family range = {functions, "range"};
}  // namespace entries

}  // namespace ingle::jinja::methods
