// One client: reads requests, has them answered, writes answers. Reading never stops while an answer is under way, so
// that a client that leaves is seen at once; what it sent meanwhile waits its turn. Everything runs on the
// connection's strand.
#pragma once

#include <utility>  // before Asio 1.74, which uses std::exchange without it

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>

#include "server/transport/request_parser.h"
#include "server/transport.h"

namespace ingle::server {

namespace net = boost::asio;
using Socket = net::basic_stream_socket<net::generic::stream_protocol,
                                        net::strand<net::io_context::executor_type>>;

// What connections share. It outlives them all.
struct Shared {
    Service& service;
    std::shared_ptr<net::io_context> io;
    net::thread_pool workers;
    std::atomic<bool> draining = false;
    std::atomic<int> connections = 0;

    Shared(Service& served, int worker_threads)
        : service(served), io(std::make_shared<net::io_context>()), workers(size_t(worker_threads)) {}
};

// Bytes in and out of a client, in the clear or through TLS.
class ByteStream {
  public:
    using Handler = std::function<void(boost::system::error_code, size_t)>;
    virtual ~ByteStream() = default;
    virtual void handshake(std::function<void(boost::system::error_code)> done) = 0;
    virtual void read_some(std::span<char> into, Handler done) = 0;
    virtual void write(std::string_view bytes, Handler done) = 0;
    // Tells the client that nothing more comes.
    virtual void end_writing(std::function<void()> done) = 0;
    virtual Socket& socket() = 0;
};
std::unique_ptr<ByteStream> make_plain_stream(Socket socket);

class Connection : public std::enable_shared_from_this<Connection> {
  public:
    Connection(std::shared_ptr<Shared> shared, std::unique_ptr<ByteStream> stream, std::string peer);
    ~Connection();
    void start();
    // On the strand. Ends what waits for requests; with `now` also answers under way, with a last word.
    void drain(bool now);
    void close();
    auto executor() { return stream_->socket().get_executor(); }

  private:
    enum class Phase { requests, answering, streaming, closing };

    void read();
    void on_read(boost::system::error_code error, size_t bytes);
    void parse();
    void dispatch();
    void refuse(int status, const char* type, std::string message);
    void settle();
    void take_time(std::function<Response()> make);
    void write_answer();
    void begin_stream();
    void pump();
    void write(std::string bytes, void (Connection::*then)());
    void on_written(boost::system::error_code error, void (Connection::*then)());
    void answered();
    void linger();
    void arm(double seconds, void (Connection::*expired)());
    void on_continued();
    void on_slow_request();
    void on_silence();
    std::function<void()> waker(void (Connection::*then)());
    std::string head(bool chunked) const;
    void account(int status);

    std::shared_ptr<Shared> shared_;
    std::unique_ptr<ByteStream> stream_;
    std::string peer_;
    RequestParser parser_;
    net::basic_waitable_timer<std::chrono::steady_clock, net::wait_traits<std::chrono::steady_clock>,
                              net::strand<net::io_context::executor_type>>
        timer_;
    uint64_t alarm_ = 0;  // number of the alarm that counts
    Phase phase_ = Phase::requests;
    std::string received_;
    std::array<char, 16384> incoming_;
    bool reading_ = false;
    bool continued_ = false;  // "100 Continue" was sent
    std::string outgoing_;
    bool writing_ = false;
    bool lingering_ = false;
    std::function<void()> after_write_;
    bool waits_ = false;  // a waker is set on the response
    uint64_t answer_ = 0;  // number of the answer that wakers are for

    Request request_;  // being answered, without its body
    Response response_;
    bool keep_alive_ = true;
    bool chunked_ = false;
    uint64_t bytes_sent_ = 0;
    std::string trace_;
};

}  // namespace ingle::server
