// Looking at GGUF files: dump, get, hash, diff, check.
#include <cstdio>

#include "base/cpu_info.h"
#include "base/platform.h"
#include "base/sha256.h"
#include "cli/file_report.h"
#include "cli/gguf_actions.h"
#include "cli/json_writer.h"
#include "cli/model_file.h"
#include "cli/terminal.h"
#include "container/check.h"
#include "container/diff.h"
#include "container/parse_value.h"

namespace ingle::cli {

namespace {

constexpr size_t any = ~size_t(0);

Status dump(const GgufCall& call) {
    INGLE_ASSIGN(const auto file, open_model(call.words[0]));
    const std::string report = call.values.flag("json") ? json_report(file, call.words[0])
                                                        : text_report(file, call.words[0]);
    std::fputs(report.c_str(), stdout);
    return {};
}

Status get(const GgufCall& call) {
    INGLE_ASSIGN(const auto file, open_model(call.words[0]));
    const gguf::Value* const value = file.find(call.words[1]);
    if (value == nullptr) {
        std::vector<std::string_view> keys;
        for (const auto& entry : file.metadata().entries()) keys.push_back(entry.key);
        const std::string_view near = closest(call.words[1], keys);
        return fail(Code::not_found, call.words[0], ": there is no key ", quoted(call.words[1]),
                    near.empty() ? "" : cat("; did you mean ", near, "?"));
    }
    const std::string text = container::text_of(*value);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return {};
}

void print_hash(JsonWriter* json, const std::string& digest, const std::string& name) {
    if (json == nullptr) std::printf("%s  %s\n", digest.c_str(), name.c_str());
    else json->member(name, std::string_view(digest));
}

// The digest of a part's bytes, as sha256sum prints it.
Result<std::string> hash_of_part(const MappedFile& part) {
    Sha256 hash;
    std::vector<std::byte> piece(4 << 20);
    const uint64_t size = part.bytes().size();
    for (uint64_t offset = 0; offset < size; offset += piece.size()) {
        const auto bytes = std::span(piece).first(size_t(std::min<uint64_t>(piece.size(), size - offset)));
        INGLE_TRY(part.read(offset, bytes));
        hash.update(bytes);
        if (platform::interrupts() > 0) return fail(Code::cancelled, "interrupted");
    }
    return hash.finish();
}

Status hash(const GgufCall& call) {
    INGLE_ASSIGN(const auto file, open_model(call.words[0]));
    JsonWriter writer(2);
    JsonWriter* const json = call.values.flag("json") ? &writer : nullptr;
    const auto progress = show_progress("Hashing");
    writer.begin_object().key("files").begin_object();
    for (size_t s = 0; s < file.shard_count(); ++s) {
        INGLE_ASSIGN(std::string digest, hash_of_part(*file.shard(s)));
        print_hash(json, digest, file.shard(s)->path().string());
    }
    writer.end_object().key("tensors").begin_object();
    Sha256 all;
    uint64_t done = 0;
    for (const gguf::TensorInfo& tensor : file.tensors()) {
        Sha256 one;
        INGLE_TRY(container::for_each_piece(file, tensor, [&](std::span<const std::byte> bytes) {
            one.update(bytes);
            all.update(bytes);
            done += bytes.size();
            return progress(done, file.total_bytes());
        }));
        print_hash(json, one.finish(), json != nullptr ? tensor.name : cat(call.words[0], ":", tensor.name));
    }
    writer.end_object();
    print_hash(json, all.finish(), json != nullptr ? "all_tensors" : cat(call.words[0], ":"));
    if (json != nullptr) std::printf("%s\n", writer.end_object().text().c_str());
    return {};
}

std::string text_of(const container::FileDifference& difference) {
    std::string out;
    for (const auto& key : difference.keys) {
        if (!key.left.empty()) out += cat("- ", key.key, " = ", key.left, "\n");
        if (!key.right.empty()) out += cat("+ ", key.key, " = ", key.right, "\n");
    }
    for (const auto& tensor : difference.tensors) {
        if (tensor.data) {
            out += cat("! ", tensor.name, " ", tensor.left, ": other data");
        } else {
            out += cat(tensor.left.empty() ? "+ " : tensor.right.empty() ? "- " : "! ", tensor.name, " ",
                       tensor.left, tensor.left.empty() || tensor.right.empty() ? "" : " -> ",
                       tensor.right);
        }
        char error[64] = "";
        if (tensor.relative_error >= 0)
            std::snprintf(error, sizeof(error), ", relative error %.3g", tensor.relative_error);
        out += cat(error, "\n");
    }
    return cat(out, difference.same() ? "The files hold the same: " : "", difference.same_tensors,
               " tensors are the same, ", difference.tensors.size(), " differ; ",
               difference.keys.size(), " metadata keys differ\n");
}

std::string json_of(const container::FileDifference& difference) {
    JsonWriter json(2);
    json.begin_object().member("same", difference.same());
    json.member("same_tensors", difference.same_tensors).key("metadata").begin_array();
    const auto side = [&](const char* name, const std::string& text) {
        json.key(name);
        if (text.empty()) json.null();
        else json.value(std::string_view(text));
    };
    for (const auto& key : difference.keys) {
        json.begin_object().member("key", std::string_view(key.key));
        side("left", key.left);
        side("right", key.right);
        json.end_object();
    }
    json.end_array().key("tensors").begin_array();
    for (const auto& tensor : difference.tensors) {
        json.begin_object().member("name", std::string_view(tensor.name));
        side("left", tensor.left);
        side("right", tensor.right);
        json.key("relative_error");
        if (tensor.relative_error < 0) json.null();
        else json.value(tensor.relative_error);
        json.end_object();
    }
    return json.end_array().end_object().text() + "\n";
}

Status diff(const GgufCall& call) {
    INGLE_ASSIGN(const auto left, open_model(call.words[0]));
    INGLE_ASSIGN(const auto right, open_model(call.words[1]));
    INGLE_ASSIGN(const auto difference, container::compare(left, right, show_progress("Comparing")));
    const std::string report = call.values.flag("json") ? json_of(difference) : text_of(difference);
    std::fputs(report.c_str(), stdout);
    return {};
}

Status check_one(const std::string& path, ThreadPool& pool, bool as_json) {
    INGLE_ASSIGN(const auto file, open_model(path));
    INGLE_ASSIGN(const auto report, container::check_tensors(file, pool, show_progress("Checking")));
    if (as_json) {
        JsonWriter json(2);
        json.begin_object().member("file", std::string_view(path)).member("tensors", report.tensors);
        json.member("blocks", report.blocks).key("not_decodable").begin_array();
        for (const std::string& name : report.unknown) json.value(std::string_view(name));
        json.end_array().key("faults").begin_array();
        for (const container::TensorFault& fault : report.faults) {
            json.begin_object().member("tensor", std::string_view(fault.tensor));
            json.member("type", std::string_view(fault.type)).member("bad_blocks", fault.bad_blocks);
            json.member("first_block", fault.first_block).member("first_row", fault.first_row);
            json.end_object();
        }
        std::printf("%s\n", json.end_array().end_object().text().c_str());
    } else if (report.faults.empty()) {
        std::printf("%s: %llu tensors, %llu blocks, every value is finite\n", path.c_str(),
                    static_cast<unsigned long long>(report.tensors),
                    static_cast<unsigned long long>(report.blocks));
        if (!report.unknown.empty())
            std::printf("%s: %zu tensors are of types that this build cannot decode, the first is %s\n",
                        path.c_str(), report.unknown.size(), report.unknown[0].c_str());
    }
    Status faults = status_of(report);
    for (size_t i = 1; i < report.faults.size(); ++i)
        std::fprintf(stderr, "%s: %s\n", path.c_str(), describe(report.faults[i]).c_str());
    return std::move(faults).in(path);
}

Status check(const GgufCall& call) {
    std::string reason;
    const int64_t threads = call.values.integer("threads");
    ThreadPool pool(threads > 0 ? int(threads) : default_thread_count(&reason));
    Status worst;
    for (const std::string& path : call.words)
        if (Status status = check_one(path, pool, call.values.flag("json")); !status.ok()) {
            if (!worst.ok()) std::fprintf(stderr, "error: %s\n", worst.message().c_str());
            worst = std::move(status);
        }
    return worst;
}

}  // namespace

container::Progress show_progress(std::string label) {
    return [bar = std::make_shared<ProgressBar>(std::move(label))](uint64_t done, uint64_t total) {
        bar->show(done, total);
        return platform::interrupts() > 0 ? fail(Code::cancelled, "interrupted") : Status();
    };
}

std::span<const GgufAction> gguf_reports() {
    static constexpr GgufAction actions[] = {
        {"dump", "FILE", "header, metadata and tensors; --json has every array in full", 1, 1, dump},
        {"get", "FILE KEY", "one metadata value, whole", 2, 2, get},
        {"hash", "FILE", "SHA-256 of the file, of every tensor, and of all tensors in order", 1, 1, hash},
        {"diff", "FILE FILE", "what differs in metadata and tensors, with the relative error", 2, 2, diff},
        {"check", "FILE...", "decodes every block; names those with NaN, infinity or bad codes", 1, any, check},
    };
    return actions;
}

}  // namespace ingle::cli
