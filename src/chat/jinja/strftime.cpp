#include "chat/jinja/strftime.h"

#include <array>
#include <cstdio>
#include <unordered_map>

namespace ingle::jinja {

namespace {

constexpr std::array<std::string_view, 7> days = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                  "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> months = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

std::string padded(int value, int width, char fill = '0') {
    std::array<char, 24> buffer;
    const int size =
        std::snprintf(buffer.data(), buffer.size(), fill == '0' ? "%0*d" : "%*d", width, value);
    return std::string(buffer.data(), size_t(size));
}

bool leap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int hour12(const std::tm& t) {
    return t.tm_hour % 12 == 0 ? 12 : t.tm_hour % 12;
}

struct IsoWeek {
    int year, week;
};

// Weeks start on Monday; the first is the one with the year's first Thursday (ISO 8601).
IsoWeek iso_week(const std::tm& t) {
    const int year = t.tm_year + 1900;
    const int weekday = (t.tm_wday + 6) % 7;
    const int week = (t.tm_yday - weekday + 10) / 7;
    const auto weeks_in = [](int y) {
        const auto last_day = [](int z) { return (z + z / 4 - z / 100 + z / 400) % 7; };
        return last_day(y) == 4 || last_day(y - 1) == 3 ? 53 : 52;
    };
    if (week < 1) return {year - 1, weeks_in(year - 1)};
    if (week > weeks_in(year)) return {year + 1, 1};
    return {year, week};
}

int64_t epoch_seconds(const std::tm& t) {
    int64_t count = 0;
    const int year = t.tm_year + 1900;
    for (int y = 1970; y < year; ++y) count += leap(y) ? 366 : 365;
    for (int y = year; y < 1970; ++y) count -= leap(y) ? 366 : 365;
    return ((count + t.tm_yday) * 24 + t.tm_hour) * 3600 + t.tm_min * 60 + t.tm_sec;
}

using Field = std::string (*)(const std::tm&);

const std::unordered_map<char, Field>& fields() {
    using T = const std::tm&;
    static const std::unordered_map<char, Field> table = {
        {'a', [](T t) { return std::string(days[size_t(t.tm_wday)].substr(0, 3)); }},
        {'A', [](T t) { return std::string(days[size_t(t.tm_wday)]); }},
        {'b', [](T t) { return std::string(months[size_t(t.tm_mon)].substr(0, 3)); }},
        {'h', [](T t) { return std::string(months[size_t(t.tm_mon)].substr(0, 3)); }},
        {'B', [](T t) { return std::string(months[size_t(t.tm_mon)]); }},
        {'c', [](T t) { return format_time(t, "%a %b %e %H:%M:%S %Y"); }},
        {'C', [](T t) { return padded((t.tm_year + 1900) / 100, 2); }},
        {'d', [](T t) { return padded(t.tm_mday, 2); }},
        {'D', [](T t) { return format_time(t, "%m/%d/%y"); }},
        {'e', [](T t) { return padded(t.tm_mday, 2, ' '); }},
        {'f', [](T) { return std::string("000000"); }},
        {'F', [](T t) { return format_time(t, "%Y-%m-%d"); }},
        {'g', [](T t) { return padded(iso_week(t).year % 100, 2); }},
        {'G', [](T t) { return padded(iso_week(t).year, 4); }},
        {'H', [](T t) { return padded(t.tm_hour, 2); }},
        {'I', [](T t) { return padded(hour12(t), 2); }},
        {'j', [](T t) { return padded(t.tm_yday + 1, 3); }},
        {'k', [](T t) { return padded(t.tm_hour, 2, ' '); }},
        {'l', [](T t) { return padded(hour12(t), 2, ' '); }},
        {'m', [](T t) { return padded(t.tm_mon + 1, 2); }},
        {'M', [](T t) { return padded(t.tm_min, 2); }},
        {'n', [](T) { return std::string("\n"); }},
        {'p', [](T t) { return std::string(t.tm_hour < 12 ? "AM" : "PM"); }},
        {'P', [](T t) { return std::string(t.tm_hour < 12 ? "am" : "pm"); }},
        {'r', [](T t) { return format_time(t, "%I:%M:%S %p"); }},
        {'R', [](T t) { return format_time(t, "%H:%M"); }},
        {'s', [](T t) { return std::to_string(epoch_seconds(t)); }},
        {'S', [](T t) { return padded(t.tm_sec, 2); }},
        {'t', [](T) { return std::string("\t"); }},
        {'T', [](T t) { return format_time(t, "%H:%M:%S"); }},
        {'u', [](T t) { return std::to_string(t.tm_wday == 0 ? 7 : t.tm_wday); }},
        {'U', [](T t) { return padded((t.tm_yday + 7 - t.tm_wday) / 7, 2); }},
        {'V', [](T t) { return padded(iso_week(t).week, 2); }},
        {'w', [](T t) { return std::to_string(t.tm_wday); }},
        {'W', [](T t) { return padded((t.tm_yday + 7 - (t.tm_wday + 6) % 7) / 7, 2); }},
        {'x', [](T t) { return format_time(t, "%m/%d/%y"); }},
        {'X', [](T t) { return format_time(t, "%H:%M:%S"); }},
        {'y', [](T t) { return padded((t.tm_year + 1900) % 100, 2); }},
        {'Y', [](T t) { return std::to_string(t.tm_year + 1900); }},
        // The reference's clock has no time zone.
        {'z', [](T) { return std::string(); }},
        {'Z', [](T) { return std::string(); }},
        {'%', [](T) { return std::string("%"); }},
    };
    return table;
}

// "%-d" drops the zeros in front, "%_d" makes them blanks, "%^a" makes capitals: as glibc has it.
std::string flagged(std::string text, char flag) {
    if (flag == '^')
        for (char& c : text)
            if (c >= 'a' && c <= 'z') c = char(c - 32);
    size_t zeros = 0;
    while (zeros + 1 < text.size() && (text[zeros] == '0' || text[zeros] == ' ')) ++zeros;
    if (flag == '-') return text.substr(zeros);
    if (flag == '_' || flag == '0')
        text.replace(0, zeros, std::string(zeros, flag == '_' ? ' ' : '0'));
    return text;
}

}  // namespace

std::string format_time(const std::tm& time, std::string_view format) {
    static constexpr std::string_view flags = "-_0^";
    std::string out;
    for (size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%' || i + 1 == format.size()) {
            out += format[i];
            continue;
        }
        size_t at = i + 1;
        const char flag = flags.find(format[at]) != std::string_view::npos ? format[at] : '\0';
        if (flag) ++at;
        const auto field = at < format.size() ? fields().find(format[at]) : fields().end();
        if (field == fields().end()) {
            out += '%';
            continue;
        }
        out += flag ? flagged(field->second(time), flag) : field->second(time);
        i = at;
    }
    return out;
}

}  // namespace ingle::jinja
