// Recipes choose, tensor by tensor, what llama-quantize chooses: its own snapshots of four models,
// plans it made of made-up models (data/plans.json), and of three real ones.
#include "quantize/recipe.h"

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "gguf/tensor_type.h"
#include "gguf/writer.h"
#include "quantize/plan.h"
#include "support/fixtures.h"

namespace ingle::quantize {

namespace {

using nlohmann::json;
using Types = std::map<std::string, std::string>;  // tensor name -> type name in capitals

struct Model {
    gguf::Metadata metadata;
    std::vector<gguf::TensorSpec> matrices;
};

constexpr uint32_t f16_id = 1;

std::string capitals(std::string text) {
    for (char& c : text) c = char(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

// Importance for every matrix but the embedding, as llama-imatrix measures it.
imatrix::Matrix importance_of(const Model& model) {
    imatrix::Matrix matrix;
    for (const auto& tensor : model.matrices) {
        if (tensor.name == "token_embd.weight") continue;
        const auto experts = size_t(tensor.dims.size() > 2 ? tensor.dims[2] : 1);
        matrix.entries[tensor.name] = {std::vector<float>(size_t(tensor.dims[0]) * experts, 1.0f),
                                       std::vector<float>(experts, 1.0f)};
    }
    return matrix;
}

// The types that make_plan gives the matrices of a file of zeros.
Types types_of(const Model& model, std::string_view recipe, bool with_importance) {
    std::string bytes = gguf::header_bytes(model.metadata, model.matrices).value();
    for (const auto& tensor : model.matrices)
        bytes.resize(bytes.size() +
                     size_t((gguf::tensor_bytes(f16_id, tensor.dims).value() + 31) / 32 * 32));
    const auto file = gguf::File::parse(std::as_bytes(std::span(bytes)));
    EXPECT_OK(file);
    const imatrix::Matrix importance = importance_of(model);
    Options options;
    options.recipe = find_recipe(recipe);
    EXPECT_NE(options.recipe, nullptr) << recipe;
    if (with_importance) options.importance = &importance;
    const auto plan = make_plan(*file, options);
    EXPECT_OK(plan);
    Types types;
    if (!plan.ok()) return types;
    for (const TensorPlan& tensor : plan->tensors)
        types[tensor.name] = capitals(std::string(gguf::find_tensor_type(tensor.type_id)->name));
    return types;
}

// Names the first few differences only: a wrong rule makes hundreds.
void expect_same(const Types& found, const Types& expected, const std::string& where) {
    EXPECT_EQ(found.size(), expected.size()) << where;
    int shown = 0;
    for (const auto& [name, type] : expected) {
        const auto entry = found.find(name);
        const std::string have = entry == found.end() ? "nothing" : entry->second;
        if (have == type) continue;
        ADD_FAILURE() << where << ": " << name << ": expected " << type << ", found " << have;
        if (++shown == 3) return;
    }
}

// "b3a" -> bbba, as types by their letters.
std::vector<std::string> expanded(const std::string& runs, const json& letters) {
    std::vector<std::string> types;
    for (size_t i = 0; i < runs.size();) {
        const std::string letter = runs.substr(i++, 1);
        size_t count = 0;
        while (i < runs.size() && std::isdigit(static_cast<unsigned char>(runs[i])))
            count = 10 * count + size_t(runs[i++] - '0');
        types.insert(types.end(), std::max<size_t>(count, 1), capitals(letters[letter]));
    }
    return types;
}

void add_hyperparameter(Model& model, const std::string& key, uint32_t value) {
    model.metadata.set(cat(model.metadata.text("general.architecture"), ".", key), value);
}

Model model_of(const json& description) {
    Model model;
    model.metadata.set("general.architecture", description["architecture"].get<std::string>());
    for (const auto& [key, value] : description["metadata"].items())
        add_hyperparameter(model, key, value);
    for (const json& group : description["tensors"])
        for (int layer = group[2]; layer <= group[3]; layer += int(group[4])) {
            std::string name = group[0];
            if (const size_t at = name.find('#'); at != std::string::npos)
                name.replace(at, 1, std::to_string(layer));
            model.matrices.push_back({name, f16_id, group[1].get<std::vector<uint64_t>>()});
        }
    return model;
}

}  // namespace

TEST(Recipe, made_up_models_get_the_types_that_llama_quantize_gives_them) {
    const json data =
        json::parse(test::bytes_of(test::source_dir() / "tests/quantize/data/plans.json"));
    int plans = 0;
    for (const json& description : data["models"]) {
        const Model model = model_of(description);
        for (const auto& [name, runs] : description["plans"].items()) {
            const bool importance = name.ends_with("-im");
            const std::string recipe = importance ? name.substr(0, name.size() - 3) : name;
            const auto types = expanded(runs, data["types"]);
            ASSERT_EQ(types.size(), model.matrices.size());
            Types expected;
            for (size_t i = 0; i < types.size(); ++i) expected[model.matrices[i].name] = types[i];
            expect_same(types_of(model, recipe, importance), expected,
                        cat(description["name"].get<std::string>(), " ", name));
            ++plans;
        }
    }
    EXPECT_EQ(plans, 15 * 70 - 2);
}

namespace {

// "[Q4_K_M] q4_K" and lines "NAME TYPE" of what differs from it.
struct Snapshot {
    std::string default_type;
    Types exceptions;
};

struct Schema {
    std::map<std::string, uint32_t> numbers;  // n_embd, n_head, ...
    std::map<std::string, Snapshot> snapshots;
};

Schema read_schema(const std::filesystem::path& path) {
    Schema schema;
    std::istringstream lines(test::bytes_of(path));
    Snapshot* snapshot = nullptr;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("# n_embd")) {
            for (const std::string_view pair : split(std::string_view(line).substr(2), ',')) {
                const auto parts = split(trim(pair), '=');
                schema.numbers[std::string(parts[0])] = uint32_t(parse_int(parts[1]).value());
            }
        } else if (line.starts_with("[")) {
            const size_t close = line.find(']');
            snapshot = &schema.snapshots[line.substr(1, close - 1)];
            snapshot->default_type = capitals(line.substr(close + 2));
        } else if (const size_t space = line.find(' ');
                   !line.starts_with("#") && space != std::string::npos) {
            snapshot->exceptions[line.substr(0, space)] = capitals(line.substr(space + 1));
        }
    }
    return schema;
}

// The matrices that the schema names somewhere, and all experts.
Model model_of(const Schema& schema, const std::string& architecture) {
    Model model;
    model.metadata.set("general.architecture", architecture);
    const auto number = [&](const char* name) {
        const auto found = schema.numbers.find(name);
        return found == schema.numbers.end() ? 0u : found->second;
    };
    add_hyperparameter(model, "block_count", number("n_layer"));
    add_hyperparameter(model, "attention.head_count", number("n_head"));
    add_hyperparameter(model, "attention.head_count_kv", number("n_head_kv"));
    if (number("n_expert") > 0) add_hyperparameter(model, "expert_count", number("n_expert"));

    std::set<std::string> names;
    for (const auto& [recipe, snapshot] : schema.snapshots)
        for (const auto& [name, type] : snapshot.exceptions) names.insert(name);
    for (const std::string& name : names) {
        uint64_t columns = number("n_embd");
        if (name.find("attn_output") != std::string::npos) columns = 4096;  // heads by head size
        if (name.find("ffn_down") != std::string::npos) columns = number("n_ff");
        gguf::TensorSpec tensor = {name, f16_id, {columns, 1}};
        if (name.find("_exps") != std::string::npos) tensor.dims.push_back(2);
        model.matrices.push_back(std::move(tensor));
    }
    return model;
}

}  // namespace

TEST(Recipe, snapshots_of_llama_quantize_are_met) {
    const auto folder = test::fixtures() / "quantize-snapshots";
    INGLE_NEEDS(folder);
    const std::pair<const char*, const char*> models[] = {{"gemma-3-4b-it", "gemma3"},
                                                          {"gpt-oss-120b", "gpt-oss"},
                                                          {"meta-llama-3.1-70b-instruct", "llama"},
                                                          {"qwen3-0.6b", "qwen3"}};
    int compared = 0;
    for (const auto& [name, architecture] : models) {
        const Schema schema = read_schema(folder / cat(name, ".schema"));
        const Model model = model_of(schema, architecture);
        EXPECT_GT(model.matrices.size(), 150u) << name;
        for (const auto& [recipe, snapshot] : schema.snapshots) {
            Types expected = snapshot.exceptions;
            for (const auto& tensor : model.matrices)
                expected.emplace(tensor.name, snapshot.default_type);
            expect_same(types_of(model, recipe, false), expected, cat(name, " ", recipe));
            ++compared;
        }
    }
    EXPECT_EQ(compared, 4 * 33);
}

TEST(Recipe, real_models_get_the_types_that_llama_quantize_gives_them) {
    const auto folder = test::fixtures() / "golden" / "real-models";
    INGLE_NEEDS(folder);
    const std::pair<const char*, const char*> models[] = {
        {"smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"}, {"gemma3", "gemma-3-270m-q4_k_m.gguf"}};
    int compared = 0;
    for (const auto& [name, file_name] : models) {
        const auto path = test::real_model(file_name);
        INGLE_NEEDS(path);
        const auto file = gguf::File::open(path);
        ASSERT_OK(file);
        // The plans were made of an F16 file with rows as these.
        Model model;
        model.metadata = file->metadata();
        for (const auto& tensor : file->tensors())
            if (tensor.rank > 1)
                model.matrices.push_back({tensor.name, f16_id, {tensor.dims[0], 1}});
        const json plans =
            json::parse(test::bytes_of(folder / cat(name, "-tensor-types.json")))["plans"];
        for (const auto& [plan, content] : plans.items()) {
            const bool importance = plan.ends_with("-im");
            Types expected;
            for (const auto& tensor : model.matrices) {
                const json& exceptions = content["exceptions"];
                expected[tensor.name] = exceptions.contains(tensor.name)
                                            ? exceptions[tensor.name].get<std::string>()
                                            : content["default"].get<std::string>();
            }
            expect_same(
                types_of(model, importance ? plan.substr(0, plan.size() - 3) : plan, importance),
                expected, cat(name, " ", plan));
            ++compared;
        }
    }
    EXPECT_EQ(compared, 30);
}

TEST(Recipe, names_aliases_and_numbers_are_found) {
    EXPECT_EQ(find_recipe("q4_k_m"), find_recipe("15"));
    EXPECT_EQ(find_recipe("Q4_K"), find_recipe("Q4_K_M"));
    EXPECT_EQ(find_recipe("0")->name, "F32");
    EXPECT_EQ(find_recipe("Q9"), nullptr);
    EXPECT_EQ(find_recipe("999"), nullptr);
    std::set<uint32_t> numbers;
    for (const Recipe& recipe : all_recipes()) {
        EXPECT_TRUE(numbers.insert(recipe.file_type).second) << recipe.name;
        EXPECT_EQ(find_recipe(recipe.name), &recipe);
    }
}

}  // namespace ingle::quantize
