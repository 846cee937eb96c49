#include <gtest/gtest.h>

#include "server/endpoint.h"

namespace ingle::server {

TEST(@Name@Endpoint, answers_at_its_path) {
    const Response response = respond({.method = "GET", .path = "/@name@"});
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, R"({"@name@":true})");
}

}  // namespace ingle::server
