// How many prompt tokens a step may take while answers are under way, so that their next tokens come in time.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ingle {

class Pace {
  public:
    // target_seconds of a step; 0: no bound.
    explicit Pace(double target_seconds) : target_(target_seconds) {}

    // At least a page, so that prompts get on.
    int64_t prompt_rows(int64_t most) const {
        if (target_ <= 0 || row_seconds_ <= 0) return most;
        const double rows = (target_ - decode_seconds_) / row_seconds_;
        return std::clamp(int64_t(rows), std::min<int64_t>(rows_least, most), most);
    }

    // What a step took.
    void learn(double seconds, int64_t decode_rows, int64_t prompt_rows) {
        if (prompt_rows == 0) average(decode_seconds_, seconds);
        else if (prompt_rows >= rows_least)
            average(row_seconds_, std::max(0.0, seconds - (decode_rows > 0 ? decode_seconds_ : 0)) /
                                      double(prompt_rows));
    }

  private:
    static constexpr int64_t rows_least = 32;
    static constexpr double weight = 0.2;  // of the newest

    static void average(double& value, double now) {
        value = value > 0 ? value + weight * (now - value) : now;
    }

    double target_;
    double row_seconds_ = 0;
    double decode_seconds_ = 0;
};

}  // namespace ingle
