#include "cli/bench_compare.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/cpu_info.h"
#include "base/platform.h"
#include "cli/json_writer.h"

namespace ingle::cli {

namespace {

// The number after "name": in a line of JSON without nesting.
std::optional<double> number_after(std::string_view line, std::string_view name) {
    const std::string key = cat("\"", name, "\":");
    const size_t at = line.find(key);
    if (at == std::string_view::npos) return std::nullopt;
    std::string_view rest = line.substr(at + key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return parse_real(rest.substr(0, rest.find_first_of(",}")));
}

void append_list(std::vector<std::string>& words, const char* flag, std::vector<int64_t> numbers) {
    std::ranges::sort(numbers);
    numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
    std::string text;
    for (const int64_t number : numbers) text += cat(text.empty() ? "" : ",", number);
    words.push_back(flag);
    words.push_back(text.empty() ? "0" : text);
}

// The tests of the plan in the peer's words.
std::vector<std::string> peer_words(const OptionValues& values, const BenchPlan& plan,
                                    const BenchStage& stage, const std::string& peer) {
    std::vector<int64_t> prompts, lengths, depths;
    std::vector<std::string> words = {peer, "-m", stage.model_file, "-o", "jsonl", "-r", "1"};
    for (const BenchTest& test : plan.tests) {
        depths.push_back(test.depth_tokens);
        if (test.prompt_tokens > 0 && test.generated_tokens > 0) {
            const std::string pair = cat(test.prompt_tokens, ",", test.generated_tokens);
            if (test.depth_tokens == plan.tests[0].depth_tokens) words.insert(words.end(), {"-pg", pair});
        } else if (test.prompt_tokens > 0) {
            prompts.push_back(test.prompt_tokens);
        } else {
            lengths.push_back(test.generated_tokens);
        }
    }
    append_list(words, "-p", prompts);
    append_list(words, "-n", lengths);
    append_list(words, "-d", depths);
    words.insert(words.end(), {"-t", cat(stage.model->runtime().threads())});
    words.insert(words.end(), {"-b", cat(stage.setting.batch_tokens), "-ub", cat(stage.setting.chunk_tokens)});
    words.insert(words.end(), {"-ctk", stage.setting.key_type, "-ctv", stage.setting.value_type});
    for (const std::string_view word : split(values.text("peer_args"), ' '))
        if (!word.empty()) words.emplace_back(word);
    return words;
}

Result<std::vector<PeerResult>> run_peer(std::span<const std::string> words) {
    int status = 0;
    const auto output = platform::run_program(words, status);
    std::string command;
    for (const std::string& word : words) command += (command.empty() ? "" : " ") + word;
    if (!output)
        return fail(Code::not_found, "cannot run ", quoted(words[0], 4096), ": ", std::strerror(errno));
    if (platform::interrupts() > 0) return fail(Code::cancelled, "interrupted");
    if (status != 0)
        return fail(Code::io, "the other program ended with ", status, "; run it by hand to see why: ", command);
    auto results = parse_peer(*output);
    if (!results.ok()) return std::move(results).status().in(command);
    return results;
}

Status add_theirs(std::vector<ComparedTest>& tests, const std::vector<PeerResult>& results) {
    for (ComparedTest& compared : tests) {
        const auto same = [&](const PeerResult& result) { return result.test.name() == compared.test.name(); };
        const auto found = std::ranges::find_if(results, same);
        if (found == results.end())
            return fail(Code::corrupt, "the other program reports no ", compared.test.name());
        compared.theirs.push_back(found->tokens_per_second);
    }
    return {};
}

Status add_ours(std::vector<ComparedTest>& tests, BenchStage& stage) {
    for (ComparedTest& compared : tests) {
        INGLE_TRY(warm_up(*stage.session, compared.test));
        INGLE_ASSIGN(const int64_t ns, time_once(*stage.session, compared.test));
        compared.ours.push_back(1e9 * double(compared.test.tokens()) / double(std::max<int64_t>(ns, 1)));
    }
    return {};
}

std::vector<double> ratios_of(const ComparedTest& test) {
    std::vector<double> ratios;
    for (size_t i = 0; i < test.ours.size(); ++i) ratios.push_back(test.ours[i] / test.theirs[i]);
    return ratios;
}

std::string table_line(const ComparedTest& test) {
    const std::vector<double> ratios = ratios_of(test);
    char text[256];
    std::snprintf(text, sizeof(text), " | %d | %lld | %s/%s | %s | %.2f | %.2f | %.2f (%.2f to %.2f) |\n",
                  test.threads, static_cast<long long>(test.setting.chunk_tokens),
                  test.setting.key_type.c_str(), test.setting.value_type.c_str(), test.test.name().c_str(),
                  median_of(test.ours), median_of(test.theirs), median_of(ratios),
                  std::ranges::min(ratios), std::ranges::max(ratios));
    return cat("| ", test.model_type, text);
}

std::string json_of(const std::vector<ComparedTest>& tests) {
    JsonWriter json(2);
    json.begin_object().member("cpu_info", std::string_view(cpu_model_name())).key("tests").begin_array();
    for (const ComparedTest& test : tests) {
        const std::vector<double> ratios = ratios_of(test);
        json.begin_object().member("model_type", std::string_view(test.model_type));
        json.member("n_threads", test.threads).member("n_ubatch", test.setting.chunk_tokens);
        json.member("type_k", std::string_view(test.setting.key_type));
        json.member("type_v", std::string_view(test.setting.value_type));
        json.member("test", std::string_view(test.test.name())).member("ours", median_of(test.ours));
        json.member("theirs", median_of(test.theirs)).member("ratio", median_of(ratios));
        json.member("ratio_min", std::ranges::min(ratios)).member("ratio_max", std::ranges::max(ratios));
        json.key("pairs").begin_array();
        for (size_t i = 0; i < test.ours.size(); ++i)
            json.begin_array().value(test.ours[i]).value(test.theirs[i]).end_array();
        json.end_array().end_object();
    }
    return json.end_array().end_object().text() + "\n";
}

void print_heading(int64_t pairs) {
    std::printf("%s, %lld interleaved pairs, medians\n\n"
                "| model | threads | n_ubatch | cache | test | ours t/s | theirs t/s "
                "| ratio (lowest to highest pair) |\n"
                "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
                std::string(cpu_model_name()).c_str(), static_cast<long long>(pairs));
}

Status compare_stage(const OptionValues& values, const BenchPlan& plan, BenchStage& stage,
                     const std::string& peer, std::vector<ComparedTest>& all) {
    std::vector<ComparedTest> tests;
    for (const BenchTest& test : plan.tests)
        tests.push_back({stage.model->description(), stage.model->runtime().threads(), stage.setting, test, {}, {}});
    const auto words = peer_words(values, plan, stage, peer);
    for (int64_t pair = 0; pair < values.integer("pairs"); ++pair) {
        if (pair % 2 == 0) INGLE_TRY(add_ours(tests, stage));
        INGLE_ASSIGN(const auto theirs, run_peer(words));
        INGLE_TRY(add_theirs(tests, theirs));
        if (pair % 2 == 1) INGLE_TRY(add_ours(tests, stage));
        if (values.flag("progress"))
            std::fprintf(stderr, "%s: pair %lld of %lld\n", stage.model_file.c_str(),
                         static_cast<long long>(pair + 1), static_cast<long long>(values.integer("pairs")));
    }
    if (values.text("output") == "md") {
        if (all.empty()) print_heading(values.integer("pairs"));
        for (const ComparedTest& test : tests) std::fputs(table_line(test).c_str(), stdout);
        std::fflush(stdout);
    }
    std::ranges::move(tests, std::back_inserter(all));
    return {};
}

}  // namespace

double median_of(std::vector<double> values) {
    std::ranges::sort(values);
    const size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Result<std::vector<PeerResult>> parse_peer(std::string_view jsonl) {
    std::vector<PeerResult> results;
    for (const std::string_view line : split(jsonl, '\n')) {
        if (trim(line).empty()) continue;
        const auto prompt = number_after(line, "n_prompt"), length = number_after(line, "n_gen");
        const auto depth = number_after(line, "n_depth"), rate = number_after(line, "avg_ts");
        if (!prompt || !length || !rate || *rate <= 0)
            return fail(Code::corrupt, "expected llama-bench's JSON with n_prompt, n_gen and avg_ts, found ",
                        quoted(line));
        results.push_back({{int64_t(*prompt), int64_t(*length), int64_t(depth.value_or(0))}, *rate});
    }
    if (results.empty()) return fail(Code::corrupt, "expected llama-bench's JSON, found nothing");
    return results;
}

Status compare_with(const OptionValues& values, const BenchPlan& plan, const std::string& peer) {
    const std::string& format = values.text("output");
    if (format != "md" && format != "json")
        return fail(Code::invalid_argument, "--compare reports as md or json, found -o ", format);
    std::vector<ComparedTest> all;
    INGLE_TRY(for_each_stage(values, plan, [&](BenchStage& stage) {
        return compare_stage(values, plan, stage, peer, all);
    }));
    if (format == "json") std::fputs(json_of(all).c_str(), stdout);
    return {};
}

}  // namespace ingle::cli
