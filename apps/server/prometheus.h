// The text form in which Prometheus reads metrics (version 0.0.4).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/histogram.h"

namespace ingle::server {

class PrometheusText {
  public:
    // Samples from here on carry this label; an empty name: none.
    void label(std::string_view name, std::string_view value);

    void counter(std::string_view name, std::string_view help, double value);
    void gauge(std::string_view name, std::string_view help, double value);
    void histogram(std::string_view name, std::string_view help, const Histogram& histogram);
    // Several samples under one name: first head(), then each with its own label.
    void head(std::string_view name, std::string_view type, std::string_view help);
    void sample(std::string_view name, double value, std::string_view label = {},
                std::string_view label_value = {});

    // Samples of one name together, in the order in which names came first.
    std::string take() const;

  private:
    struct Group {
        std::string name;
        std::string text;
    };
    std::string labels_;
    std::vector<Group> groups_;
    size_t group_ = 0;  // of the last head()
};

}  // namespace ingle::server
