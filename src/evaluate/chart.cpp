#include "evaluate/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/text.h"

namespace ingle::evaluate {

namespace {

constexpr double width = 760, height = 420;
constexpr double left = 80, right = 24, top = 44, bottom = 56;
constexpr const char* colours[] = {"#1f6fb4", "#d1592b", "#2e8b57", "#8a4fa3", "#8c6d1f", "#555555"};

const char* colour(size_t series) { return colours[series % std::size(colours)]; }

std::string number(double value, const char* format = "%.6g") {
    std::array<char, 40> text;
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '&') out += "&amp;";
        else if (c == '"') out += "&quot;";
        else out += c;
    }
    return out;
}

bool usable(const ChartPoint& point) {
    return std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.error);
}

struct Axis {
    double low = 0, high = 1, step = 0.2;  // ticks at multiples of step
    double begin = 0, end = 1;             // pixels

    double place(double value) const {
        return begin + (value - low) / (high - low) * (end - begin);
    }
};

// Widens the range to multiples of 1, 2 or 5 times a power of ten.
Axis axis_of(double low, double high, double begin, double end) {
    if (!(low <= high)) low = 0, high = 1;
    if (low == high) {
        const double around = low == 0 ? 1 : std::fabs(low) / 2;
        low -= around;
        high += around;
    }
    const double rough = (high - low) / 6;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough) step = std::min(step, factor * power);
    return {std::floor(low / step) * step, std::ceil(high / step) * step, step, begin, end};
}

struct Axes {
    Axis x, y;
};

Axes axes_of(const Chart& chart) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double x_low = infinity, x_high = -infinity, y_low = infinity, y_high = -infinity;
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points) {
            if (!usable(point)) continue;
            x_low = std::min(x_low, point.x);
            x_high = std::max(x_high, point.x);
            y_low = std::min(y_low, point.y - point.error);
            y_high = std::max(y_high, point.y + point.error);
        }
    if (chart.y_from_zero) y_low = std::min(y_low, 0.0);
    return {axis_of(x_low, x_high, left, width - right), axis_of(y_low, y_high, height - bottom, top)};
}

std::string text_at(double x, double y, const char* anchor, const std::string& text,
                    const char* more = "") {
    return cat("<text x=\"", number(x), "\" y=\"", number(y), "\" text-anchor=\"", anchor, "\"", more,
               ">", escaped(text), "</text>\n");
}

std::string line(double x1, double y1, double x2, double y2, const char* stroke) {
    return cat("<line x1=\"", number(x1), "\" y1=\"", number(y1), "\" x2=\"", number(x2), "\" y2=\"",
               number(y2), "\" stroke=\"", stroke, "\"/>\n");
}

std::string frame(const Chart& chart, const Axes& axes) {
    std::string out;
    const auto ticks = [](const Axis& axis) { return int(std::lround((axis.high - axis.low) / axis.step)); };
    for (int i = 0; i <= ticks(axes.y); ++i) {
        const double value = axes.y.low + i * axes.y.step, y = axes.y.place(value);
        out += line(left, y, width - right, y, "#dddddd");
        out += text_at(left - 8, y + 4, "end", number(std::fabs(value) < axes.y.step / 1e6 ? 0 : value));
    }
    for (int i = 0; i <= ticks(axes.x); ++i) {
        const double value = axes.x.low + i * axes.x.step, x = axes.x.place(value);
        out += line(x, height - bottom, x, height - bottom + 5, "#333333");
        out += text_at(x, height - bottom + 19, "middle",
                       number(std::fabs(value) < axes.x.step / 1e6 ? 0 : value));
    }
    out += line(left, height - bottom, width - right, height - bottom, "#333333");
    out += line(left, top, left, height - bottom, "#333333");
    out += text_at(width / 2, 22, "middle", chart.title, " font-size=\"15\" font-weight=\"bold\"");
    out += text_at((left + width - right) / 2, height - 12, "middle", chart.x_title);
    out += cat("<text transform=\"translate(18 ", number((top + height - bottom) / 2),
               ") rotate(-90)\" text-anchor=\"middle\">", escaped(chart.y_title), "</text>\n");
    return out;
}

std::string joined(const ChartSeries& series, const Axes& axes, const char* stroke) {
    std::string path, upper, lower;
    for (const ChartPoint& point : series.points) {
        if (!usable(point)) continue;
        const std::string x = number(axes.x.place(point.x));
        path += cat(path.empty() ? "M" : "L", x, " ", number(axes.y.place(point.y)));
        upper += cat(upper.empty() ? "M" : "L", x, " ", number(axes.y.place(point.y + point.error)));
        lower.insert(0, cat("L", x, " ", number(axes.y.place(point.y - point.error))));
    }
    if (path.empty()) return "";
    return cat("<path d=\"", upper, lower, "Z\" fill=\"", stroke, "\" fill-opacity=\"0.18\"/>\n<path d=\"",
               path, "\" fill=\"none\" stroke=\"", stroke, "\" stroke-width=\"1.6\"/>\n");
}

std::string marks(const ChartSeries& series, const Axes& axes, const char* stroke) {
    std::string out;
    for (const ChartPoint& point : series.points) {
        if (!usable(point)) continue;
        const double x = axes.x.place(point.x), y = axes.y.place(point.y);
        if (point.error > 0)
            out += line(x, axes.y.place(point.y - point.error), x, axes.y.place(point.y + point.error),
                        stroke);
        out += cat("<circle cx=\"", number(x), "\" cy=\"", number(y), "\" r=\"4\" fill=\"", stroke,
                   "\"><title>", escaped(point.label), " ", number(point.x), ", ", number(point.y),
                   "</title></circle>\n");
        const bool at_end = x > width - right - 160;
        out += text_at(at_end ? x - 8 : x + 8, y - 6, at_end ? "end" : "start", point.label);
    }
    return out;
}

std::string table_of(const Chart& chart) {
    std::string out = cat("<table><tr><th></th><th>", escaped(chart.x_title), "</th><th>",
                          escaped(chart.y_title), "</th><th>standard error</th></tr>\n");
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points)
            out += cat("<tr><td>", escaped(point.label.empty() ? series.name : point.label), "</td><td>",
                       number(point.x), "</td><td>", number(point.y), "</td><td>", number(point.error),
                       "</td></tr>\n");
    return out + "</table>\n";
}

}  // namespace

std::string svg_of(const Chart& chart) {
    const Axes axes = axes_of(chart);
    std::string out = cat("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ", number(width), " ",
                          number(height), "\" width=\"", number(width), "\" height=\"", number(height),
                          "\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222222\">\n",
                          "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
                          frame(chart, axes));
    double legend = top + 14;
    for (size_t s = 0; s < chart.series.size(); ++s) {
        const ChartSeries& series = chart.series[s];
        out += series.joined ? joined(series, axes, colour(s)) : marks(series, axes, colour(s));
        if (series.name.empty()) continue;
        out += cat("<rect x=\"", number(left + 12), "\" y=\"", number(legend - 9),
                   "\" width=\"10\" height=\"10\" fill=\"", colour(s), "\"/>\n");
        out += text_at(left + 28, legend, "start", series.name);
        legend += 16;
    }
    return out + "</svg>\n";
}

std::string html_of(const std::string& title, const std::vector<Chart>& charts) {
    std::string out = cat("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>",
                          escaped(title), "</title>\n<style>body{font-family:sans-serif;margin:2em;",
                          "max-width:60em}table{border-collapse:collapse;margin:1em 0 2em}td,th{padding:",
                          "2px 10px;text-align:right;border-bottom:1px solid #ddd}td:first-child{text-align:",
                          "left}svg{max-width:100%;height:auto}</style></head><body>\n<h1>",
                          escaped(title), "</h1>\n");
    for (const Chart& chart : charts) out += svg_of(chart) + table_of(chart);
    return out + "</body></html>\n";
}

}  // namespace ingle::evaluate
