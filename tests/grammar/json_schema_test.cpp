// JSON Schema against the data of two suites: every valid instance accepted, every invalid one
// rejected, or the schema refused by keyword and place.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "grammar/grammar.h"
#include "support/fixtures.h"

namespace ingle::grammar {
namespace {

using Document = nlohmann::ordered_json;

// ", " and ": " as Python's json.dumps writes them.
void append_spaced(const Document& value, std::string& out) {
    if (value.is_object()) {
        out += '{';
        bool first = true;
        for (const auto& [name, member] : value.items()) {
            out += first ? "" : ", ";
            out += Document(name).dump() + ": ";
            append_spaced(member, out);
            first = false;
        }
        out += '}';
    } else if (value.is_array()) {
        out += '[';
        for (size_t i = 0; i < value.size(); ++i) {
            if (i > 0) out += ", ";
            append_spaced(value[i], out);
        }
        out += ']';
    } else {
        out += value.dump();
    }
}

struct Counts {
    int schemas = 0, compiled = 0, refused = 0, unsatisfiable = 0, wrong = 0;
    int instances = 0, instances_right = 0;
    std::vector<double> compile_ms;
};

// Numbers such as 9.007e+15 written out, as Python does below 1e16.
Document written_out(Document value) {
    if (value.is_structured()) {
        for (auto& inner : value) inner = written_out(inner);
    } else if (value.is_number_float() && std::abs(value.get<double>()) < 1e16 &&
               value.get<double>() == std::floor(value.get<double>())) {
        value = int64_t(value.get<double>());
    }
    return value;
}

// All ways to write the instance; the verdict must be the same.
std::vector<std::string> texts_of(const Document& given) {
    const Document instance = written_out(given);
    std::string spaced;
    append_spaced(instance, spaced);
    return {instance.dump(), spaced, instance.dump(2), instance.dump(-1, ' ', true)};
}

// One schema with its instances; appends what went wrong to `faults`.
void run_schema(const std::string& name, const Document& schema, const Document& tests,
                const std::string& valid_key, Counts& counts, std::vector<std::string>& faults) {
    ++counts.schemas;
    const auto start = std::chrono::steady_clock::now();
    auto grammar = Grammar::from_json_schema(schema.dump());
    counts.compile_ms.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    if (!grammar.ok()) {
        const std::string& why = grammar.status().message();
        if (std::getenv("INGLE_SHOW_REFUSED") != nullptr)
            std::printf("refused %s: %s\n", name.c_str(), why.c_str());
        EXPECT_TRUE(why.starts_with("schema")) << why;
        if (why == "schema: no value satisfies it") {
            ++counts.unsatisfiable;
            for (const auto& test : tests)
                if (test.at(valid_key).get<bool>()) {
                    faults.push_back(name + ": said to be unsatisfiable: " + test.at("data").dump());
                    ++counts.wrong;
                    return;
                }
        } else {
            ++counts.refused;
        }
        return;
    }
    ++counts.compiled;
    bool right = true;
    for (const auto& test : tests) {
        const bool valid = test.at(valid_key).get<bool>();
        for (const std::string& text : texts_of(test.at("data"))) {
            ++counts.instances;
            const auto verdict = check_text(*grammar, text);
            if (!verdict.ok()) {
                faults.push_back(name + ": " + verdict.status().message());
                right = false;
                continue;
            }
            if ((*verdict).accepted == valid) {
                ++counts.instances_right;
                continue;
            }
            faults.push_back(name + (valid ? ": valid, but refused at byte " : ": invalid, but accepted: ") +
                             (valid ? std::to_string((*verdict).offset) + ": " : "") + text.substr(0, 300));
            right = false;
        }
    }
    if (!right) ++counts.wrong;
}

void report(const char* suite, Counts counts) {
    std::sort(counts.compile_ms.begin(), counts.compile_ms.end());
    const auto at = [&](double part) { return counts.compile_ms[size_t(part * double(counts.compile_ms.size() - 1))]; };
    std::printf("%s: %d schemas: %d compiled, %d refused, %d unsatisfiable, %d wrong; %d of %d texts right; "
                "compile median %.2f ms, 99th percentile %.1f ms, longest %.1f ms\n",
                suite, counts.schemas, counts.compiled, counts.refused, counts.unsatisfiable, counts.wrong,
                counts.instances_right, counts.instances, at(0.5), at(0.99), at(1));
}

TEST(JsonSchema, MaskBench) {
    const auto path = test::fixtures() / "json-schema" / "maskbench-sample.jsonl";
    INGLE_NEEDS(path);
    Counts counts;
    std::vector<std::string> faults;
    const std::string bytes = test::bytes_of(path);
    for (const std::string_view line : split(bytes, '\n')) {
        if (line.empty()) continue;
        const Document row = Document::parse(line);
        run_schema(row.at("name"), row.at("schema"), row.at("tests"), "valid", counts, faults);
    }
    report("MaskBench", counts);
    for (const std::string& fault : faults) ADD_FAILURE() << fault;
    EXPECT_EQ(counts.schemas, 802);
    EXPECT_EQ(counts.wrong, 0);
    // An unsatisfiable schema is understood, too: there is nothing to generate.
    EXPECT_GE(counts.compiled + counts.unsatisfiable, 762) << "95 % of 802";
}

// Where the verdict differs from the suite's, as docs/GRAMMAR.md says: numbers under constraints in exponent form
// (the last digits of big numbers are lost on reading this suite, too), leap seconds away from UTC, punycode.
bool is_known_difference(const std::string& fault) {
    if (fault.find(": valid, but refused") != std::string::npos && fault.find("e+") != std::string::npos) return true;
    return fault.find(":60") != std::string::npos || fault.find("xn--") != std::string::npos ||
           fault.find("XN--") != std::string::npos;
}

class Suite : public testing::TestWithParam<std::string> {};

TEST_P(Suite, OfficialTests) {
    const auto folder = test::fixtures() / "json-schema" / GetParam();
    INGLE_NEEDS(folder);
    Counts counts;
    std::vector<std::string> faults;
    const std::string dialect = GetParam().starts_with("draft7") ? "http://json-schema.org/draft-07/schema#"
                                                       : "https://json-schema.org/draft/2020-12/schema";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        const std::string stem = entry.path().stem().string();
        // It says that formats need not be enforced; here they are.
        if (stem == "format" || stem == "format-assertion") continue;
        for (const auto& group : Document::parse(test::bytes_of(entry.path()))) {
            Document schema = group.at("schema");
            if (schema.is_object() && !schema.contains("$schema")) schema["$schema"] = dialect;
            run_schema(stem + ": " + group.at("description").get<std::string>(), schema, group.at("tests"),
                       "valid", counts, faults);
        }
    }
    report(GetParam().c_str(), counts);
    for (const std::string& fault : faults)
        if (!is_known_difference(fault)) ADD_FAILURE() << fault;
}

INSTANTIATE_TEST_SUITE_P(Drafts, Suite, testing::Values("draft7", "draft2020-12", "draft2020-12/optional",
                                                 "draft2020-12/optional/format"));

}  // namespace
}  // namespace ingle::grammar
