#include "server/transport/tls.h"

#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>

namespace ingle::server {

namespace {

using Context = net::ssl::context;

class TlsStream : public ByteStream {
  public:
    TlsStream(Socket socket, std::shared_ptr<Context> context)
        : context_(std::move(context)), stream_(std::move(socket), *context_) {}
    void handshake(std::function<void(boost::system::error_code)> done) override {
        stream_.async_handshake(net::ssl::stream_base::server, std::move(done));
    }
    void read_some(std::span<char> into, Handler done) override {
        stream_.async_read_some(net::buffer(into.data(), into.size()), std::move(done));
    }
    void write(std::string_view bytes, Handler done) override {
        net::async_write(stream_, net::buffer(bytes.data(), bytes.size()), std::move(done));
    }
    void end_writing(std::function<void()> done) override {
        stream_.async_shutdown([done = std::move(done)](boost::system::error_code) { done(); });
    }
    Socket& socket() override { return stream_.next_layer(); }

  private:
    std::shared_ptr<Context> context_;  // that of the handshake, whatever was loaded since
    net::ssl::stream<Socket> stream_;
};

class OpensslTls : public Tls {
  public:
    OpensslTls(std::string key_file, std::string certificate_file)
        : key_file_(std::move(key_file)), certificate_file_(std::move(certificate_file)) {}

    Status reload() override {
        auto context = std::make_shared<Context>(Context::tls_server);
        boost::system::error_code error;
        context->set_options(Context::default_workarounds | Context::no_sslv2 | Context::no_sslv3 |
                             Context::no_tlsv1 | Context::no_tlsv1_1, error);
        context->use_certificate_chain_file(certificate_file_, error);
        if (error)
            return fail(Code::invalid_argument, "--ssl-cert-file ", quoted(certificate_file_), ": ", error.message());
        context->use_private_key_file(key_file_, Context::pem, error);
        if (error)
            return fail(Code::invalid_argument, "--ssl-key-file ", quoted(key_file_), ": ", error.message());
        std::atomic_store(&context_, std::move(context));
        return {};
    }

    std::unique_ptr<ByteStream> make_stream(Socket socket) override {
        return std::make_unique<TlsStream>(std::move(socket), std::atomic_load(&context_));
    }

  private:
    std::string key_file_, certificate_file_;
    std::shared_ptr<Context> context_;
};

}  // namespace

Result<std::unique_ptr<Tls>> Tls::open(const std::string& key_file, const std::string& certificate_file) {
    auto tls = std::make_unique<OpensslTls>(key_file, certificate_file);
    INGLE_TRY(tls->reload());
    return std::unique_ptr<Tls>(std::move(tls));
}

}  // namespace ingle::server
