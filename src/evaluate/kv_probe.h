// How the keys and values of a model are best stored, found by trying: `-ctk auto`, `-ctv auto`.
//
// A short text goes through the model with f16, q8_0 and q4_0 in step, and how far the latter lead its distributions away
// from those with f16 is measured. The text is always the same, so the choice is a function of the model and the build.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/session.h"

namespace ingle::evaluate {

struct KvProbe {
    KvType keys = KvType::f16;  // chosen, or as given
    KvType values = KvType::f16;
    int64_t tokens = 0;         // that were measured; 0: the model's context is too short to tell
    double eight_bits = 0;      // mean divergence from f16, nats
    double four_bits = 0;

    // What was chosen and why, for people.
    std::string text() const;
};

// q4_0 if it is at most 1.2 times as far from f16 as q8_0 is; else q8_0, or f16 if even that is far.
KvType choose_kv_type(double eight_bits, double four_bits);

// Chooses the types that are not given.
Result<KvProbe> probe_kv_types(const std::shared_ptr<const Model>& model, std::optional<KvType> keys,
                               std::optional<KvType> values);

}  // namespace ingle::evaluate
