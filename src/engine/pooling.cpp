#include "engine/pooling.h"

#include <algorithm>
#include <cmath>

namespace ingle {

void Pooler::add(std::span<const float> states) {
    const auto columns = size_t(columns_);
    const size_t rows = states.size() / columns;
    if (rows == 0) return;
    switch (pooling_) {
        case Pooling::mean:
            sums_.resize(columns, 0.0);
            for (size_t i = 0; i < states.size(); ++i) sums_[i % columns] += double(states[i]);
            break;
        case Pooling::cls:
            if (tokens_ == 0) values_.assign(states.begin(), states.begin() + columns_);
            break;
        case Pooling::rank:
        case Pooling::last: values_.assign(states.end() - columns_, states.end()); break;
        case Pooling::none: values_.insert(values_.end(), states.begin(), states.end()); break;
    }
    tokens_ += int64_t(rows);
}

void Pooler::reset() {
    tokens_ = 0;
    sums_.clear();
    values_.clear();
}

Embedding Pooler::finish() {
    Embedding embedding;
    embedding.tokens = tokens_;
    if (pooling_ == Pooling::mean)
        for (const double sum : sums_) values_.push_back(float(sum / double(tokens_)));
    if (pooling_ == Pooling::rank && head_ != nullptr && !values_.empty()) values_ = {head_->score(values_)};
    for (size_t at = 0; normalize_ && at < values_.size(); at += size_t(columns_)) {
        double squares = 0;
        for (int64_t c = 0; c < columns_; ++c)
            squares += double(values_[at + size_t(c)]) * double(values_[at + size_t(c)]);
        if (squares <= 0) continue;
        const double factor = 1 / std::sqrt(squares);
        for (int64_t c = 0; c < columns_; ++c)
            values_[at + size_t(c)] = float(double(values_[at + size_t(c)]) * factor);
    }
    embedding.values = std::move(values_);
    reset();
    return embedding;
}

}  // namespace ingle
