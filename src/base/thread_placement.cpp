#include "base/thread_placement.h"

#include <atomic>

#include "base/log.h"
#include "base/platform_cpu.h"
#include "base/text.h"

namespace ingle {

namespace {

constexpr size_t mask_digits_max = 256;  // 1024 processors

std::optional<int> digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::nullopt;
}

template <class... Parts>
void warn_once(std::atomic<bool>& warned, const Parts&... parts) {
    if (!warned.exchange(true)) log(LogLevel::warning, parts...);
}

}  // namespace

std::vector<int> ThreadPlacement::processors_of(int thread, int threads) const {
    const std::vector<int>* from = &processors;
    if (!nodes.empty()) from = &nodes[size_t(thread) * nodes.size() / size_t(threads)];
    if (!one_each || from->empty()) return *from;
    if (nodes.empty()) return {(*from)[size_t(thread) % from->size()]};
    // The first thread of this node takes its first processor.
    int first = thread;
    while (first > 0 && &nodes[size_t(first - 1) * nodes.size() / size_t(threads)] == from) --first;
    return {(*from)[size_t(thread - first) % from->size()]};
}

Result<std::vector<int>> processors_of_mask(std::string_view hexadecimal) {
    std::string_view digits = hexadecimal;
    if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
    std::vector<int> processors;
    bool valid = !digits.empty() && digits.size() <= mask_digits_max;
    for (size_t i = 0; valid && i < digits.size(); ++i) {
        const auto value = digit_value(digits[digits.size() - 1 - i]);
        valid = value.has_value();
        for (int bit = 0; valid && bit < 4; ++bit)
            if ((*value >> bit) & 1) processors.push_back(int(i) * 4 + bit);
    }
    if (!valid || processors.empty())
        return fail(Code::invalid_argument, "expected a mask of processors like 0xff, at most ", mask_digits_max,
                    " hexadecimal digits, found ", quoted(hexadecimal));
    return processors;
}

std::string mask_of_processors(const std::vector<int>& processors) {
    std::string digits = "0";
    for (const int processor : processors) {
        const size_t place = size_t(processor) / 4;  // from the right
        if (digits.size() <= place) digits.insert(0, place + 1 - digits.size(), '0');
        char& digit = digits[digits.size() - 1 - place];
        digit = "0123456789abcdef"[*digit_value(digit) | 1 << processor % 4];
    }
    return "0x" + digits;
}

Result<std::vector<int>> processors_of_range(std::string_view range, int count) {
    const size_t dash = range.find('-');
    const auto number = [&](std::string_view text, int otherwise) -> std::optional<int64_t> {
        return text.empty() ? otherwise : parse_int(text);
    };
    std::optional<int64_t> first, last;
    if (dash != std::string_view::npos && range.size() > 1) {
        first = number(range.substr(0, dash), 0);
        last = number(range.substr(dash + 1), count - 1);
    }
    if (!first || !last || *first < 0 || *first > *last || *last >= int64_t(mask_digits_max) * 4)
        return fail(Code::invalid_argument, "expected a range of processors like 0-7, found ", quoted(range));
    std::vector<int> processors;
    for (int64_t i = *first; i <= *last; ++i) processors.push_back(int(i));
    return processors;
}

void place_this_thread(const ThreadPlacement& placement, int thread, int threads) {
    static std::atomic<bool> affinity_warned{false}, priority_warned{false};
    const auto processors = placement.processors_of(thread, threads);
    if (!processors.empty() && !platform::set_affinity(processors))
        warn_once(affinity_warned, "the system does not let thread ", thread,
                  " run on the processors asked for, the first of them number ", processors.front(),
                  "; it runs where it did");
    if (placement.priority != 0 && !platform::set_priority(placement.priority))
        warn_once(priority_warned, "--prio ", placement.priority,
                  ": the system refuses (raising a priority needs the right CAP_SYS_NICE); going on without");
}

}  // namespace ingle
