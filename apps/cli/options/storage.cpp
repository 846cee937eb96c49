#include "cli/options/storage.h"

#include <cstdlib>

namespace ingle::cli {

namespace {

namespace fs = std::filesystem;

constexpr char group[] = "Engine";
constexpr std::string_view usual = "default";

fs::path environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace

Option repack_cache_option(const char* help) {
    return {.name = "repack_cache",
            .flags = "--repack-cache",
            .placeholder = "[DIR]",
            .default_value = std::string(),
            .help = help,
            .group = group,
            .implied = std::string(usual)};
}

std::vector<Option> storage_options() {
    return {
        {.name = "repack", .flags = "--repack,!-nr,!--no-repack", .placeholder = "",
         .default_value = true,
         .help = "pack weights in the kernels' own order while they are read; --no-repack multiplies them where the file is "
                 "mapped: starts at once and shares the file's memory, but is slower",
         .group = group},
        repack_cache_option("keep the packed weights in a file of this folder, which later runs map and share; DIR begins with "
                            "/ . or ~, or stands behind an =; without it ~/.cache/ingle/repacked"),
    };
}

fs::path default_repack_cache() {
    fs::path cache = environment("XDG_CACHE_HOME");
    if (cache.empty()) cache = environment("HOME") / ".cache";
    return cache / "ingle" / "repacked";
}

fs::path repack_cache_folder(const OptionValues& values) {
    if (values.find("repack_cache") == nullptr) return {};
    const std::string& text = values.text("repack_cache");
    if (text == usual) return default_repack_cache();
    if (text == "~" || text.starts_with("~/")) return environment("HOME") / fs::path(text.substr(1)).relative_path();
    return text;
}

Result<cpu::StorageOptions> storage_of(const OptionValues& values) {
    cpu::StorageOptions storage;
    if (values.find("repack") == nullptr) return storage;
    storage.no_repack = !values.flag("repack");
    storage.repack_cache = repack_cache_folder(values);
    storage.check_cache = values.flag("check_tensors");
    if (storage.no_repack && !storage.repack_cache.empty())
        return fail(Code::invalid_argument, "--no-repack and --repack-cache were both given; one of them is expected");
    return storage;
}

}  // namespace ingle::cli
