// 200 clients at once over real sockets: streams, whole answers, clients that leave, bytes that are no HTTP. Every
// answer must be the one that a lone client gets, and nothing may stay behind.
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>

#include "server/transport.h"
#include "support.h"

namespace ingle::server {

namespace {

class Client {
  public:
    explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_port = htons(uint16_t(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        timeval limit = {.tv_sec = 120, .tv_usec = 0};
        setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    }
    ~Client() { ::close(socket_); }
    Client(const Client&) = delete;

    bool connected() const { return connected_; }
    void send(const std::string& bytes) { (void)!::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
    void post(const std::string& path, const Json& body) {
        const std::string text = dump(body);
        send(cat("POST ", path, " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ", text.size(),
                 "\r\n\r\n", text));
    }
    std::string receive_some() {
        std::array<char, 4096> part;
        const ssize_t count = ::recv(socket_, part.data(), part.size(), 0);
        return count > 0 ? std::string(part.data(), size_t(count)) : std::string();
    }
    std::string receive_all() {
        std::string all;
        for (std::string part = receive_some(); !part.empty(); part = receive_some()) all += part;
        return all;
    }

  private:
    int socket_;
    bool connected_ = false;
};

// The text of an answer, whole or streamed.
std::string text_of(const std::string& response) {
    std::string text;
    for (const std::string_view line : split(response, '\n')) {
        const bool event = line.starts_with("data: {");
        if (!event && !line.starts_with("{\"choices\"")) continue;
        const Json json = Json::parse(event ? line.substr(6) : line, nullptr, false);
        if (json.is_object() && json.contains("choices") && !json["choices"].empty())
            text += json["choices"][0].value("text", "");
    }
    return text;
}

class Load : public ::testing::Test {
  protected:
    void SetUp() override {
        Settings settings;
        settings.port = 0;
        service = std::make_unique<Service>(settings);
        EngineOptions options;
        options.context_tokens = 256;
        options.sequences_max = 8;
        auto engine = Engine::open(tiny_model(), options);
        ASSERT_TRUE(engine.ok()) << engine.status().message();
        auto served = std::make_shared<ServedModel>();
        served->engine = *engine;
        served->name = "tiny";
        served->aliases = {"tiny"};
        served->sampling = OptionValues(sampling::sampling_options());
        service->models().set_only(served);
        auto listening = Transport::listen(*service);
        ASSERT_TRUE(listening.ok()) << listening.status().message();
        transport = std::move(*listening);
        const std::string address = transport->addresses()[0];
        port = int(*parse_int(address.substr(address.rfind(':') + 1)));
        runner = std::thread([this] { transport->run(); });
    }
    void TearDown() override {
        if (transport) transport->stop();
        if (runner.joinable()) runner.join();
    }

    static Json request(size_t prompt, bool stream) {
        static const std::array<const char*, 5> prompts = {"Once upon a time", "The cat", "One day", "Lily and Tom", "He"};
        return {{"prompt", prompts[prompt]}, {"temperature", 0}, {"max_tokens", 24}, {"stream", stream}};
    }
    std::string ask(size_t prompt, bool stream) {
        Client client(port);
        client.post("/v1/completions", request(prompt, stream));
        return text_of(client.receive_all());
    }

    std::unique_ptr<Service> service;
    std::unique_ptr<Transport> transport;
    std::thread runner;
    int port = 0;
};

}  // namespace

TEST_F(Load, two_hundred_clients_get_the_answers_of_a_lone_one) {
    std::array<std::string, 5> expected;
    for (size_t i = 0; i < expected.size(); ++i) {
        expected[i] = ask(i, false);
        ASSERT_FALSE(expected[i].empty());
        ASSERT_EQ(ask(i, true), expected[i]);
    }
    std::atomic<int> wrong = 0, answered = 0;
    std::vector<std::thread> clients;
    for (size_t i = 0; i < 200; ++i) {
        clients.emplace_back([&, i] {
            const size_t prompt = i % expected.size();
            if (i % 4 == 2) {  // leaves in the middle
                Client client(port);
                client.post("/v1/completions", request(prompt, true));
                client.receive_some();
                return;
            }
            if (i % 4 == 3) {  // first says something that is no HTTP
                Client client(port);
                client.send(std::string("\x16\x03\x01\0\xff GET", 9) + "\r\n\r\n");
                const std::string refusal = client.receive_all();
                if (!refusal.empty() && !refusal.starts_with("HTTP/1.1 400")) ++wrong;
            }
            const std::string text = ask(prompt, i % 2 == 0);
            ++answered;
            if (text != expected[prompt]) ++wrong;
        });
    }
    for (std::thread& client : clients) client.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(answered, 150);
    const auto served = service->models().borrow("tiny");
    for (int i = 0; i < 500 && served->engine->running() + served->engine->waiting() > 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(served->engine->running(), 0);
    EXPECT_EQ(served->engine->waiting(), 0);
    EXPECT_EQ(ask(0, false), expected[0]);
}

}  // namespace ingle::server
