#include "server/generation_fields.h"

#include "server/constraint.h"
#include "server/sampling_fields.h"

namespace ingle::server {

namespace {

constexpr size_t stops_max = 16;
constexpr int64_t choices_max = 64;

// -1: until the context is full. -2 is what older scripts write for the same.
int64_t least_length(Fields& fields, int64_t fallback) {
    int64_t least = -1;
    for (const char* const name : {"n_predict", "max_tokens", "max_completion_tokens"}) {
        const int64_t given = fields.integer(name, -1);
        if (given < -2) fields.wrong(cat("'", name, "': expected a number of at least -1, found ", given));
        if (given >= 0 && (least < 0 || given < least)) least = given;
    }
    return least < 0 ? fallback : least;
}

}  // namespace

Result<GenerationRequest> generation_of(const Json& request, const ServedModel& model,
                                        const Settings& settings) {
    Fields fields(request);
    GenerationRequest wanted;
    wanted.sampling = model.sampling;
    INGLE_TRY(take_sampling(request, model.tokenizer(), wanted.sampling));
    wanted.tokens_max = least_length(fields, settings.tokens_max);
    wanted.stops = fields.texts("stop");
    if (wanted.stops.size() > stops_max)
        fields.wrong(cat("'stop': at most ", stops_max, " texts, found ", wanted.stops.size()));
    for (const std::string& stop : wanted.stops)
        if (stop.empty()) fields.wrong("'stop': a text is empty");
    const int64_t choices = fields.integer("n", fields.integer("n_cmpl", 1));
    if (choices < 1 || choices > choices_max)
        fields.wrong(cat("'n': expected a number from 1 to ", choices_max, ", found ", choices));
    wanted.choices = int(choices);
    wanted.ignore_end = false;  // "ignore_eos" is a setting of sampling: the end is never drawn
    wanted.cache_prompt = fields.flag("cache_prompt", true);
    wanted.info.slot = fields.integer("id_slot", -1);
    wanted.info.priority = int(fields.integer("priority", 0));
    INGLE_TRY(fields.status());
    INGLE_ASSIGN(wanted.grammar, constraint_of(request, model.tokenizer()));
    return wanted;
}

}  // namespace ingle::server
