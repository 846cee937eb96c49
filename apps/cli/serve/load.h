// Brings a model into memory, with all that requests to it need.
#pragma once

#include <map>
#include <mutex>

#include "cli/verb.h"
#include "engine/runtime.h"
#include "server/catalogue.h"
#include "server/served_model.h"

namespace ingle::cli {

// The runtimes of a process: models that want the same threads share them and alternate by step.
class Runtimes {
  public:
    Result<std::shared_ptr<Runtime>> get(const OptionValues& values);

  private:
    std::mutex mutex_;
    std::map<std::string, std::weak_ptr<Runtime>> known_;
};

struct LoadPlan {
    std::string name;                  // first of the names; empty: they are chosen here
    std::vector<std::string> aliases;  // all of them
    std::vector<std::string> tags;
    std::string model;                 // a file or a reference
    OptionValues values;
    int models_max = 1;                // that share the memory
};

// `promised`: bytes that other models may still take.
Result<server::BorrowedModel> load_served(const LoadPlan& plan, Runtimes& runtimes, uint64_t promised,
                                          const server::ModelSource::Progress& progress);

}  // namespace ingle::cli
