// ingle imatrix: how important each input column of each matrix is, measured on a text, for quantizing well.
#include <cstdio>

#include "cli/importance_run.h"
#include "cli/json_writer.h"
#include "cli/options/compatibility.h"
#include "cli/options/engine.h"
#include "cli/options/model.h"
#include "imatrix/statistics.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    constexpr char group[] = "Measurement", files[] = "Files";
    const auto number = [&](const char* name, const char* flags, int64_t initial, double min,
                            const char* help, const char* heading) {
        return Option{.name = name, .flags = flags, .placeholder = "N", .default_value = initial,
                      .help = help, .min = min, .max = 1 << 30, .group = heading};
    };
    const auto flag = [&](const char* name, const char* flags, bool initial, const char* help) {
        return Option{.name = name, .flags = flags, .placeholder = "", .default_value = initial,
                      .help = help, .group = group};
    };
    std::vector<Option> all = {model_option()};
    const auto add = [&all](std::vector<Option> more) {
        for (Option& option : more) all.push_back(std::move(option));
    };
    add(text_options());
    add({number("chunks", "--chunks", -1, -1, "windows to read; -1: all that the text fills", group),
         number("from_chunk", "--chunk,--from-chunk", 0, 0, "leave out the first so many windows", group),
         flag("process_output", "--process-output", false, "also measure the output matrix"),
         flag("ppl", "--ppl,!--no-ppl", true, "compute the perplexity, too"),
         flag("parse_special", "--parse-special", false, "take <|names|> in the text for control tokens"),
         {.name = "output", .flags = "-o,--output,--output-file", .placeholder = "FILE",
          .default_value = std::string("imatrix.gguf"), .help = "the file to write", .group = files},
         {.name = "output_format", .flags = "--output-format", .placeholder = "FORM",
          .default_value = std::string("gguf"), .help = "how to write it", .choices = {"gguf", "dat"},
          .group = files},
         {.name = "in_file", .flags = "--in-file", .placeholder = "FILE",
          .default_value = std::vector<std::string>(),
          .help = "add what this file holds, in either form; may be given again. Without a text the files "
                  "are merged",
          .group = files},
         {.name = "resume", .flags = "--resume", .placeholder = "", .default_value = false,
          .help = "go on where the output file ends, if it is of the same text and window size",
          .group = files},
         number("output_frequency", "-ofreq,--output-frequency", 10, 1,
                "write the file every so many windows", files),
         number("save_frequency", "--save-frequency", 0, 0,
                "keep a copy FILE.at_N every so many windows; 0: none", files),
         {.name = "show_statistics", .flags = "--show-statistics", .placeholder = "",
          .default_value = false, .help = "show figures about the files of --in-file and do no more",
          .group = "Output"},
         json_option()});
    for (Option& option : engine_options()) {
        if (option.name == "ctx_size") option.help = "tokens of a window; 0: 512";
        all.push_back(std::move(option));
    }
    add(compatibility_options());
    return all;
}

void write_statistics(JsonWriter& json, const imatrix::EntryStatistics& s) {
    json.begin_object().member("name", std::string_view(s.name)).member("layer", s.layer);
    json.member("columns", s.columns).member("sum", s.sum).member("min", s.least);
    json.member("max", s.greatest).member("mean", s.mean).member("std_dev", s.deviation);
    json.member("active", s.active).member("entropy", s.entropy);
    json.member("entropy_share", s.entropy_share).member("z_above_1", s.outliers);
    json.member("similarity", s.similarity).end_object();
}

Status show_statistics(const OptionValues& values, const imatrix::Matrix& matrix) {
    const auto all = imatrix::statistics_of(matrix);
    if (values.flag("json")) {
        JsonWriter json(2);
        json.begin_object().member("chunks", matrix.chunk_count).member("chunk_tokens", matrix.chunk_tokens);
        json.key("datasets").begin_array();
        for (const std::string& name : matrix.datasets) json.value(std::string_view(name));
        json.end_array().key("tensors").begin_array();
        for (const auto& s : all) write_statistics(json, s);
        std::printf("%s\n", json.end_array().end_object().text().c_str());
        return {};
    }
    std::printf("%zu tensors, %u chunks of %u tokens\n\n", all.size(), matrix.chunk_count,
                matrix.chunk_tokens);
    std::printf("%-30s %12s %10s %10s %10s %10s %8s %7s %9s %8s %7s %7s\n", "tensor", "sum(act^2)", "min",
                "max", "mean", "std dev", "active", "N", "entropy", "E norm", "z > 1", "CosSim");
    for (const auto& s : all)
        std::printf("%-30s %12.2f %10.4f %10.4f %10.4f %10.4f %7.2f%% %7llu %9.4f %7.2f%% %6.2f%% %7.4f\n",
                    s.name.c_str(), s.sum, s.least, s.greatest, s.mean, s.deviation, 100 * s.active,
                    static_cast<unsigned long long>(s.columns), s.entropy, 100 * s.entropy_share,
                    100 * s.outliers, s.similarity);
    return {};
}

Status run(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    INGLE_TRY(check_compatibility(values));
    const bool text = values.given("file") || values.given("prompt");
    if (text && !values.flag("show_statistics")) return measure_and_save(invocation);
    INGLE_ASSIGN(const auto matrix, merged_inputs(values));
    if (matrix.entries.empty())
        return fail(Code::invalid_argument, "expected a text to measure on, -f FILE, or importance "
                    "matrices, --in-file FILE");
    if (values.flag("show_statistics")) return show_statistics(values, matrix);
    INGLE_TRY(save_as_asked(values, matrix, values.text("output")));
    std::printf("%s: %zu tensors, %u chunks\n", values.text("output").c_str(), matrix.entries.size(),
                matrix.chunk_count);
    return {};
}

}  // namespace

namespace entries {
extern const Verb imatrix;
const Verb imatrix = {
    .name = "imatrix",
    .group = "Measure",
    .summary = "measure which weights matter on a text, for quantizing well",
    .arguments = "",
    .about = "  ingle imatrix -m F16.gguf -f calibration.txt -o imatrix.gguf\n"
             "  ingle imatrix --in-file a.gguf --in-file b.dat -o both.gguf\n"
             "  ingle imatrix --in-file imatrix.gguf --show-statistics\n\n"
             "Reads and writes llama.cpp's files, the GGUF form and the older .dat.",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
