// Bytes of a connection to requests, within limits. The only file behind it that sees Beast.
#pragma once

#include <memory>
#include <string_view>

#include "server/endpoint.h"
#include "server/settings.h"

namespace ingle::server {

class RequestParser {
  public:
    explicit RequestParser(const Settings& settings);
    ~RequestParser();

    enum class State { head, body, done, failed };
    // Takes bytes from the front; returns how many. Stops behind the end of a request.
    size_t feed(std::string_view bytes);
    State state() const { return state_; }

    // Once the head is there: the client waits for "100 Continue" before it sends the body.
    bool expects_continue() const;
    // Once done. Peer and id are the caller's business.
    Request take();
    bool keep_alive() const { return keep_alive_; }
    bool chunked_allowed() const { return chunked_allowed_; }  // HTTP/1.1
    // Once failed: 400, 413 or 431, and why.
    int status() const { return status_; }
    const std::string& message() const { return message_; }

    // For the next request of the connection.
    void reset();

  private:
    struct Parser;
    const Settings& settings_;
    std::unique_ptr<Parser> parser_;
    State state_ = State::head;
    bool keep_alive_ = true;
    bool chunked_allowed_ = true;
    int status_ = 0;
    std::string message_;
};

}  // namespace ingle::server
