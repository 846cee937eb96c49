#include "server/transport/connection.h"

#include <boost/asio/post.hpp>

#include "server/access_log.h"
#include "server/error.h"

namespace ingle::server {

namespace {

constexpr size_t read_ahead_max = 64u << 10;  // of a client that sends while it is answered
constexpr size_t part_bytes = 64u << 10;      // of a stream, written at once
constexpr double linger_seconds = 2;

// A handler must not take the process down, whatever runs out.
Response made_safely(const std::function<Response()>& make) {
    try {
        return make();
    } catch (const std::bad_alloc&) {
        return error_response(fail(Code::out_of_memory, "there is not enough memory for this request"));
    } catch (const std::exception& error) {
        return error_response(fail(Code::internal, "the request failed: ", error.what()));
    }
}

std::string_view reason_of(int status) {
    switch (status) {
        case 200: return "OK";
        case 204: return "No Content";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 408: return "Request Timeout";
        case 413: return "Content Too Large";
        case 415: return "Unsupported Media Type";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 500: return "Internal Server Error";
        case 501: return "Not Implemented";
        case 503: return "Service Unavailable";
        default: return "Status";
    }
}

std::string hex_size(size_t size) {
    char text[20];
    const auto end = std::to_chars(text, text + sizeof text, size, 16).ptr;
    return std::string(text, end);
}

}  // namespace

Connection::Connection(std::shared_ptr<Shared> shared, std::unique_ptr<ByteStream> stream, std::string peer)
    : shared_(std::move(shared)),
      stream_(std::move(stream)),
      peer_(std::move(peer)),
      parser_(shared_->service.settings()),
      timer_(stream_->socket().get_executor()) {
    ++shared_->connections;
}

Connection::~Connection() { --shared_->connections; }

void Connection::start() {
    arm(shared_->service.settings().header_timeout, &Connection::close);
    stream_->handshake([self = shared_from_this()](boost::system::error_code error) {
        if (error) return self->close();
        self->read();
    });
}

void Connection::arm(double seconds, void (Connection::*expired)()) {
    const uint64_t alarm = ++alarm_;
    timer_.expires_after(std::chrono::milliseconds(int64_t(seconds * 1000)));
    timer_.async_wait([weak = weak_from_this(), alarm, expired](boost::system::error_code error) {
        const auto self = weak.lock();
        if (!error && self && self->alarm_ == alarm) (self.get()->*expired)();
    });
}

void Connection::read() {
    if (reading_ || (phase_ == Phase::closing && !lingering_)) return;
    reading_ = true;
    stream_->read_some(incoming_, [self = shared_from_this()](boost::system::error_code error, size_t bytes) {
        self->on_read(error, bytes);
    });
}

void Connection::on_read(boost::system::error_code error, size_t bytes) {
    reading_ = false;
    if (phase_ == Phase::closing && !error) return read();
    if (error) {
        if (phase_ == Phase::answering || phase_ == Phase::streaming) account(499);
        return close();
    }
    received_.append(incoming_.data(), bytes);
    if (phase_ == Phase::requests) parse();
    if (phase_ == Phase::requests || received_.size() < read_ahead_max) read();
}

void Connection::parse() {
    const Settings& settings = shared_->service.settings();
    while (!received_.empty() && parser_.state() < RequestParser::State::done) {
        const size_t taken = parser_.feed(received_);
        received_.erase(0, taken);
        if (taken == 0) break;
    }
    switch (parser_.state()) {
        case RequestParser::State::done: return dispatch();
        case RequestParser::State::failed:
            return refuse(parser_.status(), "invalid_request_error", parser_.message());
        case RequestParser::State::head:
            arm(settings.header_timeout, &Connection::on_slow_request);
            break;
        case RequestParser::State::body:
            arm(settings.body_timeout, &Connection::on_slow_request);
            if (parser_.expects_continue() && !std::exchange(continued_, true))
                write("HTTP/1.1 100 Continue\r\n\r\n", &Connection::on_continued);
            break;
    }
}

void Connection::on_continued() {
    if (phase_ == Phase::requests)
        arm(shared_->service.settings().body_timeout, &Connection::on_slow_request);
}

void Connection::on_slow_request() {
    refuse(408, "invalid_request_error", "the request did not come in time");
}

void Connection::refuse(int status, const char* type, std::string message) {
    request_ = Request{.method = "-", .path = "-", .id = new_id("req-"), .peer = peer_};
    response_ = error_response({.status = status, .type = type, .message = std::move(message)});
    keep_alive_ = false;
    phase_ = Phase::answering;
    write_answer();
}

void Connection::dispatch() {
    ++alarm_;  // no limit while the answer is made
    ++answer_;
    phase_ = Phase::answering;
    continued_ = false;
    waits_ = false;
    bytes_sent_ = 0;
    keep_alive_ = parser_.keep_alive();
    Request request = parser_.take();
    request.peer = peer_;
    request.id = request_id_of(request);
    request.arrival = Clock::now();
    trace_ = next_trace_of(request);
    chunked_ = parser_.chunked_allowed();
    parser_.reset();
    std::string body = std::move(request.body);
    request_ = request;
    request.body = std::move(body);
    const auto asked = std::make_shared<Request>(std::move(request));
    take_time([asked, &service = shared_->service] { return respond(std::move(*asked), service); });
}

// Has a response made by a worker.
void Connection::take_time(std::function<Response()> make) {
    net::post(shared_->workers, [self = shared_from_this(), make = std::move(make), answer = answer_]() mutable {
        auto response = std::make_shared<Response>(made_safely(std::exchange(make, nullptr)));
        net::post(self->executor(), [self, response, answer] {
            // The client may have left; dropping it cancels.
            if (self->phase_ != Phase::answering || self->answer_ != answer) return;
            for (auto& header : self->response_.headers) response->headers.push_back(std::move(header));
            self->response_ = std::move(*response);
            self->settle();
        });
    });
}

std::function<void()> Connection::waker(void (Connection::*then)()) {
    return [weak = weak_from_this(), io = shared_->io, strand = executor(), then, answer = answer_] {
        net::post(strand, [weak, io, then, answer] {
            const auto self = weak.lock();
            if (self && self->answer_ == answer) (self.get()->*then)();
        });
    };
}

// Waits for a response that comes later, then writes it.
void Connection::settle() {
    if (phase_ != Phase::answering) return;
    if (response_.later) {
        Response there;
        if (!response_.later->poll(there)) {
            if (!std::exchange(waits_, true)) response_.later->on_ready(waker(&Connection::settle));
            return;
        }
        ++answer_;  // a waker that is late must not write it twice
        for (auto& header : response_.headers) there.headers.push_back(std::move(header));
        response_ = std::move(there);
        waits_ = false;
        if (response_.then) return take_time(std::exchange(response_.then, nullptr));
    }
    if (response_.stream) begin_stream();
    else write_answer();
}

std::string Connection::head(bool chunked) const {
    std::string text = cat("HTTP/1.1 ", response_.status, " ", reason_of(response_.status),
                           "\r\nContent-Type: ", response_.content_type, "\r\nX-Request-Id: ", request_.id, "\r\n");
    for (const auto& [name, value] : response_.headers) text += cat(name, ": ", value, "\r\n");
    if (!trace_.empty()) text += cat("traceparent: ", trace_, "\r\n");
    if (!response_.stream) text += cat("Content-Length: ", response_.body.size(), "\r\n");
    else if (chunked) text += "Transfer-Encoding: chunked\r\n";
    text += cat("Connection: ", keep_alive_ ? "keep-alive" : "close", "\r\n\r\n");
    return text;
}

void Connection::write_answer() {
    if (shared_->draining) keep_alive_ = false;
    std::string bytes = head(false);
    if (request_.method != "HEAD") bytes += response_.body;
    write(std::move(bytes), &Connection::answered);
}

void Connection::begin_stream() {
    phase_ = Phase::streaming;
    waits_ = false;
    if (!chunked_ || shared_->draining) keep_alive_ = false;
    write(head(chunked_), &Connection::pump);
}

// Writes the next part of a stream, or waits for it.
void Connection::pump() {
    if (phase_ != Phase::streaming || writing_) return;
    std::string part;
    const Body::State state = response_.stream->pull(part, part_bytes);
    std::string bytes;
    if (!part.empty()) bytes = chunked_ ? cat(hex_size(part.size()), "\r\n", part, "\r\n") : part;
    if (state == Body::State::ended) {
        if (chunked_) bytes += "0\r\n\r\n";
        return write(std::move(bytes), &Connection::answered);
    }
    if (!bytes.empty()) return write(std::move(bytes), &Connection::pump);
    if (!std::exchange(waits_, true)) response_.stream->on_ready(waker(&Connection::pump));
    const double interval = shared_->service.settings().ping_interval;
    if (interval > 0) arm(interval, &Connection::on_silence);
}

void Connection::on_silence() {
    if (phase_ != Phase::streaming || writing_) return;
    const std::string ping(response_.stream->ping());
    if (ping.empty()) return;
    write(chunked_ ? cat(hex_size(ping.size()), "\r\n", ping, "\r\n") : ping, &Connection::pump);
}

void Connection::write(std::string bytes, void (Connection::*then)()) {
    if (writing_) {  // only "100 Continue" can be under way
        after_write_ = [this, bytes = std::move(bytes), then] { write(bytes, then); };
        return;
    }
    outgoing_ = std::move(bytes);
    writing_ = true;
    bytes_sent_ += outgoing_.size();
    arm(shared_->service.settings().write_timeout, &Connection::close);
    stream_->write(outgoing_, [self = shared_from_this(), then](boost::system::error_code error, size_t) {
        self->on_written(error, then);
    });
}

void Connection::on_written(boost::system::error_code error, void (Connection::*then)()) {
    writing_ = false;
    if (phase_ == Phase::closing) return;
    if (error) {
        account(499);
        return close();
    }
    ++alarm_;
    if (const auto next = std::exchange(after_write_, nullptr)) return next();
    (this->*then)();
}

void Connection::account(int status) {
    shared_->service.metrics().count_response(status);
    log_request(request_, status, bytes_sent_, response_.account.get(), trace_);
}

void Connection::answered() {
    account(response_.status);
    response_ = {};
    if (!keep_alive_ || shared_->draining) return linger();
    phase_ = Phase::requests;
    arm(shared_->service.settings().idle_timeout, &Connection::close);
    if (!received_.empty()) parse();
    read();
}

// Lets the client read the last answer even if it is still sending: closing at once would make its system drop it.
void Connection::linger() {
    phase_ = Phase::closing;
    lingering_ = true;
    arm(linger_seconds, &Connection::close);
    stream_->end_writing([self = shared_from_this()] { self->read(); });
}

void Connection::close() {
    phase_ = Phase::closing;
    lingering_ = false;
    ++alarm_;
    timer_.cancel();
    response_ = {};
    boost::system::error_code ignored;
    stream_->socket().close(ignored);
}

void Connection::drain(bool now) {
    if (phase_ == Phase::requests && parser_.state() == RequestParser::State::head && received_.empty())
        return close();
    if (!now) return;
    keep_alive_ = false;
    if (phase_ == Phase::streaming && !writing_) {
        std::string last = response_.stream->farewell();
        if (chunked_) last = cat(hex_size(last.size()), "\r\n", last, "\r\n0\r\n\r\n");
        return write(std::move(last), &Connection::answered);
    }
    if (phase_ == Phase::answering && !writing_) {
        response_ = error_response(fail(Code::cancelled, "the server is about to end"));
        return write_answer();
    }
    close();
}

}  // namespace ingle::server
