// ingle perplexity: how well models predict a text, how far they are from another one, how well they do tasks.
#include <algorithm>
#include <cstdio>

#include "base/platform.h"
#include "cli/divergence_report.h"
#include "cli/options/compatibility.h"
#include "cli/options/engine.h"
#include "cli/options/model.h"
#include "cli/task_modes.h"
#include "cli/terminal.h"
#include "evaluate/perplexity.h"

namespace ingle::cli {

namespace {

constexpr int64_t window_default = 512;

std::vector<Option> options() {
    constexpr char group[] = "Measurement";
    const auto number = [](const char* name, const char* flags, int64_t initial, double min,
                           const char* help) {
        return Option{.name = name, .flags = flags, .placeholder = "N", .default_value = initial,
                      .help = help, .min = min, .max = 1 << 30, .group = group};
    };
    const auto file = [](const char* name, const char* flags, const char* help) {
        return Option{.name = name, .flags = flags, .placeholder = "FILE",
                      .default_value = std::string(), .help = help, .group = group};
    };
    std::vector<Option> all = {model_option()};
    const auto add = [&all](std::vector<Option> more) {
        for (Option& option : more) all.push_back(std::move(option));
    };
    add(text_options());
    add({number("chunks", "--chunks", -1, -1, "windows to score; -1: all that the text fills"),
         number("ppl_stride", "--ppl-stride", 0, 0,
                "begin a window so many tokens after the last and score its last so many; 0: windows "
                "follow each other"),
         number("ppl_output_type", "--ppl-output-type", 0, 0,
                "1: a line with tokens and perplexity after each window"),
         file("kl_divergence_base", "--kl-divergence-base,--save-all-logits",
              "write the log-probabilities there; with --kl-divergence, read them"),
         {.name = "kl_divergence", .flags = "--kl-divergence", .placeholder = "",
          .default_value = false, .help = "compare with the base that the file holds",
          .group = group},
         file("plot", "--plot",
              "draw divergence by position and quality against size there: .html or .svg"),
         json_option()});
    add(task_options());
    for (Option& option : engine_options()) {
        if (option.name == "ctx_size") {
            option.help = "tokens of a window; 0: 512. With --kl-divergence the base's";
            option.default_value = int64_t(0);
        }
        all.push_back(std::move(option));
    }
    add(compatibility_options());
    return all;
}

Status check_plot_name(const std::string& path) {
    if (path.empty() || path.ends_with(".html") || path.ends_with(".svg")) return {};
    return fail(Code::invalid_argument, "--plot: expected a file name ending in .html or .svg, found ",
                quoted(path));
}

Result<evaluate::Windows> windows_of_text(const OptionValues& values, const Model& model) {
    INGLE_ASSIGN(const auto text, given_text(values));
    if (!text) return fail(Code::invalid_argument, "expected a text to measure: -f FILE or -p TEXT");
    std::string_view content = *text;
    if (values.given("file") && content.ends_with('\n')) content.remove_suffix(1);
    const Tokenizer& tokenizer = *model.tokenizer();
    std::vector<Token> tokens =
        tokenizer.encode(content, {.add_special = true, .parse_special = false});
    if (tokenizer.adds_eos() && !tokens.empty() && tokens.back() == tokenizer.special().eos)
        tokens.pop_back();
    evaluate::WindowOptions cut;
    cut.size = values.integer("ctx_size") == 0 ? window_default : values.integer("ctx_size");
    cut.windows_max = values.integer("chunks");
    cut.stride = values.integer("ppl_stride");
    std::optional<Token> bos;
    if (tokenizer.adds_bos()) bos = tokenizer.special().bos;
    return evaluate::cut_windows(std::move(tokens), cut, bos);
}

Status check_interrupt() {
    return platform::interrupts() > 0 ? fail(Code::cancelled, "interrupted") : Status();
}

// Text appears while it is found; JSON only at the end.
void print_now(bool json, const std::string& text) {
    if (json) return;
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

std::string running_text(const OptionValues& values, int64_t window, int64_t tokens, double value) {
    char text[64];
    if (values.integer("ppl_output_type") == 0)
        std::snprintf(text, sizeof(text), "[%lld]%.4f,", static_cast<long long>(window), value);
    else
        std::snprintf(text, sizeof(text), "%8lld  %.4f\n", static_cast<long long>(tokens), value);
    return text;
}

Result<TextMeasurement> measure_perplexity(const OptionValues& values,
                                           std::shared_ptr<const Model> model,
                                           TextMeasurement found) {
    INGLE_ASSIGN(const auto windows, windows_of_text(values, *model));
    INGLE_ASSIGN(const SessionOptions settings, session_options(values, model));
    INGLE_ASSIGN(const auto session, evaluate::open_for_windows(model, settings, windows.size));
    ThreadPool pool(model->runtime().threads());
    std::optional<evaluate::LogitsWriter> base;
    if (!values.text("kl_divergence_base").empty()) {
        INGLE_ASSIGN(base, evaluate::LogitsWriter::create(values.text("kl_divergence_base"), windows,
                                                          model->vocab()));
    }
    found.window_tokens = windows.size;
    found.windows = windows.count;
    found.stride = values.integer("ppl_stride");
    const auto done = [&](int64_t count, std::span<const double> surprise) -> Status {
        found.running.push_back(evaluate::perplexity_of(surprise).value);
        print_now(values.flag("json"),
                  running_text(values, count, count * windows.size, found.running.back()));
        return check_interrupt();
    };
    INGLE_ASSIGN(found.surprise, measure_surprise(*session, windows, pool, base ? &*base : nullptr, done));
    if (base) INGLE_TRY(base->finish());
    print_now(values.flag("json"), "\n" + perplexity_line(found));
    return found;
}

Result<TextMeasurement> measure_divergence_of(const OptionValues& values,
                                              std::shared_ptr<const Model> model,
                                              TextMeasurement found) {
    const std::string& path = values.text("kl_divergence_base");
    if (path.empty())
        return fail(Code::invalid_argument,
                    "--kl-divergence: expected the file to compare with: --kl-divergence-base FILE");
    INGLE_ASSIGN(const auto base, evaluate::LogitsReader::open(path));
    INGLE_ASSIGN(auto windows, evaluate::windows_of(base, *model));
    const int64_t wanted = values.integer("chunks");
    if (wanted == 0) return fail(Code::invalid_argument, "no window to score: --chunks is 0");
    if (wanted > 0) windows.count = std::min(windows.count, wanted);
    INGLE_ASSIGN(const SessionOptions settings, session_options(values, model));
    INGLE_ASSIGN(const auto session, evaluate::open_for_windows(model, settings, windows.size));
    ThreadPool pool(model->runtime().threads());
    found.window_tokens = windows.size;
    found.windows = windows.count;
    const bool json = values.flag("json");
    print_now(json, divergence_heading());
    const auto done = [&](int64_t count, const evaluate::DivergenceRows& rows) -> Status {
        const auto so_far = summarize(rows.first(count));
        found.running.push_back(so_far.perplexity.value);
        print_now(json, divergence_line(count, so_far));
        return check_interrupt();
    };
    INGLE_ASSIGN(auto rows, measure_divergence(*session, base, windows, pool, done));
    found.surprise = rows.surprise;
    print_now(json, divergence_text(rows));
    found.divergence = std::move(rows);
    return found;
}

Result<std::vector<std::string>> model_files(const Invocation& invocation) {
    std::vector<std::string> files = invocation.arguments;
    if (!invocation.values.text("model").empty())
        files.insert(files.begin(), invocation.values.text("model"));
    if (files.empty())
        return fail(Code::invalid_argument, "no model given: name GGUF files, the first with -m FILE");
    if (files.size() > 1 && !invocation.values.flag("kl_divergence") &&
        !invocation.values.text("kl_divergence_base").empty())
        return fail(Code::invalid_argument, "--kl-divergence-base is written from one model, found ",
                    files.size());
    return files;
}

Status draw(const std::string& path, const std::vector<TextMeasurement>& found) {
    if (path.empty()) return {};
    const auto charts = charts_of(found);
    const std::string content = path.ends_with(".html")
                                    ? evaluate::html_of("ingle perplexity", charts)
                                    : evaluate::svg_of(charts.size() > 1 && found.size() > 1
                                                           ? charts.back() : charts.front());
    return write_file_atomically(path, std::as_bytes(std::span(content)));
}

Status run(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    INGLE_TRY(check_compatibility(values));
    INGLE_TRY(check_plot_name(values.text("plot")));
    INGLE_ASSIGN(const bool task, task_asked(values));
    INGLE_ASSIGN(const auto files, model_files(invocation));
    platform::count_interrupts();
    std::vector<TextMeasurement> found;
    for (const std::string& file : files) {
        Invocation one{.values = values, .arguments = {}};
        INGLE_TRY(one.values.set("model", file));
        INGLE_ASSIGN(const auto model, load_model(one));
        if (files.size() > 1) print_now(values.flag("json"), cat("\n", file, "\n"));
        if (task) {
            INGLE_ASSIGN(const SessionOptions settings, session_options(values, model));
            INGLE_TRY(run_task(values, model, settings));
            continue;
        }
        TextMeasurement empty;
        empty.model_file = file;
        empty.model_bytes = model->file_bytes();
        auto measured = values.flag("kl_divergence")
                            ? measure_divergence_of(values, model, std::move(empty))
                            : measure_perplexity(values, model, std::move(empty));
        if (!measured.ok()) return std::move(measured).status();
        found.push_back(std::move(*measured));
    }
    if (task) return {};
    if (values.flag("json")) {
        JsonWriter json(2);
        json.begin_array();
        for (const TextMeasurement& one : found) write_measurement(json, one);
        std::printf("%s\n", json.end_array().text().c_str());
    }
    return draw(values.text("plot"), found);
}

}  // namespace

namespace entries {
extern const Verb perplexity;
const Verb perplexity = {
    .name = "perplexity",
    .group = "Measure",
    .summary = "measure how well models predict a text, or how far they are from another",
    .arguments = "[FILE]...",
    .about = "  ingle perplexity -m MODEL.gguf -f wiki.test.raw\n"
             "  ingle perplexity -m F16.gguf -f wiki.test.raw --kl-divergence-base base.kld\n"
             "  ingle perplexity Q8_0.gguf Q4_K_M.gguf --kl-divergence-base base.kld --kl-divergence "
             "--plot kld.html\n"
             "  ingle perplexity -m MODEL.gguf -f hellaswag_val_full.txt --hellaswag\n\n"
             "Scores the second half of each window, as llama-perplexity does, and reads and writes its\n"
             "files of log-probabilities. Errors are one standard error.",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
