// What `ingle serve` was told: plain values, made from its flags.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ingle::server {

// What one client may ask for in a minute; 0: any number.
struct Rate {
    int64_t requests = 0;
    int64_t tokens = 0;  // of prompts and answers
};

struct ApiKey {
    std::string name;  // of its owner, for logs and limits
    std::string key;
    std::optional<Rate> rate = {};  // nothing: the one of all
};

struct Settings {
    std::vector<std::string> hosts = {"127.0.0.1"};  // addresses, or paths of Unix sockets
    int port = 8080;
    std::string api_prefix = {};
    std::vector<ApiKey> api_keys = {};
    Rate rate = {};  // of each key, or of each address where there are no keys
    std::string key_file = {};          // of TLS, PEM
    std::string certificate_file = {};
    std::vector<std::string> origins = {"localhost"};  // web pages that may call; "localhost" is a class, "*" all
    bool origin_credentials = false;
    bool reuse_port = false;
    int io_threads = 1;
    int worker_threads = 2;

    bool show_page = true;
    bool show_metrics = false;
    bool show_slots = true;
    bool change_properties = false;
    bool manage_models = false;  // clients may download, delete and copy models
    bool offline = false;        // then only what the cache holds
    std::string slot_save_folder = {};
    bool embeddings_only = false;
    bool rerank = false;
    bool split_reasoning = true;
    int64_t reasoning_budget = -1;      // tokens, of requests that do not say; -1: any number
    std::string reasoning_budget_message = {};  // written before reasoning is ended by it
    bool prefill_assistant = true;
    bool context_shift = false;
    int64_t tokens_max = -1;            // of requests that do not say
    std::string pooling = "mean";

    // Seconds.
    double header_timeout = 10;
    double body_timeout = 30;       // between two pieces of a body
    double idle_timeout = 75;       // of a connection between requests
    double write_timeout = 3600;    // of a client that does not read
    double ping_interval = 30;      // of streams in which nothing happens; negative: none
    double drain_timeout = 30;
    // Bytes.
    uint64_t header_bytes_max = 64u << 10;
    uint64_t body_bytes_max = 32u << 20;
    int connections_max = 1024;
};

}  // namespace ingle::server
