// Clients in the clear, over TCP or a Unix socket.
#include "server/transport/connection.h"

#include <boost/asio/write.hpp>

namespace ingle::server {

namespace {

class PlainStream : public ByteStream {
  public:
    explicit PlainStream(Socket socket) : socket_(std::move(socket)) {}
    void handshake(std::function<void(boost::system::error_code)> done) override { done({}); }
    void read_some(std::span<char> into, Handler done) override {
        socket_.async_read_some(net::buffer(into.data(), into.size()), std::move(done));
    }
    void write(std::string_view bytes, Handler done) override {
        net::async_write(socket_, net::buffer(bytes.data(), bytes.size()), std::move(done));
    }
    void end_writing(std::function<void()> done) override {
        boost::system::error_code ignored;
        socket_.shutdown(Socket::shutdown_send, ignored);
        done();
    }
    Socket& socket() override { return socket_; }

  private:
    Socket socket_;
};

}  // namespace

std::unique_ptr<ByteStream> make_plain_stream(Socket socket) {
    return std::make_unique<PlainStream>(std::move(socket));
}

}  // namespace ingle::server
