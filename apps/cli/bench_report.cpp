#include "cli/bench_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

#include "base/cpu_info.h"
#include "base/version.h"
#include "cli/json_writer.h"

namespace ingle::cli {

namespace {

std::string formatted(const char* format, double a, double b = 0) {
    std::array<char, 64> text;
    std::snprintf(text.data(), text.size(), format, a, b);
    return text.data();
}

// One value under llama-bench's name for it. `type` is SQL's.
struct Field {
    std::string_view name;
    enum class Type { text, integer, real, boolean } type;
    std::string value;
};

Field text_field(std::string_view name, std::string_view value) {
    return {name, Field::Type::text, std::string(value)};
}
Field integer_field(std::string_view name, int64_t value) { return {name, Field::Type::integer, cat(value)}; }
Field boolean_field(std::string_view name, bool value) {
    return {name, Field::Type::boolean, value ? "1" : "0"};
}
Field real_field(std::string_view name, double value) {
    return {name, Field::Type::real, formatted("%.6f", value)};
}

std::vector<Field> fields_of(const BenchRow& row) {
    const std::vector<double> times(row.samples_ns.begin(), row.samples_ns.end());
    const MeanDeviation time = mean_deviation(times), speed = row.tokens_per_second();
    std::vector<Field> fields = {
        text_field("build_commit", version_text), integer_field("build_number", 0),
        text_field("cpu_info", cpu_model_name()), text_field("gpu_info", ""), text_field("backends", "CPU"),
        text_field("model_filename", row.model_file), text_field("model_type", row.model_type),
        integer_field("model_size", int64_t(row.model_bytes)), integer_field("model_n_params", row.parameters),
        integer_field("n_batch", row.setting.batch_tokens), integer_field("n_ubatch", row.setting.chunk_tokens),
        integer_field("n_threads", row.threads), text_field("cpu_mask", mask_of_processors(row.placement.processors)),
        boolean_field("cpu_strict", row.placement.one_each), integer_field("poll", row.placement.poll), text_field("type_k", row.setting.key_type),
        text_field("type_v", row.setting.value_type), integer_field("n_gpu_layers", 0), integer_field("n_cpu_moe", 0),
        text_field("split_mode", "none"), integer_field("main_gpu", 0), boolean_field("no_kv_offload", true),
        integer_field("flash_attn", 1), text_field("devices", "CPU"), text_field("tensor_split", "0.00"),
        text_field("tensor_buft_overrides", "none"), text_field("load_mode", "none"), text_field("lazy_mode", "off"),
        boolean_field("embeddings", false), integer_field("no_op_offload", 0), boolean_field("no_host", false),
        boolean_field("repack", row.repack), integer_field("fit_target", 0), integer_field("fit_min_ctx", 0),
        integer_field("n_prompt", row.test.prompt_tokens), integer_field("n_gen", row.test.generated_tokens),
        integer_field("n_depth", row.test.depth_tokens), text_field("test_time", row.begun),
        integer_field("avg_ns", std::llround(time.mean)), integer_field("stddev_ns", std::llround(time.deviation)),
        real_field("avg_ts", speed.mean), real_field("stddev_ts", speed.deviation)};
    if (row.roof_share) fields.push_back(real_field("roof_share", *row.roof_share));
    return fields;
}

void write_json(JsonWriter& json, const BenchRow& row) {
    json.begin_object();
    for (const Field& field : fields_of(row)) {
        json.key(field.name);
        switch (field.type) {
            case Field::Type::text: json.value(std::string_view(field.value)); break;
            case Field::Type::boolean: json.value(field.value == "1"); break;
            case Field::Type::integer: json.value(*parse_int(field.value)); break;
            case Field::Type::real: json.value(*parse_real(field.value)); break;
        }
    }
    json.key("samples_ns").begin_array();
    for (const int64_t ns : row.samples_ns) json.value(ns);
    json.end_array().key("samples_ts").begin_array();
    for (const double rate : row.rates()) json.value(rate);
    json.end_array().end_object();
}

// The values, each in quotes, with quotes inside doubled.
std::string quoted_values(const BenchRow& row, char quote, std::string_view separator) {
    std::string out;
    for (const Field& field : fields_of(row)) {
        if (!out.empty()) out += separator;
        out += quote;
        for (const char c : field.value) out += c == quote ? std::string(2, c) : std::string(1, c);
        out += quote;
    }
    return out;
}

std::string names(const BenchRow& row, std::string_view separator) {
    std::string out;
    for (const Field& field : fields_of(row)) out += cat(out.empty() ? "" : separator, field.name);
    return out;
}

std::string sql_table(const BenchRow& row) {
    std::string out;
    for (const Field& field : fields_of(row)) {
        const char* const type = field.type == Field::Type::text   ? "TEXT"
                                 : field.type == Field::Type::real ? "REAL" : "INTEGER";
        out += cat(out.empty() ? "  " : ",\n  ", field.name, " ", type);
    }
    return cat("CREATE TABLE IF NOT EXISTS llama_bench (\n", out, "\n);\n\n");
}

struct Column {
    std::string title;
    bool left = false;
    std::function<std::string(const BenchRow&)> value;
};

// Settings get a column where a row does not have the default.
std::vector<Column> columns_for(const std::vector<BenchRow>& rows) {
    const auto any = [&](auto differs) { return std::ranges::any_of(rows, differs); };
    const BenchSetting usual;
    std::vector<Column> columns = {
        {"model", true, [](const BenchRow& row) { return row.model_type; }},
        {"size", false, [](const BenchRow& row) { return human_bytes(row.model_bytes); }},
        {"params", false,
         [](const BenchRow& row) {
             const double count = double(row.parameters);
             return count >= 1e9 ? formatted("%.2f B", count / 1e9) : formatted("%.2f M", count / 1e6);
         }},
        {"backend", true, [](const BenchRow&) { return std::string("CPU"); }},
        {"threads", false, [](const BenchRow& row) { return cat(row.threads); }}};
    const auto add = [&](const char* title, auto value, auto usual_value) {
        if (any([&](const BenchRow& row) { return value(row.setting) != usual_value; }))
            columns.push_back({title, false, [value](const BenchRow& row) { return cat(value(row.setting)); }});
    };
    add("n_batch", [](const BenchSetting& s) { return s.batch_tokens; }, usual.batch_tokens);
    add("n_ubatch", [](const BenchSetting& s) { return s.chunk_tokens; }, usual.chunk_tokens);
    add("type_k", [](const BenchSetting& s) { return s.key_type; }, usual.key_type);
    add("type_v", [](const BenchSetting& s) { return s.value_type; }, usual.value_type);
    columns.push_back({"test", false, [](const BenchRow& row) { return row.test.name(); }});
    columns.push_back({"t/s", false, [](const BenchRow& row) {
                           const MeanDeviation speed = row.tokens_per_second();
                           return formatted("%.2f ± %.2f", speed.mean, speed.deviation);
                       }});
    if (any([](const BenchRow& row) { return row.roof_share.has_value(); }))
        columns.push_back({"of roof", false, [](const BenchRow& row) {
                               return row.roof_share ? formatted("%.0f %%", 100 * *row.roof_share)
                                                     : std::string("-");
                           }});
    return columns;
}

std::string markdown(const std::vector<BenchRow>& rows) {
    std::string head = "|", rule = "|", body;
    const std::vector<Column> columns = columns_for(rows);
    for (const Column& column : columns) {
        head += cat(" ", column.title, " |");
        rule += column.left ? " --- |" : " ---: |";
    }
    for (const BenchRow& row : rows) {
        body += "|";
        for (const Column& column : columns) body += cat(" ", column.value(row), " |");
        body += "\n";
    }
    return cat(head, "\n", rule, "\n", body);
}

}  // namespace

MeanDeviation mean_deviation(const std::vector<double>& samples) {
    MeanDeviation found;
    for (const double sample : samples) found.mean += sample / double(samples.size());
    if (samples.size() < 2) return found;
    double squares = 0;
    for (const double sample : samples) squares += (sample - found.mean) * (sample - found.mean);
    found.deviation = std::sqrt(squares / double(samples.size() - 1));
    return found;
}

std::vector<double> BenchRow::rates() const {
    std::vector<double> rates;
    for (const int64_t ns : samples_ns)
        rates.push_back(1e9 * double(test.tokens()) / double(std::max<int64_t>(ns, 1)));
    return rates;
}

bool is_by_line(std::string_view format) {
    return format == "csv" || format == "jsonl" || format == "sql";
}

std::string report_head(std::string_view format, const BenchRow& first) {
    if (format == "csv") return names(first, ",") + "\n";
    return format == "sql" ? sql_table(first) : "";
}

std::string report_row(std::string_view format, const BenchRow& row) {
    if (format == "csv") return quoted_values(row, '"', ",") + "\n";
    if (format == "sql")
        return cat("INSERT INTO llama_bench (", names(row, ", "), ") VALUES (",
                   quoted_values(row, '\'', ", "), ");\n");
    JsonWriter json;
    write_json(json, row);
    return json.text() + "\n";
}

std::string report_all(std::string_view format, const std::vector<BenchRow>& rows) {
    if (format == "md") return markdown(rows);
    JsonWriter json(2);
    json.begin_array();
    for (const BenchRow& row : rows) write_json(json, row);
    return json.end_array().text() + "\n";
}

}  // namespace ingle::cli
