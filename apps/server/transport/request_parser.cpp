#include "server/transport/request_parser.h"

#include <algorithm>
#include <utility>  // before Asio 1.74, which uses std::exchange without it

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "base/text.h"

namespace ingle::server {

namespace http = boost::beast::http;

struct RequestParser::Parser : http::request_parser<http::string_body> {};

RequestParser::RequestParser(const Settings& settings) : settings_(settings) { reset(); }
RequestParser::~RequestParser() = default;

void RequestParser::reset() {
    parser_ = std::make_unique<Parser>();
    parser_->header_limit(uint32_t(settings_.header_bytes_max));
    parser_->body_limit(settings_.body_bytes_max);
    parser_->eager(true);
    state_ = State::head;
}

size_t RequestParser::feed(std::string_view bytes) {
    boost::system::error_code error;
    const size_t taken = parser_->put(boost::asio::buffer(bytes.data(), bytes.size()), error);
    if (error == http::error::need_more) error = {};
    if (error) {
        const bool body = error == http::error::body_limit;
        const bool head = error == http::error::header_limit;
        status_ = body ? 413 : head ? 431 : 400;
        message_ = body   ? cat("the body is larger than ", settings_.body_bytes_max, " bytes")
                   : head ? cat("the header is larger than ", settings_.header_bytes_max, " bytes")
                          : cat("this is no HTTP request: ", error.message());
        state_ = State::failed;
        return taken;
    }
    if (parser_->is_done()) state_ = State::done;
    else if (parser_->is_header_done()) state_ = State::body;
    if (parser_->is_header_done()) {
        keep_alive_ = parser_->get().keep_alive();
        chunked_allowed_ = parser_->get().version() >= 11;
    }
    return taken;
}

bool RequestParser::expects_continue() const {
    return boost::beast::iequals(parser_->get()[http::field::expect], "100-continue");
}

Request RequestParser::take() {
    auto message = parser_->release();
    Request request;
    const auto method = message.method_string();
    request.method.assign(method.data(), method.size());
    const auto whole = message.target();
    const std::string_view target(whole.data(), whole.size());
    const size_t question = target.find('?');
    request.path = target.substr(0, question);
    if (question != std::string_view::npos) request.query = target.substr(question + 1);
    for (const auto& field : message) {
        const auto name_string = field.name_string();
        std::string name(name_string.data(), name_string.size());
        std::ranges::transform(name, name.begin(),
                               [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
        const std::string_view value(field.value().data(), field.value().size());
        std::string& kept = request.headers[name];
        kept += cat(kept.empty() ? "" : ", ", value);
    }
    request.body = std::move(message.body());
    return request;
}

}  // namespace ingle::server
