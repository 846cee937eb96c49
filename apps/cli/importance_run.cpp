#include "cli/importance_run.h"

#include <cstdio>

#include "base/log.h"
#include "base/platform.h"
#include "cli/json_writer.h"
#include "cli/options/engine.h"
#include "cli/options/model.h"
#include "evaluate/importance.h"
#include "evaluate/perplexity.h"

namespace ingle::cli {

namespace {

constexpr int64_t window_default = 512;

int64_t window_size(const OptionValues& values) {
    const int64_t size = values.integer("ctx_size");
    return size == 0 ? window_default : size;
}

Result<evaluate::Windows> windows_of_text(const OptionValues& values, const Model& model) {
    INGLE_ASSIGN(const auto text, given_text(values));
    std::string_view content = *text;
    if (values.given("file") && content.ends_with('\n')) content.remove_suffix(1);
    const Tokenizer& tokenizer = *model.tokenizer();
    auto tokens = tokenizer.encode(
        content, {.add_special = true, .parse_special = values.flag("parse_special")});
    evaluate::WindowOptions cut;
    cut.size = window_size(values);
    cut.windows_min = 1;
    const int64_t chunks = values.integer("chunks");
    if (chunks >= 0) cut.windows_max = chunks + values.integer("from_chunk");
    std::optional<Token> bos;
    if (tokenizer.adds_bos()) bos = tokenizer.special().bos;
    return evaluate::cut_windows(std::move(tokens), cut, bos);
}

class Measurement {
  public:
    explicit Measurement(const OptionValues& values)
        : values_(values), path_(values.text("output")),
          dataset_(values.given("file") ? values.text("file") : "-p"),
          first_window_(values.integer("from_chunk")) {}

    // --in-file, or with --resume the output file, whose windows are left out.
    Status begin() {
        INGLE_ASSIGN(before_, merged_inputs(values_));
        std::error_code ignored;
        if (!values_.flag("resume") || !std::filesystem::exists(path_, ignored)) return {};
        if (!before_.entries.empty())
            return fail(Code::invalid_argument,
                        "--resume takes up the output file; it cannot be used with --in-file");
        INGLE_ASSIGN(before_, imatrix::load(path_, uint32_t(window_size(values_))));
        if (before_.chunk_tokens != window_size(values_) ||
            before_.datasets != std::vector<std::string>{dataset_})
            return fail(Code::invalid_argument, "--resume: ", quoted(path_), " is not of ",
                        quoted(dataset_), " alone with windows of ", window_size(values_), " tokens");
        first_window_ += before_.chunk_count;
        return {};
    }

    Status run(std::shared_ptr<const Model> model) {
        INGLE_ASSIGN(const auto windows, windows_of_text(values_, *model));
        count_ = windows.count - first_window_;
        if (count_ <= 0 && values_.flag("resume") && !before_.entries.empty())
            return report(before_, {});
        if (count_ <= 0)
            return fail(Code::invalid_argument, "--from-chunk leaves out ", first_window_,
                        " windows, the text fills ", windows.count);
        INGLE_ASSIGN(SessionOptions settings, session_options(values_, model));
        settings.observe_inputs = true;
        settings.without_logits = !values_.flag("ppl");
        INGLE_ASSIGN(session_, evaluate::open_for_windows(model, settings, windows.size));
        ThreadPool pool(model->runtime().threads());
        return measure_importance(*session_, windows, pool, {first_window_, values_.flag("ppl")},
                                  [this](int64_t count, std::span<const double> surprise) {
                                      return window_done(count, surprise);
                                  });
    }

  private:
    Status window_done(int64_t count, std::span<const double> surprise) {
        if (!surprise.empty() && !values_.flag("json")) {
            std::printf("[%lld]%.4f,", static_cast<long long>(count),
                        evaluate::perplexity_of(surprise).value);
            std::fflush(stdout);
        }
        const bool stop = platform::interrupts() > 0, last = count == count_;
        const int64_t copies = values_.integer("save_frequency");
        const bool copy = copies > 0 && count % copies == 0;
        const bool write = stop || last || count % values_.integer("output_frequency") == 0;
        if (!copy && !write) return {};
        INGLE_ASSIGN(const auto matrix, matrix_after(count));
        if (write) INGLE_TRY(save_as_asked(values_, matrix, path_));
        if (copy) INGLE_TRY(save_as_asked(values_, matrix, cat(path_, ".at_", matrix.chunk_count)));
        if (last) return report(matrix, surprise);
        return stop ? fail(Code::cancelled, "interrupted; ", quoted(path_), " holds ", matrix.chunk_count,
                           " chunks, --resume goes on")
                    : Status();
    }

    Result<imatrix::Matrix> matrix_after(int64_t count) const {
        imatrix::Matrix seen = evaluate::observed_importance(*session_, values_.flag("process_output"));
        seen.chunk_count = uint32_t(count);
        seen.chunk_tokens = uint32_t(window_size(values_));
        seen.datasets = {dataset_};
        imatrix::Matrix sum = before_;
        if (sum.entries.empty()) sum.chunk_tokens = seen.chunk_tokens;
        INGLE_TRY(merge(sum, seen));
        return sum;
    }

    Status report(const imatrix::Matrix& matrix, std::span<const double> surprise) const {
        const evaluate::Estimate ppl = evaluate::perplexity_of(surprise);
        if (values_.flag("json")) {
            JsonWriter json;
            json.begin_object().member("file", std::string_view(path_));
            json.member("chunks", matrix.chunk_count).member("tensors", matrix.entries.size());
            json.key("perplexity");
            if (surprise.empty()) json.null();
            else json.value(ppl.value);
            std::printf("%s\n", json.end_object().text().c_str());
            return {};
        }
        if (!surprise.empty()) std::printf("\nFinal estimate: PPL = %.4f +/- %.5f\n", ppl.value, ppl.error);
        std::printf("%s: %zu tensors, %u chunks\n", path_.c_str(), matrix.entries.size(),
                    matrix.chunk_count);
        return {};
    }

    const OptionValues& values_;
    std::string path_;
    std::string dataset_;
    int64_t first_window_;
    int64_t count_ = 0;  // windows to read
    imatrix::Matrix before_;
    std::unique_ptr<Session> session_;
};

}  // namespace

Status save_as_asked(const OptionValues& values, const imatrix::Matrix& matrix, const std::string& path) {
    const bool dat = values.text("output_format") == "dat";
    return imatrix::save(path, matrix, dat ? imatrix::Form::dat : imatrix::Form::gguf);
}

Result<imatrix::Matrix> merged_inputs(const OptionValues& values) {
    imatrix::Matrix sum;
    bool first = true;
    for (const std::string& list : values.list("in_file"))
        for (const std::string_view path : split(list, ',')) {
            INGLE_ASSIGN(auto matrix, imatrix::load(std::string(path), uint32_t(window_size(values))));
            if (!first && sum.chunk_tokens != matrix.chunk_tokens)
                log(LogLevel::warning, path, ": its windows have ", matrix.chunk_tokens,
                    " tokens, those before ", sum.chunk_tokens);
            if (first) sum.chunk_tokens = matrix.chunk_tokens;
            first = false;
            INGLE_TRY(merge(sum, matrix).in(path));
        }
    return sum;
}

Status measure_and_save(const Invocation& invocation) {
    platform::count_interrupts();
    Measurement measurement(invocation.values);
    INGLE_TRY(measurement.begin());
    INGLE_ASSIGN(const auto model, load_model(invocation));
    return measurement.run(model);
}

}  // namespace ingle::cli
