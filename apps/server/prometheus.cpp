#include "server/prometheus.h"

#include <algorithm>

#include "base/text.h"

namespace ingle::server {

namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\' || c == '"') out += '\\';
        if (c == '\n') out += "\\n";
        else out += c;
    }
    return out;
}

}  // namespace

void PrometheusText::label(std::string_view name, std::string_view value) {
    labels_ = name.empty() ? std::string() : cat(name, "=\"", escaped(value), "\"");
}

std::string PrometheusText::take() const {
    std::string text;
    for (const Group& group : groups_) text += group.text;
    return text;
}

void PrometheusText::head(std::string_view name, std::string_view type, std::string_view help) {
    group_ = size_t(std::ranges::find(groups_, name, &Group::name) - groups_.begin());
    if (group_ < groups_.size()) return;
    groups_.push_back({std::string(name), cat("# HELP ", name, " ", help, "\n# TYPE ", name, " ", type, "\n")});
}

void PrometheusText::sample(std::string_view name, double value, std::string_view label,
                            std::string_view label_value) {
    std::string labels = labels_;
    if (!label.empty()) labels += cat(labels.empty() ? "" : ",", label, "=\"", escaped(label_value), "\"");
    if (!labels.empty()) labels = cat("{", labels, "}");
    groups_[group_].text += cat(name, labels, " ", value, "\n");
}

void PrometheusText::counter(std::string_view name, std::string_view help, double value) {
    head(name, "counter", help);
    sample(name, value);
}

void PrometheusText::gauge(std::string_view name, std::string_view help, double value) {
    head(name, "gauge", help);
    sample(name, value);
}

void PrometheusText::histogram(std::string_view name, std::string_view help, const Histogram& histogram) {
    head(name, "histogram", help);
    int64_t below = 0;
    // Every fourth bound, a factor of two apart, is enough for a dashboard.
    constexpr size_t stride = 4;
    for (size_t i = 0; i + 1 < Histogram::buckets; ++i) {
        below += histogram.counts()[i];
        if (i % stride == stride - 1) sample(cat(name, "_bucket"), double(below), "le", cat(Histogram::bound(i)));
    }
    sample(cat(name, "_bucket"), double(histogram.count()), "le", "+Inf");
    sample(cat(name, "_sum"), histogram.sum_seconds());
    sample(cat(name, "_count"), double(histogram.count()));
}

}  // namespace ingle::server
