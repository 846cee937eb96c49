#include <gtest/gtest.h>

#include "models/support/architecture.h"

namespace ingle::models {

TEST(@Name@, answers_to_its_name) {
    ASSERT_NE(find_architecture("@name@"), nullptr);
}

}  // namespace ingle::models
