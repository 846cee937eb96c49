#include "cli/serve/sources.h"

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/log.h"
#include "cli/hub_model.h"
#include "cli/preset.h"
#include "cli/serve/load.h"
#include "cli/serve/settings.h"
#include "cli/terminal.h"
#include "hub/cache.h"
#include "server/model_json.h"

namespace ingle::cli {

namespace {

namespace fs = std::filesystem;
using server::ModelReport;
using server::ModelSource;

constexpr std::string_view part_pattern = "-00001-of-00001";

// "writer-00001-of-00003" -> "writer"; a later part: nothing.
std::optional<std::string> name_of_file(const fs::path& path) {
    std::string stem = path.stem().string();
    if (path.extension() != ".gguf" || stem.find("mmproj") != stem.npos) return std::nullopt;
    if (stem.size() <= part_pattern.size()) return stem;
    const size_t at = stem.size() - part_pattern.size();
    const std::string_view end = std::string_view(stem).substr(at);
    const bool part = end.front() == '-' && end.substr(6, 4) == "-of-" && parse_int(end.substr(1, 5)) &&
                      parse_int(end.substr(10));
    if (!part) return stem;
    if (end.substr(1, 5) != "00001") return std::nullopt;
    return stem.substr(0, at);
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
    std::vector<fs::path> paths;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        paths.push_back(at->path());
    std::ranges::sort(paths);
    return paths;
}

// What models other than this one may still take of the memory: pages of keys and values that they were promised.
uint64_t promised_to_others(server::Service& service, const std::string& name) {
    uint64_t sum = 0;
    for (const ModelReport& report : service.models().reports()) {
        if (report.name == name || report.state != server::ModelState::loaded) continue;
        const MetricsSnapshot& now = report.card->metrics;
        const uint64_t whole = now.bytes_of(now.pages_max, now.windows_max);
        if (whole > now.active_bytes) sum += whole - now.active_bytes;
    }
    return sum;
}

class Finder {
  public:
    Finder(const OptionValues& values, server::Service& service)
        : values_(values), service_(service), runtimes_(std::make_shared<Runtimes>()) {}

    Result<std::vector<ModelSource>> find() {
        INGLE_TRY(add_named());
        if (!serves_several(values_)) return std::move(sources_);
        if (!values_.text("models_preset").empty()) INGLE_TRY(add_presets());
        if (!values_.text("models_dir").empty()) INGLE_TRY(add_folder());
        add_downloaded();
        return std::move(sources_);
    }

  private:
    bool known(const std::string& name) const {
        return std::ranges::find(sources_, name, &ModelSource::name) != sources_.end();
    }

    // The first to take a name has it.
    ModelSource* add(LoadPlan plan, std::string path, std::string definition) {
        if (known(plan.name)) return nullptr;
        plan.models_max = serves_several(values_) ? int(std::max<int64_t>(values_.integer("models_max"), 1)) : 1;
        ModelSource source;
        source.name = plan.name;
        source.aliases = plan.aliases;
        source.tags = plan.tags;
        source.path = std::move(path);
        source.definition = plan.model + "\n" + definition;
        source.load = [plan = std::make_shared<LoadPlan>(std::move(plan)), runtimes = runtimes_,
                       &service = service_](const ModelSource::Progress& progress) {
            ProgressBar bar("Loading " + plan->name);
            return load_served(*plan, *runtimes, promised_to_others(service, plan->name),
                               [&](uint64_t done, uint64_t total) {
                                   bar.show(done, total);
                                   return progress(done, total);
                               });
        };
        sources_.push_back(std::move(source));
        return &sources_.back();
    }

    Status add_named() {
        std::vector<std::string> models = values_.list("model");
        if (!values_.text("hf_repo").empty()) models.push_back(values_.text("hf_repo"));
        const std::vector<std::string> names = words_of(values_.text("alias"));
        if (models.size() > 1 && !names.empty())
            return fail(Code::invalid_argument, "--alias names one model, but -m was given ", models.size(),
                        " times; a presets file gives each its names");
        for (const std::string& model : models) {
            INGLE_ASSIGN(const std::string path, path_of_model(model, values_.flag("offline")));
            LoadPlan plan{.name = {}, .aliases = names, .tags = words_of(values_.text("tags")), .model = path,
                          .values = values_};
            if (names.empty()) plan.aliases.push_back(fs::path(path).stem().string());
            std::ranges::sort(plan.aliases);  // as llama-server lists them
            plan.name = plan.aliases.front();
            if (known(plan.name))
                return fail(Code::invalid_argument, "two models have the name ", quoted(plan.name),
                            "; a presets file gives them other names");
            ModelSource* const source = add(std::move(plan), path, "");
            source->at_start = !serves_several(values_);
        }
        return {};
    }

    Status add_presets() {
        const std::string& file = values_.text("models_preset");
        INGLE_ASSIGN(const std::string text, read_file(file));
        auto presets = presets_of(text, values_);
        if (!presets.ok()) return std::move(presets).status().in(file);
        for (Preset& preset : *presets) {
            LoadPlan plan{.name = preset.name, .aliases = {preset.name}, .tags = words_of(preset.values.text("tags")),
                          .model = preset.model, .values = std::move(preset.values)};
            for (const std::string& alias : words_of(plan.values.text("alias")))
                if (alias != plan.name) plan.aliases.push_back(alias);
            if (preset.hides_source) hidden_.push_back(preset.model);
            if (ModelSource* const source = add(std::move(plan), preset.model, preset.definition))
                source->at_start = preset.at_start;
        }
        return {};
    }

    Status add_folder() {
        const std::string& folder = values_.text("models_dir");
        if (!fs::is_directory(folder)) return fail(Code::not_found, "--models-dir ", quoted(folder), " is no folder");
        for (const fs::path& path : sorted_entries(folder)) {
            if (!fs::is_directory(path)) {
                if (const auto name = name_of_file(path)) add_file(*name, path.string());
                continue;
            }
            for (const fs::path& inner : sorted_entries(path)) {
                if (!name_of_file(inner)) continue;
                add_file(path.filename().string(), inner.string());
                break;
            }
        }
        return {};
    }

    void add_file(const std::string& name, const std::string& path) {
        add({.name = name, .aliases = {name}, .tags = {}, .model = path, .values = values_}, path, "");
    }

    void add_downloaded() {
        const hub::Cache cache = hub::Cache::of_environment();
        for (const hub::Cache::Entry& entry : cache.entries()) {
            const auto stem = name_of_file(entry.name);
            if (!stem) continue;
            const std::string path = cache.file(entry.repo, entry.commit, entry.name).string();
            // "user/repo:Q4_K_M", as people ask for it; the file's own name always works.
            const std::string type = stem->substr(stem->find_last_of("-.") + 1);
            const std::string name = cat(entry.repo, ":", type), exact = cat(entry.repo, "/", entry.name);
            LoadPlan plan{.name = known(name) ? exact : name, .aliases = {exact}, .tags = {}, .model = path,
                          .values = values_};
            if (plan.name != exact) plan.aliases.insert(plan.aliases.begin(), plan.name);
            if (ModelSource* const source = add(std::move(plan), path, ""))
                source->listed = std::ranges::none_of(hidden_, [&](const std::string& hidden) {
                    return hidden == name || hidden == entry.repo || hidden == path;
                });
        }
    }

    const OptionValues& values_;
    server::Service& service_;
    std::shared_ptr<Runtimes> runtimes_;
    std::vector<ModelSource> sources_;
    std::vector<std::string> hidden_;
};

}  // namespace

bool serves_several(const OptionValues& values) {
    const size_t named = values.list("model").size() + (values.text("hf_repo").empty() ? 0 : 1);
    return named != 1 || !values.text("models_dir").empty() || !values.text("models_preset").empty();
}

Result<std::vector<ModelSource>> model_sources(const OptionValues& values, server::Service& service) {
    return Finder(values, service).find();
}

}  // namespace ingle::cli
