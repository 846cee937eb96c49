// Addresses, threads and signals.
#include "server/transport/connection.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <filesystem>
#include <list>
#include <thread>

#include "base/log.h"
#include "server/access.h"
#include "server/transport/connection.h"
#include "server/transport/tls.h"

namespace ingle::server {

namespace {

using Tcp = net::ip::tcp;
using Local = net::local::stream_protocol;

class AsioTransport : public Transport {
  public:
    explicit AsioTransport(Service& service)
        : service_(service),
          shared_(std::make_shared<Shared>(service, service.settings().worker_threads)),
          signals_(*shared_->io, SIGINT, SIGTERM, SIGHUP),
          deadline_(*shared_->io) {}

    ~AsioTransport() override {
        shared_->workers.stop();
        shared_->workers.join();
        // What is left holds this transport's parts in a circle until it is closed.
        for (const std::weak_ptr<Connection>& one : open_)
            if (const auto connection = one.lock()) connection->close();
        shared_->io->restart();
        shared_->io->poll();
        for (const std::string& path : socket_paths_) std::filesystem::remove(path);
    }

    Status bind() {
        const Settings& settings = service_.settings();
        if (!settings.key_file.empty() || !settings.certificate_file.empty()) {
            INGLE_ASSIGN(tls_, Tls::open(settings.key_file, settings.certificate_file));
        }
        for (const std::string& host : settings.hosts)
            INGLE_TRY(is_socket_path(host) ? bind_path(host) : bind_host(host, settings.port));
        return {};
    }

    std::vector<std::string> addresses() const override { return addresses_; }

    void run() override {
        for (Tcp::acceptor& acceptor : tcp_) accept(acceptor);
        for (Local::acceptor& acceptor : local_) accept(acceptor);
        await_signal();
        std::vector<std::thread> helpers;
        for (int i = 1; i < service_.settings().io_threads; ++i)
            helpers.emplace_back([this] { shared_->io->run(); });
        shared_->io->run();
        for (std::thread& helper : helpers) helper.join();
    }

    void stop() override {
        net::post(*shared_->io, [this] { drain(); });
    }

  private:
    Status bind_path(const std::string& path) {
        std::error_code ignored;
        if (std::filesystem::is_socket(path, ignored)) std::filesystem::remove(path, ignored);
        Local::acceptor acceptor(*shared_->io);
        boost::system::error_code error;
        acceptor.open(Local(), error);
        if (!error) acceptor.bind(Local::endpoint(path), error);
        if (!error) acceptor.listen(net::socket_base::max_listen_connections, error);
        if (error) return fail(Code::io, "cannot listen at ", quoted(path), ": ", error.message());
        std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write,
                                     ignored);
        local_.push_back(std::move(acceptor));
        socket_paths_.push_back(path);
        addresses_.push_back("unix:" + path);
        return {};
    }

    Status bind_host(const std::string& host, int port) {
        boost::system::error_code error;
        Tcp::resolver resolver(*shared_->io);
        const auto found = resolver.resolve(host, std::to_string(port), Tcp::resolver::passive, error);
        if (error || found.empty())
            return fail(Code::invalid_argument, "--host ", quoted(host), ": ", error.message());
        const Tcp::endpoint endpoint = found.begin()->endpoint();
        Tcp::acceptor acceptor(*shared_->io);
        acceptor.open(endpoint.protocol(), error);
        if (!error) acceptor.set_option(Tcp::acceptor::reuse_address(true), error);
        if (!error && service_.settings().reuse_port) {
            const int on = 1;
            setsockopt(acceptor.native_handle(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
        }
        if (!error) acceptor.bind(endpoint, error);
        if (!error) acceptor.listen(net::socket_base::max_listen_connections, error);
        if (error) return fail(Code::io, "cannot listen at ", host, " port ", port, ": ", error.message());
        const bool v6 = endpoint.address().is_v6();
        addresses_.push_back(cat(tls_ ? "https://" : "http://", v6 ? "[" : "", endpoint.address().to_string(),
                                 v6 ? "]" : "", ":", acceptor.local_endpoint().port()));
        tcp_.push_back(std::move(acceptor));
        return {};
    }

    template <class Acceptor>
    void accept(Acceptor& acceptor) {
        auto socket = std::make_shared<Socket>(net::make_strand(*shared_->io));
        acceptor.async_accept(*socket, [this, &acceptor, socket](boost::system::error_code error) {
            if (!acceptor.is_open()) return;
            if (!error) admit(std::move(*socket));
            // Out of descriptors: one would spin; a moment later some connection has ended.
            if (error) std::this_thread::sleep_for(std::chrono::milliseconds(20));
            accept(acceptor);
        });
    }

    void admit(Socket socket) {
        if (shared_->connections >= service_.settings().connections_max) return;  // closed at once
        boost::system::error_code ignored;
        std::string peer = "unix";
        const auto remote = socket.remote_endpoint(ignored);
        const int family = ignored ? AF_UNIX : remote.protocol().family();
        if (family != AF_UNIX) {
            Tcp::endpoint address;
            std::memcpy(address.data(), remote.data(), remote.size());
            address.resize(remote.size());
            peer = address.address().to_string();
            socket.set_option(Tcp::no_delay(true), ignored);
        }
        auto stream = tls_ && family != AF_UNIX ? tls_->make_stream(std::move(socket))
                                                : make_plain_stream(std::move(socket));
        const auto connection = std::make_shared<Connection>(shared_, std::move(stream), std::move(peer));
        {
            const std::lock_guard lock(mutex_);
            std::erase_if(open_, [](const std::weak_ptr<Connection>& one) { return one.expired(); });
            open_.push_back(connection);
        }
        net::dispatch(connection->executor(), [connection] { connection->start(); });
    }

    void await_signal() {
        signals_.async_wait([this](boost::system::error_code error, int number) {
            if (error) return;
            if (number != SIGHUP) drain();
            else if (tls_)
                if (const Status status = tls_->reload(); !status.ok()) log(LogLevel::error, status.message());
            await_signal();
        });
    }

    void tell_all(bool now) {
        const std::lock_guard lock(mutex_);
        for (const std::weak_ptr<Connection>& one : open_)
            if (const auto connection = one.lock())
                net::post(connection->executor(), [connection, now] { connection->drain(now); });
    }

    // First time: no more connections, and a deadline. Second time: at once.
    void drain() {
        if (shared_->draining.exchange(true)) return finish();
        log(LogLevel::notice, "ending: answers under way have ", service_.settings().drain_timeout, " seconds");
        service_.drain();
        boost::system::error_code ignored;
        for (Tcp::acceptor& acceptor : tcp_) acceptor.close(ignored);
        for (Local::acceptor& acceptor : local_) acceptor.close(ignored);
        ends_at_ = Clock::now() + std::chrono::milliseconds(int64_t(service_.settings().drain_timeout * 1000));
        tell_all(false);
        watch_drain();
    }

    void watch_drain() {
        if (shared_->connections == 0) return shared_->io->stop();
        if (Clock::now() >= ends_at_) return finish();
        deadline_.expires_after(std::chrono::milliseconds(20));
        deadline_.async_wait([this](boost::system::error_code error) {
            if (!error) watch_drain();
        });
    }

    // Last words to whoever is left, and a moment for them to arrive.
    void finish() {
        tell_all(true);
        deadline_.expires_after(std::chrono::milliseconds(500));
        deadline_.async_wait([this](boost::system::error_code) { shared_->io->stop(); });
    }

    Service& service_;
    std::shared_ptr<Shared> shared_;
    std::unique_ptr<Tls> tls_;
    std::list<Tcp::acceptor> tcp_;
    std::list<Local::acceptor> local_;
    std::vector<std::string> addresses_;
    std::vector<std::string> socket_paths_;
    net::signal_set signals_;
    net::steady_timer deadline_;
    Clock::time_point ends_at_ = {};
    std::mutex mutex_;  // of open_
    std::vector<std::weak_ptr<Connection>> open_;
};

}  // namespace

Result<std::unique_ptr<Transport>> Transport::listen(Service& service) {
    auto transport = std::make_unique<AsioTransport>(service);
    INGLE_TRY(transport->bind());
    return std::unique_ptr<Transport>(std::move(transport));
}

}  // namespace ingle::server
