#include "engine/step_rows.h"

namespace ingle {

StepRows::StepRows(int64_t rows_max, int64_t members_max) : rows_max_(rows_max) {
    for (auto* const rows : {&positions_, &outputs_, &alone_outputs_})
        rows->reserve(size_t(rows_max));
    tokens_.reserve(size_t(rows_max));
    sequences_.reserve(size_t(members_max));
    members_.reserve(size_t(members_max));
}

void StepRows::clear() {
    tokens_.clear();
    positions_.clear();
    outputs_.clear();
    sequences_.clear();
    members_.clear();
}

void StepRows::add(Slot& slot, int64_t count, Outputs outputs) {
    const int64_t first = slot.sequence.length() - count;
    SequenceRows rows;
    rows.pages = slot.sequence.pages();
    rows.first_windowed = int32_t(slot.sequence.first_windowed_token());
    rows.first = int32_t(tokens_.size());
    rows.count = int32_t(count);
    rows.first_output = int32_t(outputs_.size());
    rows.outputs = outputs == Outputs::none ? 0 : outputs == Outputs::last ? 1 : int32_t(count);
    for (int64_t i = 0; i < count; ++i) {
        if (i >= count - rows.outputs) outputs_.push_back(int32_t(tokens_.size()));
        tokens_.push_back(slot.lane->tokens[size_t(first + i)]);
        positions_.push_back(int32_t(first + i));
    }
    sequences_.push_back(rows);
    members_.push_back({&slot, rows});
}

backend::Call StepRows::call() const {
    backend::Call call;
    call.batch = {tokens_, positions_, outputs_, sequences_};
    return call;
}

backend::Call StepRows::call_of(size_t member, SequenceRows& rows) {
    rows = members_[member].rows;
    alone_outputs_.clear();
    for (int32_t i = rows.count - rows.outputs; i < rows.count; ++i) alone_outputs_.push_back(i);
    backend::Call call;
    call.batch.tokens = std::span(tokens_).subspan(size_t(rows.first), size_t(rows.count));
    call.batch.positions = std::span(positions_).subspan(size_t(rows.first), size_t(rows.count));
    call.batch.outputs = alone_outputs_;
    rows.first = rows.first_output = 0;
    call.batch.sequences = {&rows, 1};
    return call;
}

}  // namespace ingle
