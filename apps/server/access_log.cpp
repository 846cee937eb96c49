#include "server/access_log.h"

#include <algorithm>
#include <ctime>
#include <random>

#include "base/log.h"
#include "server/json.h"
#include "server/service.h"

namespace ingle::server {

namespace {

bool is_hex(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// "2026-11-30T14:05:09Z"
std::string utc_now() {
    const std::time_t now = std::time_t(unix_seconds());
    std::tm parts = {};
    gmtime_r(&now, &parts);
    char text[32];
    return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts));
}

std::string random_hex(size_t digits) {
    thread_local std::mt19937_64 random{std::random_device{}()};
    std::uniform_int_distribution<int> digit(0, 15);
    std::string text;
    for (size_t i = 0; i < digits; ++i) text += "0123456789abcdef"[digit(random)];
    return text;
}

}  // namespace

std::string request_id_of(const Request& request) {
    constexpr size_t length_max = 128;
    const std::string_view given = request.header("x-request-id");
    const bool plain = std::ranges::all_of(given, [](char c) { return c > ' ' && c <= '~'; });
    return !given.empty() && given.size() <= length_max && plain ? std::string(given) : new_id("req-");
}

std::string next_trace_of(const Request& request) {
    // version "00", trace id, parent id, flags
    const std::string_view given = request.header("traceparent");
    const auto parts = split(given, '-');
    if (parts.size() != 4 || parts[0] != "00" || parts[1].size() != 32 || parts[2].size() != 16 ||
        parts[3].size() != 2 || !is_hex(parts[1]) || !is_hex(parts[2]) || !is_hex(parts[3]))
        return {};
    return cat("00-", parts[1], "-", random_hex(16), "-", parts[3]);
}

void log_request(const Request& request, int status, uint64_t bytes, const Account* account,
                 const std::string& trace) {
    if (!log_enabled(LogLevel::notice)) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - request.arrival).count();
    Json line = {{"time", utc_now()},   {"id", request.id},  {"client", request.client.empty() ? request.peer : request.client},
                 {"method", request.method}, {"path", request.path}, {"status", status},
                 {"seconds", seconds},  {"bytes", bytes}};
    if (account != nullptr) {
        line["model"] = account->model;
        line["prompt_tokens"] = account->prompt_tokens;
        line["cached_tokens"] = account->cached_tokens;
        line["tokens"] = account->tokens;
        if (!account->finish.empty()) line["finish"] = account->finish;
    }
    if (!trace.empty()) line["traceparent"] = trace;
    log_line(LogLevel::notice, dump(line));
}

}  // namespace ingle::server
