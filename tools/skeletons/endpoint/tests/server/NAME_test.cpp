#include <gtest/gtest.h>

#include "server/service.h"

namespace ingle::server {

TEST(@Name@Endpoint, answers_at_its_path) {
    Service service{Settings()};
    const Response response = respond({.method = "GET", .path = "/@name@"}, service);
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, R"({"@name@":true})");
}

}  // namespace ingle::server
