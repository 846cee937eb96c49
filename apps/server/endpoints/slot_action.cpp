// POST /slots/{id}?action=save|restore|erase: the cache of what ran in a slot, to and from a file
// of the folder that
// --slot-save-path names.
#include <algorithm>

#include "server/error.h"
#include "server/served_model.h"
#include "server/service.h"

namespace ingle::server {

namespace {

// A name that stays in its folder.
Status check_name(std::string_view name) {
    const bool plain =
        !name.empty() && name != "." && name != ".." && name.size() <= 255 &&
        std::ranges::all_of(name, [](char c) {
            return uint8_t(c) >= ' ' &&
                   std::string_view("/\\:*?\"<>|\x7f").find(c) == std::string_view::npos;
        });
    return plain ? Status() : fail(Code::invalid_argument, "'filename': ", quoted(name), " is no plain file name");
}

Json saved_json(int64_t slot, const std::string& name, const SavedSequence& saved, bool restored) {
    return {{"id_slot", slot},
            {"filename", name},
            {restored ? "n_restored" : "n_saved", saved.tokens},
            {restored ? "n_read" : "n_written", saved.bytes},
            {"timings", {{restored ? "restore_ms" : "save_ms", saved.seconds * 1e3}}}};
}

Result<Json> act(const Request& request, Service& service) {
    const auto slot = parse_int(request.parameter);
    const auto model = request.model;
    Engine& engine = *model->engine;
    if (!slot || *slot < 0 || *slot >= engine.sequences_max())
        return fail(Code::invalid_argument, "expected a slot from 0 to ", engine.sequences_max() - 1, ", found ",
                    quoted(request.parameter));
    const std::string action = request.query_value("action");
    if (action == "erase") {
        INGLE_ASSIGN(const int64_t tokens, engine.erase(*slot));
        return Json{{"id_slot", *slot}, {"n_erased", tokens}};
    }
    if (action != "save" && action != "restore")
        return fail(Code::invalid_argument, "'action': expected save, restore or erase, found ", quoted(action));
    const std::string& folder = service.settings().slot_save_folder;
    if (folder.empty())
        return fail(Code::unsupported,
                    "This server does not support slots action. Start it with `--slot-save-path`");
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    Fields fields(body);
    fields.require("filename");
    const std::string name = fields.text("filename");
    INGLE_TRY(fields.status());
    INGLE_TRY(check_name(name));
    const auto path = std::filesystem::path(folder) / name;
    const bool restore = action == "restore";
    auto saved = restore ? engine.restore(*slot, path) : engine.save(*slot, path);
    // A file that is not there, or not of this model, is the request's fault.
    if (!saved.ok() && restore && saved.status().code() != Code::internal)
        return fail(Code::invalid_argument, saved.status().message());
    if (!saved.ok()) return std::move(saved).status();
    return saved_json(*slot, name, *saved, restore);
}

Response answer(const Request& request, Service& service) {
    const auto done = act(request, service);
    return done.ok() ? json_response(*done) : error_response(done.status());
}

}  // namespace

namespace entries {
extern const Endpoint slot_action;
const Endpoint slot_action = {.method = "POST", .path = "/slots/{id}", .open = false, .respond = answer,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
