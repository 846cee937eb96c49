// Requests to several models, as endpoints see them.
#include "server/catalogue.h"
#include "server/served_model.h"
#include "support.h"

namespace ingle::server {

namespace {

class Router : public ServerTest {
  protected:
    void SetUp() override {
        service = std::make_unique<Service>(Settings());
        std::vector<ModelSource> sources;
        for (const char* const name : {"a", "b"}) {
            ModelSource source;
            source.name = name;
            source.load = [this, name](const ModelSource::Progress&) -> Result<BorrowedModel> {
                auto model = std::make_shared<ServedModel>();
                const auto made = std::make_shared<FakeEngine>(tiny_model());
                made->script = [made = made.get()](const GenerationRequest& request, FakeStream& stream) {
                    if (made->broken.ok()) made->say(stream, request, "Once");
                    stream.add(Done{made->broken});
                };
                engines[name] = made.get();
                model->engine = made;
                model->name = name;
                model->aliases = {name};
                model->sampling = OptionValues(sampling::sampling_options());
                return BorrowedModel(std::move(model));
            };
            sources.push_back(std::move(source));
        }
        service->models().open({.several = true}, std::move(sources));
    }
    void TearDown() override { service = nullptr; }

    // Waits until the model is there.
    Response ask(const std::string& name) {
        const auto end = Clock::now() + std::chrono::seconds(60);
        while (Clock::now() < end) {
            Response response = post("/completion", {{"model", name}, {"prompt", "x"}});
            if (!response.later) return response;
        }
        return {.status = 0};
    }

    std::map<std::string, FakeEngine*> engines;
};

}  // namespace

TEST_F(Router, an_engine_that_has_stopped_is_replaced_and_the_others_go_on) {
    ASSERT_EQ(ask("a").status, 200);
    ASSERT_EQ(ask("b").status, 200);
    FakeEngine* const first = engines["a"];
    first->broken = fail(Code::internal, "the engine has stopped: an accident");
    EXPECT_EQ(ask("a").status, 500);
    EXPECT_EQ(ask("b").status, 200);
    EXPECT_EQ(ask("a").status, 200);
    EXPECT_NE(engines["a"], nullptr);
    EXPECT_EQ(service->metrics().totals("a").requests["failed"], 1u);
    EXPECT_EQ(service->metrics().totals("b").requests["stop"], 2u);
}

TEST_F(Router, a_name_is_needed_and_known) {
    EXPECT_EQ(post("/completion", {{"prompt", "x"}}).status, 400);
    EXPECT_EQ(post("/completion", {{"prompt", "x"}, {"model", 5}}).status, 400);
    const Response unknown = post("/v1/messages", {{"model", "c"}, {"messages", Json::array()}});
    EXPECT_EQ(unknown.status, 404);
    EXPECT_EQ(answer(unknown)["error"]["type"], "not_found_error");
    EXPECT_EQ(answer(post("/completion", {{"model", "c"}}))["error"]["code"], "model_not_found");
    EXPECT_EQ(answer(send("GET", "/props"))["role"], "router");
    EXPECT_EQ(send("GET", "/props?model=a").status, 400);  // looking does not load
    ASSERT_EQ(ask("a").status, 200);
    EXPECT_EQ(answer(send("GET", "/props?model=a"))["model_alias"], "a");
    EXPECT_EQ(send("GET", "/slots?model=c").status, 404);
}

}  // namespace ingle::server
