// The text form in which Prometheus reads metrics (version 0.0.4).
#pragma once

#include <string>
#include <string_view>

#include "engine/histogram.h"

namespace ingle::server {

class PrometheusText {
  public:
    // Every sample carries these, e.g. model_name="x".
    explicit PrometheusText(std::string labels) : labels_(std::move(labels)) {}

    void counter(std::string_view name, std::string_view help, double value);
    void gauge(std::string_view name, std::string_view help, double value);
    void histogram(std::string_view name, std::string_view help, const Histogram& histogram);
    // Several samples under one name: first head(), then each with its own label.
    void head(std::string_view name, std::string_view type, std::string_view help);
    void sample(std::string_view name, double value, std::string_view label = {},
                std::string_view label_value = {});

    std::string take() { return std::move(text_); }

  private:
    std::string labels_;
    std::string text_;
};

}  // namespace ingle::server
