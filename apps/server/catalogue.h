// The models that the server may serve: which of them are in memory, who waits for one, and which goes when room is
// short.
//
// A request borrows a model; what is borrowed stays. One thread of the catalogue's own loads and unloads, one model at
// a time and in the order of asking. When there is no room, the model goes whose last request is longest ago, if it is
// idle; if none is, whoever asked waits, and nobody is disturbed.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace ingle::server {

struct ServedModel;
struct ModelCard;
using BorrowedModel = std::shared_ptr<const ServedModel>;

// A model as the server was told of it.
struct ModelSource {
    std::string name;
    std::vector<std::string> aliases = {};  // its other names
    std::vector<std::string> tags = {};
    std::string path = {};
    std::string definition = {};  // all that loading depends on: with another text it is another model
    bool at_start = false;        // loaded without being asked for
    bool listed = true;
    // Progress returns false to give up.
    using Progress = std::function<bool(uint64_t done, uint64_t total)>;
    std::function<Result<BorrowedModel>(const Progress&)> load = {};
    std::function<void(const Status&)> loaded = {};  // told of each attempt
};

struct CatalogueOptions {
    bool several = false;      // requests name the model; otherwise there is one, whatever they name
    int models_max = 4;        // in memory at once; 0: as many as fit
    bool autoload = true;      // load what a request names
    double idle_seconds = -1;  // after which an idle model leaves memory; negative: never
    // The models anew, for Catalogue::rescan().
    std::function<Result<std::vector<ModelSource>>()> scan = {};
};

enum class ModelState { unloaded, loading, loaded, unloading, sleeping };
std::string_view to_string(ModelState state);

struct ModelReport {
    std::string name;
    std::vector<std::string> aliases, tags;
    std::string path;
    bool listed = true;
    ModelState state = ModelState::unloaded;
    double progress = 0;      // of loading, 0 to 1
    std::string fault;        // why it could not be loaded, or why it ended
    int users = 0;            // requests that borrow it
    double expires_in = -1;   // seconds until it leaves memory if nobody asks; negative: it stays
    std::shared_ptr<const ModelCard> card;  // null if it never was in memory
};

// Somebody's wait for a model. Dropping it ends the wait.
class ModelWait {
  public:
    virtual ~ModelWait() = default;
    // `wake` is called once, from any thread, when the wait is over; at once if it is.
    virtual void on_ready(std::function<void()> wake) = 0;
    // True once it is over, with the model or the reason why there is none.
    virtual bool poll(Result<BorrowedModel>& model) = 0;
};

class Catalogue {
  public:
    using Describe = std::function<std::shared_ptr<const ModelCard>(const ServedModel&)>;
    explicit Catalogue(Describe describe);
    ~Catalogue();  // gives up loading, and waits until what was borrowed is back

    // Before anything else; with sources to load at start that begins here.
    void open(CatalogueOptions options, std::vector<ModelSource> sources);
    // A model that is there already, in place of all others.
    void set_only(BorrowedModel model);
    // Looks for models again: new ones appear, those that are gone or changed leave memory when they are idle.
    Status rescan();

    bool several() const;
    int models_max() const;
    bool autoload() const;

    // Any thread. Waits for a model by any of its names; an empty one if there is one model only. Fails with
    // Code::not_found for an unknown name, Code::invalid_argument if it has to be loaded first and may not,
    // Code::limit while the only model is loaded for the first time.
    Result<std::shared_ptr<ModelWait>> ask(std::string_view name, bool autoload = true);
    // The model if it is in memory; null otherwise.
    BorrowedModel borrow(std::string_view name);
    // Begin at once and go on in the background. Fail with Code::not_found.
    Status load(std::string_view name);
    Status unload(std::string_view name);
    // How long the model stays when it is idle: negative for ever. Holds until it leaves memory.
    void keep(std::string_view name, double seconds);
    // Its engine has failed for good: it leaves memory, and the next request loads it anew.
    void give_up(std::string_view name, std::string_view reason);

    bool known(std::string_view name) const;
    // Why nothing can be asked yet, or any more.
    Status ready() const;
    std::vector<ModelReport> reports() const;
    std::optional<ModelReport> report(std::string_view name) const;

    // No model is lent from now on.
    void close();
    // Also gives up loading, and returns when nothing of it runs any more.
    void finish();

    struct State;  // shared with who borrows

  private:
    std::shared_ptr<State> state_;
};

}  // namespace ingle::server
