// Models that clients download, delete and copy: refused unless allowed, shared by whoever asks, stopped when nobody
// waits any more.
#include "server/downloads.h"

#include <atomic>
#include <condition_variable>
#include <thread>

#include "support.h"

namespace ingle::server {

namespace {

// A hub that goes on when it is told to.
class Gate {
  public:
    Status pull(const Downloads::Progress& progress) {
        std::unique_lock lock(mutex_);
        began_ += 1;
        changed_.notify_all();
        for (uint64_t done = 0;; done += 10) {
            lock.unlock();
            const bool go_on = progress("model.gguf", done, 1000);
            lock.lock();
            if (!go_on) return fail(Code::cancelled, "stopped");
            if (open_) return result_;
            changed_.wait_for(lock, std::chrono::milliseconds(1));
        }
    }
    void open(Status result = {}) {
        const std::lock_guard lock(mutex_);
        result_ = std::move(result);
        open_ = true;
        changed_.notify_all();
    }
    int began() {
        const std::lock_guard lock(mutex_);
        return began_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = false;
    Status result_;
    int began_ = 0;
};

class ModelFiles : public ServerTest {
  protected:
    void SetUp() override {
        service = std::make_unique<Service>(
            Settings{.manage_models = true},
            [gate = gate](const hub::Reference&, const Downloads::Progress& progress) { return gate->pull(progress); });
    }
    void TearDown() override { gate->open(); }

    // All lines until the end. Asks to be woken once, as the transport does.
    static std::vector<Json> lines(Response& response) {
        std::string out;
        Body::State state = Body::State::more;
        const auto wakes = std::make_shared<std::atomic<int>>(0);
        bool waits = false;
        while (state != Body::State::ended) {
            const int before = *wakes;
            state = response.stream->pull(out, 1 << 20);
            if (state != Body::State::waiting) continue;
            if (!std::exchange(waits, true))
                response.stream->on_ready([wakes] { ++*wakes, wakes->notify_all(); });
            wakes->wait(before);
        }
        std::vector<Json> all;
        for (const std::string_view line : split(out, '\n'))
            if (!line.empty()) all.push_back(Json::parse(line, nullptr, false));
        return all;
    }

    std::shared_ptr<Gate> gate = std::make_shared<Gate>();
};

const Json wanted = {{"model", "user/repo:Q8_0"}};

}  // namespace

TEST_F(ModelFiles, are_left_alone_unless_the_server_allows_it) {
    start();
    for (const auto& [method, path] : std::vector<std::pair<std::string, std::string>>{
             {"POST", "/api/pull"}, {"DELETE", "/api/delete"}, {"POST", "/api/copy"}, {"POST", "/models"},
             {"DELETE", "/models?model=user/repo:Q8_0"}}) {
        const Response response = send(method, path, dump(wanted));
        EXPECT_EQ(response.status, 403) << path;
        EXPECT_NE(response.body.find("--manage-models"), std::string::npos) << response.body;
    }
}

TEST_F(ModelFiles, pulling_tells_each_step_and_the_end) {
    Response response = post("/api/pull", wanted);
    ASSERT_EQ(response.status, 200) << response.body;
    EXPECT_EQ(response.content_type, "application/x-ndjson");
    gate->open();
    const std::vector<Json> told = lines(response);
    ASSERT_GE(told.size(), 3u);
    EXPECT_EQ(told.front(), Json({{"status", "pulling manifest"}}));
    EXPECT_EQ(told[told.size() - 2]["status"], "pulling model.gguf");
    EXPECT_EQ(told[told.size() - 2]["total"], 1000);
    EXPECT_EQ(told.back(), Json({{"status", "success"}}));
}

TEST_F(ModelFiles, a_download_that_fails_says_why) {
    gate->open(fail(Code::not_found, "no such repository"));
    Response response = post("/api/pull", wanted);
    EXPECT_EQ(lines(response).back()["error"], "no such repository");
}

TEST_F(ModelFiles, whoever_asks_for_the_same_model_shares_its_download) {
    Response first = post("/api/pull", wanted), second = post("/api/pull", wanted);
    first = {};  // that client leaves
    gate->open();
    EXPECT_EQ(lines(second).back(), Json({{"status", "success"}}));
    EXPECT_EQ(gate->began(), 1);
}

TEST_F(ModelFiles, a_download_ends_when_its_only_client_leaves_but_not_when_it_was_ordered) {
    Response left = post("/api/pull", wanted);
    left = {};
    // Ends of itself: the gate stays shut.
    while (!service->downloads().states().empty() && !service->downloads().states()[0].ended) std::this_thread::yield();
    EXPECT_EQ(service->downloads().states().at(0).status.code(), Code::cancelled);

    EXPECT_EQ(answer(post("/models", wanted)), Json({{"success", true}}));
    left = post("/api/pull", wanted);
    left = {};
    const Json listed = answer(send("GET", "/models"))["data"];
    ASSERT_EQ(listed.size(), 1u) << listed;
    EXPECT_EQ(listed[0]["id"], "user/repo:Q8_0");
    EXPECT_EQ(listed[0]["status"]["value"], "downloading");
}

TEST_F(ModelFiles, names_that_lead_elsewhere_are_refused) {
    for (const char* const name : {"../evil", "a/../../b", "/etc/passwd", "user/..", "", "plain"}) {
        EXPECT_EQ(post("/api/pull", {{"model", name}}).status, 400) << name;
        EXPECT_EQ(post("/models", {{"model", name}}).status, 400) << name;
        EXPECT_GE(send("DELETE", "/api/delete", dump({{"model", name}})).status, 400) << name;
        EXPECT_GE(post("/api/copy", {{"source", "user/repo"}, {"destination", name}}).status, 400) << name;
    }
    EXPECT_EQ(post("/api/pull", {{"model", 3}}).status, 400);
    EXPECT_EQ(gate->began(), 0);
}

TEST_F(ModelFiles, too_many_downloads_at_once_are_refused) {
    for (size_t i = 0; i < Downloads::at_once_max; ++i)
        EXPECT_EQ(post("/models", {{"model", cat("user/repo", i)}}).status, 200);
    EXPECT_EQ(post("/models", {{"model", "user/more"}}).status, 503);
}

TEST_F(ModelFiles, the_end_of_the_server_ends_downloads) {
    Response response = post("/api/pull", wanted);
    service->drain();
    EXPECT_TRUE(lines(response).back().contains("error"));
    EXPECT_EQ(post("/api/pull", wanted).status, 503);
}

}  // namespace ingle::server
