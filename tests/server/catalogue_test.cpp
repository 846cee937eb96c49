// Which models are in memory: loading on demand, making room, waiting, leaving.
#include "server/catalogue.h"

#include <deque>
#include <future>
#include <thread>

#include "server/model_json.h"
#include "server/served_model.h"
#include "support.h"

namespace ingle::server {

namespace {

// Far more than anything here takes; a test that waits so long has failed.
constexpr auto patience = std::chrono::seconds(60);

class Models : public ::testing::Test {
  protected:
    void SetUp() override {
        catalogue = std::make_unique<Catalogue>([](const ServedModel&) { return std::make_shared<ModelCard>(); });
    }
    void TearDown() override { catalogue = nullptr; }

    // Loading counts, and may fail.
    ModelSource source(const std::string& name) {
        ModelSource made;
        made.name = name;
        made.aliases = {name, name + "-alias"};
        made.load = [this, name](const ModelSource::Progress&) -> Result<BorrowedModel> {
            const std::lock_guard lock(mutex);
            ++loads[name];
            if (const auto found = faults.find(name); found != faults.end() && !found->second.empty()) {
                const Status status = found->second.front();
                found->second.pop_front();
                return status;
            }
            auto model = std::make_shared<ServedModel>();
            model->engine = std::make_shared<FakeEngine>(tiny_model());
            model->name = name;
            return BorrowedModel(std::move(model));
        };
        return made;
    }
    void open(std::vector<std::string> names, CatalogueOptions options = {}) {
        options.several = true;
        std::vector<ModelSource> sources;
        for (const std::string& name : names) sources.push_back(source(name));
        catalogue->open(std::move(options), std::move(sources));
    }

    static Result<BorrowedModel> wait_for(const std::shared_ptr<ModelWait>& wait) {
        const auto done = std::make_shared<std::promise<void>>();
        wait->on_ready([done] { done->set_value(); });
        if (done->get_future().wait_for(patience) != std::future_status::ready)
            return fail(Code::limit, "nobody ended the wait");
        Result<BorrowedModel> model = BorrowedModel();
        EXPECT_TRUE(wait->poll(model));
        return model;
    }
    Result<BorrowedModel> get(const std::string& name) {
        auto wait = catalogue->ask(name);
        if (!wait.ok()) return std::move(wait).status();
        return wait_for(*wait);
    }
    ModelState state(const std::string& name) const { return catalogue->report(name)->state; }
    bool comes_to(const std::string& name, ModelState wanted) const {
        const auto end = Clock::now() + patience;
        while (Clock::now() < end) {
            if (state(name) == wanted) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }

    std::mutex mutex;
    std::map<std::string, int> loads;
    std::map<std::string, std::deque<Status>> faults;
    std::unique_ptr<Catalogue> catalogue;
};

}  // namespace

TEST_F(Models, one_is_loaded_when_it_is_asked_for_and_once) {
    open({"a", "b"});
    EXPECT_EQ(state("a"), ModelState::unloaded);
    ASSERT_TRUE(get("a").ok());
    ASSERT_TRUE(get("a-alias").ok());
    ASSERT_TRUE(get("a:latest").ok());
    EXPECT_EQ(loads["a"], 1);
    EXPECT_EQ(state("b"), ModelState::unloaded);
    EXPECT_EQ(get("c").status().code(), Code::not_found);
    EXPECT_EQ(get("").status().code(), Code::invalid_argument);
}

TEST_F(Models, the_one_used_least_recently_goes_to_make_room) {
    open({"a", "b", "c"}, {.models_max = 2});
    ASSERT_TRUE(get("a").ok());
    ASSERT_TRUE(get("b").ok());
    ASSERT_TRUE(get("a").ok());
    ASSERT_TRUE(get("c").ok());
    EXPECT_EQ(state("a"), ModelState::loaded);
    EXPECT_EQ(state("b"), ModelState::unloaded);
}

TEST_F(Models, a_model_in_use_is_not_taken_away) {
    open({"a", "b"}, {.models_max = 1});
    auto used = get("a");
    ASSERT_TRUE(used.ok());
    auto wait = catalogue->ask("b");
    ASSERT_TRUE(wait.ok());
    ASSERT_TRUE(get("a").ok());  // who uses it is not held up by who waits
    Result<BorrowedModel> other = BorrowedModel();
    EXPECT_FALSE((*wait)->poll(other));
    EXPECT_EQ(state("a"), ModelState::loaded);
    used = BorrowedModel();
    ASSERT_TRUE(wait_for(*wait).ok());
    EXPECT_EQ(state("a"), ModelState::unloaded);
}

TEST_F(Models, who_leaves_the_queue_costs_nobody_his_model) {
    open({"a", "b"}, {.models_max = 1});
    auto used = get("a");
    ASSERT_TRUE(used.ok());
    ASSERT_TRUE(catalogue->ask("b").ok());  // the wait is dropped at once
    used = BorrowedModel();
    ASSERT_TRUE(get("a").ok());
    EXPECT_EQ(loads["a"], 1);
    EXPECT_EQ(loads["b"], 0);
}

TEST_F(Models, those_who_wait_are_served_in_order_and_together) {
    open({"a", "b", "c"}, {.models_max = 1});
    auto used = get("a");
    ASSERT_TRUE(used.ok());
    auto b = *catalogue->ask("b"), c = *catalogue->ask("c"), b_too = *catalogue->ask("b");
    used = BorrowedModel();
    auto first = wait_for(b);
    ASSERT_TRUE(first.ok());
    auto second = wait_for(b_too);
    ASSERT_TRUE(second.ok());
    Result<BorrowedModel> none = BorrowedModel();
    EXPECT_FALSE(c->poll(none));
    first = BorrowedModel();
    second = BorrowedModel();
    ASSERT_TRUE(wait_for(c).ok());
    EXPECT_EQ(loads["b"], 1);
}

TEST_F(Models, when_memory_is_short_idle_ones_go_until_it_fits) {
    open({"a", "b", "c"}, {.models_max = 0});
    ASSERT_TRUE(get("a").ok());
    ASSERT_TRUE(get("b").ok());
    const Status full = fail(Code::out_of_memory, "full");
    faults["c"] = {full, full};
    ASSERT_TRUE(get("c").ok());
    EXPECT_EQ(loads["c"], 3);
    EXPECT_EQ(state("a"), ModelState::unloaded);
    EXPECT_EQ(state("b"), ModelState::unloaded);
    faults["a"] = {full, full, full};
    EXPECT_EQ(get("a").status().code(), Code::out_of_memory);  // nothing is left that could go
}

TEST_F(Models, one_that_cannot_be_loaded_says_why_and_disturbs_no_other) {
    open({"a", "b"});
    ASSERT_TRUE(get("b").ok());
    faults["a"] = {fail(Code::corrupt, "half a file")};
    const Status told = get("a").status();
    EXPECT_EQ(told.code(), Code::internal);  // not the request's fault
    EXPECT_EQ(told.message(), "the model 'a' cannot be loaded: half a file");
    EXPECT_EQ(catalogue->report("a")->fault, "half a file");
    EXPECT_EQ(state("b"), ModelState::loaded);
    ASSERT_TRUE(get("a").ok());  // the file was mended
    EXPECT_EQ(catalogue->report("a")->fault, "");
}

TEST_F(Models, an_idle_one_falls_asleep_and_wakes_when_asked) {
    open({"a", "b"}, {.autoload = false, .idle_seconds = 0});
    EXPECT_EQ(get("a").status().code(), Code::invalid_argument);
    ASSERT_TRUE(catalogue->load("a").ok());
    ASSERT_TRUE(comes_to("a", ModelState::sleeping));
    auto used = get("a");  // it was asked for once: it may come back
    ASSERT_TRUE(used.ok());
    EXPECT_EQ(state("a"), ModelState::loaded);
    EXPECT_NE(catalogue->report("a")->card, nullptr);
    used = BorrowedModel();
    ASSERT_TRUE(comes_to("a", ModelState::sleeping));
    ASSERT_TRUE(catalogue->unload("a").ok());
    EXPECT_EQ(state("a"), ModelState::unloaded);
}

TEST_F(Models, how_long_one_stays_can_be_said_of_it_alone) {
    open({"a", "b"}, {.idle_seconds = 0});
    auto a = get("a"), b = get("b");
    catalogue->keep("a", -1);
    a = BorrowedModel();
    b = BorrowedModel();
    ASSERT_TRUE(comes_to("b", ModelState::sleeping));
    EXPECT_EQ(state("a"), ModelState::loaded);
    EXPECT_LT(catalogue->report("a")->expires_in, 0);
    catalogue->keep("a", 0);
    EXPECT_TRUE(comes_to("a", ModelState::sleeping));
}

TEST_F(Models, unloading_waits_for_answers_and_a_failed_engine_is_replaced) {
    open({"a"});
    auto used = get("a");
    ASSERT_TRUE(catalogue->unload("a").ok());
    EXPECT_EQ(state("a"), ModelState::unloading);
    auto wait = *catalogue->ask("a");
    Result<BorrowedModel> model = BorrowedModel();
    EXPECT_FALSE(wait->poll(model));
    used = BorrowedModel();
    auto again = wait_for(wait);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(loads["a"], 2);
    catalogue->give_up("a", "it broke");
    again = BorrowedModel();
    ASSERT_TRUE(comes_to("a", ModelState::unloaded));
    EXPECT_EQ(catalogue->report("a")->fault, "it broke");
    ASSERT_TRUE(get("a").ok());
    EXPECT_EQ(loads["a"], 3);
}

TEST_F(Models, after_another_look_those_that_are_gone_leave) {
    bool later = false;
    CatalogueOptions options;
    options.scan = [&]() -> Result<std::vector<ModelSource>> {
        std::vector<ModelSource> sources = {source("b"), source("c")};
        if (later) sources[0].definition = "another";
        return sources;
    };
    open({"a", "b"}, std::move(options));
    ASSERT_TRUE(get("a").ok());
    ASSERT_TRUE(get("b").ok());
    ASSERT_TRUE(catalogue->rescan().ok());
    EXPECT_FALSE(catalogue->known("a"));
    EXPECT_TRUE(catalogue->known("c"));
    EXPECT_EQ(state("b"), ModelState::loaded);
    later = true;
    ASSERT_TRUE(catalogue->rescan().ok());
    EXPECT_EQ(state("b"), ModelState::unloaded);  // the new one of that name
    ASSERT_TRUE(get("b").ok());
    EXPECT_EQ(loads["b"], 2);
}

TEST_F(Models, at_the_end_whoever_waits_is_told) {
    open({"a", "b"}, {.models_max = 1});
    auto used = get("a");
    auto wait = *catalogue->ask("b");
    catalogue->close();
    EXPECT_EQ(wait_for(wait).status().code(), Code::limit);
    EXPECT_EQ(get("a").status().code(), Code::limit);
    catalogue = nullptr;  // what is borrowed outlives it
    EXPECT_EQ((*used)->name, "a");
}

}  // namespace ingle::server
