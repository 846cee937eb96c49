// Charts as SVG text, needing nothing beside itself: a line with a band of errors, or labelled points.
#pragma once

#include <string>
#include <vector>

namespace ingle::evaluate {

struct ChartPoint {
    double x = 0, y = 0;
    double error = 0;   // drawn as y - error to y + error
    std::string label;  // beside the point
};

struct ChartSeries {
    std::string name;  // in the legend; empty: none
    std::vector<ChartPoint> points;
    bool joined = true;  // by a line, with the errors as a band; else marks with bars
};

struct Chart {
    std::string title, x_title, y_title;
    std::vector<ChartSeries> series;
    bool y_from_zero = true;
};

// One <svg> element. Points that are no finite numbers are left out.
std::string svg_of(const Chart& chart);

// A page with the charts, each with its numbers in a table below it.
std::string html_of(const std::string& title, const std::vector<Chart>& charts);

}  // namespace ingle::evaluate
