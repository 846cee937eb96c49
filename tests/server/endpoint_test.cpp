#include "server/endpoint.h"

#include <gtest/gtest.h>

namespace ingle::server {

TEST(Endpoints, a_path_and_its_method_find_their_file) {
    const Response response = respond({.method = "GET", .path = "/health"});
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, R"({"status":"ok"})");
}

TEST(Endpoints, no_other_form_of_a_path_is_answered) {
    for (const char* const path : {"//health", "/Health", "/health/", "/v1/../health", "/%68ealth", ""})
        EXPECT_EQ(respond({.method = "GET", .path = path}).status, 404) << path;
    EXPECT_EQ(respond({.method = "POST", .path = "/health"}).status, 405);
}

TEST(Endpoints, errors_are_json_whatever_the_path_holds) {
    const Response response = respond({.method = "GET", .path = "/\xff\"\n"});
    EXPECT_EQ(response.body,
              R"({"error":{"code":404,"message":"there is nothing at /)"
              "\xef\xbf\xbd" R"(\"\n","type":"not_found_error"}})");
}

}  // namespace ingle::server
