#include "hub/http.h"

#include "base/text.h"

#if INGLE_WITH_CURL
#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <mutex>
#endif

namespace ingle::hub {

#if INGLE_WITH_CURL

namespace {

constexpr long connect_timeout_s = 30;
constexpr long stall_timeout_s = 60;  // with less than a byte a second
constexpr int redirects_max = 10;
constexpr size_t refusal_bytes_max = 4096;

// 127/8, 10/8, 172.16/12, 192.168/16, 169.254/16, 100.64/10, 0/8
bool is_private_v4(uint32_t address) {
    return address >> 24 == 127 || address >> 24 == 10 || address >> 24 == 0 || address >> 20 == 0xac1 ||
           address >> 16 == 0xc0a8 || address >> 16 == 0xa9fe || address >> 22 == (0x64400000u >> 22);
}

bool is_private(const sockaddr* address) {
    if (address->sa_family == AF_INET)
        return is_private_v4(ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr));
    if (address->sa_family != AF_INET6) return true;
    const uint8_t* const bytes = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr.s6_addr;
    bool zeros = true;
    for (int i = 0; i < 10; ++i) zeros = zeros && bytes[i] == 0;
    const bool mapped = zeros && bytes[10] == 0xff && bytes[11] == 0xff;
    if (mapped)
        return is_private_v4(uint32_t(bytes[12]) << 24 | uint32_t(bytes[13]) << 16 | uint32_t(bytes[14]) << 8 |
                             bytes[15]);
    return zeros || (bytes[0] & 0xfe) == 0xfc || (bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80);
}

// One exchange, as the callbacks see it.
struct Exchange {
    const HttpSink* sink = nullptr;
    HttpReply reply;
    Status failure;
    bool allows_private = true;
    bool met_private = false;      // the address connected to is one
    bool refused_private = false;
};

size_t take_header(char* data, size_t size, size_t count, void* user) {
    Exchange& exchange = *static_cast<Exchange*>(user);
    const std::string_view line = trim(std::string_view(data, size * count));
    const size_t colon = line.find(':');
    if (line.starts_with("HTTP/")) {
        const size_t space = line.find(' ');
        exchange.reply.status = int(parse_int(line.substr(std::min(space + 1, line.size()), 3)).value_or(0));
        exchange.reply.last_headers.clear();
        exchange.reply.refusal.clear();
    } else if (colon != line.npos) {
        std::string name(line.substr(0, colon));
        for (char& c : name)
            if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
        const std::string value(trim(line.substr(colon + 1)));
        exchange.reply.headers.emplace(name, value);
        exchange.reply.last_headers[name] = value;
    }
    return size * count;
}

size_t take_body(char* data, size_t size, size_t count, void* user) {
    Exchange& exchange = *static_cast<Exchange*>(user);
    const size_t bytes = size * count;
    if (exchange.reply.status < 200 || exchange.reply.status >= 300) {
        exchange.reply.refusal.append(data, std::min(bytes, refusal_bytes_max - exchange.reply.refusal.size()));
        return bytes;
    }
    exchange.failure = (*exchange.sink)(exchange.reply, std::as_bytes(std::span(data, bytes)));
    return exchange.failure.ok() ? bytes : bytes + 1;
}

curl_socket_t open_socket(void* user, curlsocktype, curl_sockaddr* address) {
    Exchange& exchange = *static_cast<Exchange*>(user);
    exchange.met_private = is_private(&address->addr);
    if (exchange.met_private && !exchange.allows_private) {
        exchange.refused_private = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

class Handle {
  public:
    Handle() {
        static std::once_flag once;
        std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
        curl_ = curl_easy_init();
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
        curl_slist_free_all(headers_);
        curl_easy_cleanup(curl_);
    }

    template <class Value>
    void set(CURLoption option, Value value) {
        curl_easy_setopt(curl_, option, value);
    }
    void add_header(const std::string& line) { headers_ = curl_slist_append(headers_, line.c_str()); }
    CURLcode perform() {
        set(CURLOPT_HTTPHEADER, headers_);
        return curl_easy_perform(curl_);
    }
    CURL* get() const { return curl_; }

  private:
    CURL* curl_ = nullptr;
    curl_slist* headers_ = nullptr;
};

std::string origin_of(const std::string& url) {
    const size_t scheme = url.find("://");
    return url.substr(0, url.find('/', scheme == url.npos ? 0 : scheme + 3));
}

Status exchange_once(const HttpRequest& request, Exchange& exchange) {
    Handle handle;
    if (handle.get() == nullptr) return fail(Code::out_of_memory, "libcurl gave no handle");
    char message[CURL_ERROR_SIZE] = "";
    handle.set(CURLOPT_ERRORBUFFER, message);
    handle.set(CURLOPT_URL, request.url.c_str());
    handle.set(CURLOPT_PROTOCOLS_STR, "http,https");
    handle.set(CURLOPT_NOSIGNAL, 1L);
    handle.set(CURLOPT_CONNECTTIMEOUT, connect_timeout_s);
    handle.set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    handle.set(CURLOPT_LOW_SPEED_TIME, stall_timeout_s);
    handle.set(CURLOPT_USERAGENT, "ingle");
    handle.set(CURLOPT_HEADERFUNCTION, take_header);
    handle.set(CURLOPT_HEADERDATA, &exchange);
    handle.set(CURLOPT_WRITEFUNCTION, take_body);
    handle.set(CURLOPT_WRITEDATA, &exchange);
    handle.set(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    handle.set(CURLOPT_OPENSOCKETDATA, &exchange);
    if (request.headers_only) handle.set(CURLOPT_NOBODY, 1L);
    if (!request.post.empty()) {
        handle.set(CURLOPT_POSTFIELDS, request.post.c_str());
        handle.add_header("Content-Type: application/json");
    }
    if (!request.token.empty()) handle.add_header("Authorization: Bearer " + request.token);
    if (request.from > 0) {
        handle.add_header(cat("Range: bytes=", request.from, "-"));
        if (!request.if_range.empty()) handle.add_header("If-Range: " + request.if_range);
    }
    handle.add_header("Accept-Encoding: identity");
    const CURLcode code = handle.perform();
    if (!exchange.failure.ok()) return std::move(exchange.failure);
    if (exchange.refused_private)
        return fail(Code::io, request.url, ": a redirect into this machine's own network is not followed");
    if (code != CURLE_OK)
        return fail(Code::io, request.url, ": ", message[0] ? message : curl_easy_strerror(code));
    return {};
}

// Where a redirect leads, made whole.
std::string target_of(const std::string& url, const std::string& location) {
    if (location.find("://") != location.npos) return location;
    if (location.starts_with("//")) return url.substr(0, url.find("//")) + location;
    if (location.starts_with('/')) return origin_of(url) + location;
    return url.substr(0, url.rfind('/') + 1) + location;
}

}  // namespace

Result<HttpReply> http_get(const HttpRequest& request, const HttpSink& sink) {
    HttpRequest current = request;
    Exchange exchange = {.sink = &sink, .reply = {}, .failure = {}};
    for (int redirects = 0; redirects <= redirects_max; ++redirects) {
        INGLE_TRY(exchange_once(current, exchange));
        const HttpReply& reply = exchange.reply;
        const auto location = reply.last_headers.find("location");
        if (reply.status < 300 || reply.status >= 400 || location == reply.last_headers.end())
            return std::move(exchange.reply);
        if (redirects == 0) exchange.allows_private = exchange.met_private;
        const std::string target = target_of(current.url, location->second);
        if (current.url.starts_with("https://") && !target.starts_with("https://"))
            return fail(Code::io, current.url, ": a redirect from https to ", quoted(target), " is not followed");
        if (origin_of(target) != origin_of(current.url)) current.token.clear();
        current.url = target;
    }
    return fail(Code::io, request.url, ": more than ", redirects_max, " redirects");
}

#else

Result<HttpReply> http_get(const HttpRequest& request, const HttpSink&) {
    return fail(Code::unsupported, "cannot get ", request.url,
                ": this build has no libcurl (package libcurl4-openssl-dev)");
}

#endif

}  // namespace ingle::hub
