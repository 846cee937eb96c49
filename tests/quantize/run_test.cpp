// Whole files quantized: sizes and headers as llama-quantize writes them, and every kind of input
// that must be refused with nothing lost.
#include "quantize/run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/random.h"
#include "gguf/tensor_type.h"
#include "gguf/writer.h"
#include "quant/support/format.h"
#include "quantize/metadata.h"
#include "support/fixtures.h"

namespace ingle::quantize {

namespace {

namespace fs = std::filesystem;

fs::path scratch(const std::string& name) {
    const fs::path folder = test::binary_dir() / "scratch" / "quantize" /
                            testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder);
    return folder / name;
}

size_t files_in_scratch() {
    const fs::path folder = scratch("x").parent_path();
    return size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

constexpr auto carry_on = [](uint64_t, uint64_t) { return true; };

Result<Report> quantized(const gguf::File& file, const Options& options, const fs::path& path,
                         int threads = 2, bool keep_split = false) {
    INGLE_ASSIGN(const Plan plan, make_plan(file, options));
    INGLE_TRY(check_plan(plan, options));
    return run(file, plan, path,
               {.threads = threads, .keep_split = keep_split, .progress = carry_on});
}

std::vector<float> random_values(size_t count, uint64_t seed) {
    Random random(seed);
    std::vector<float> values(count);
    for (float& value : values) value = float(random.normal());
    return values;
}

struct Matrix {
    std::string name;
    std::vector<uint64_t> dims;
    std::vector<float> values;
};

// Two layers' worth of one F32 matrix each, unless told otherwise.
fs::path write_model(const std::string& name, const std::vector<Matrix>& matrices) {
    gguf::Metadata metadata;
    metadata.set("general.architecture", std::string("llama"));
    metadata.set("llama.block_count", uint32_t(2));
    metadata.set("llama.feed_forward_length", gguf::Array{std::vector<uint32_t>{11, 22}});
    std::vector<gguf::TensorSpec> specs;
    for (const Matrix& matrix : matrices) specs.push_back({matrix.name, 0, matrix.dims});
    auto writer = gguf::Writer::create(scratch(name), metadata, specs).value();
    for (const Matrix& matrix : matrices)
        EXPECT_OK(writer.append(std::as_bytes(std::span(matrix.values))));
    EXPECT_OK(writer.finish());
    return scratch(name);
}

fs::path two_layers() {
    return write_model("model.gguf", {{"blk.0.ffn_up.weight", {256, 3}, random_values(768, 1)},
                                      {"blk.1.ffn_up.weight", {256, 3}, random_values(768, 2)},
                                      {"blk.1.ffn_norm.weight", {256}, random_values(256, 3)}});
}

std::vector<float> decoded(const gguf::File& file, std::string_view name) {
    const gguf::TensorInfo& tensor = *file.find_tensor(name);
    std::vector<float> values(size_t(tensor.elements()));
    quant::find_format(tensor.type_id)
        ->decode_row(file.bytes(tensor).data(), int64_t(values.size()), values.data());
    return values;
}

Options recipe(const char* name) {
    Options options;
    options.recipe = find_recipe(name);
    return options;
}

void expect_refused(const Result<Report>& report, const char* part) {
    ASSERT_FALSE(report.ok());
    EXPECT_NE(report.status().message().find(part), std::string::npos) << report.status().message();
}

}  // namespace

TEST(Quantize, files_have_the_header_and_size_that_llama_quantize_gives_them) {
    const fs::path folder = test::fixtures() / "quant-models";
    INGLE_NEEDS(folder);
    const auto source = gguf::File::open(folder / "tiny-llama-F16.gguf");
    ASSERT_OK(source);
    const fs::path matrix_path = test::fixtures() / "imatrix" / "tiny-llama.imatrix.gguf";
    const auto importance = imatrix::load(matrix_path);
    ASSERT_OK(importance);
    int compared = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        std::string name = entry.path().stem().string();
        if (!name.starts_with("tiny-llama-") || name.ends_with("-pure")) continue;
        name = name.substr(11);
        Options options;
        if (name.ends_with("-im")) {
            name = name.substr(0, name.size() - 3);
            options.importance = &*importance;
            options.importance_file = matrix_path.string();
        }
        options.recipe = find_recipe(name);
        ASSERT_NE(options.recipe, nullptr) << name;
        const auto report = quantized(*source, options, scratch("out.gguf"));
        if (!report.ok() && report.status().code() == Code::unsupported)
            continue;  // a type to come
        ASSERT_OK(report);
        const std::string ours = test::bytes_of(scratch("out.gguf"));
        const std::string theirs = test::bytes_of(entry.path());
        EXPECT_EQ(ours.size(), theirs.size()) << entry.path();
        const auto header = gguf::read_header(std::as_bytes(std::span(theirs)));
        ASSERT_OK(header);
        const auto data = size_t(header->data_offset);
        EXPECT_TRUE(ours.substr(0, data) == theirs.substr(0, data)) << entry.path();
        EXPECT_EQ(report->file_bytes, ours.size());
        ++compared;
    }
    EXPECT_GE(compared, 12);
}

TEST(Quantize, copies_have_the_same_bytes) {
    const fs::path path = test::fixtures() / "quant-models" / "tiny-llama-Q4_K_M.gguf";
    INGLE_NEEDS(path);
    const auto source = gguf::File::open(path);
    ASSERT_OK(quantized(*source, Options(), scratch("copy.gguf")));
    EXPECT_TRUE(test::bytes_of(scratch("copy.gguf")) == test::bytes_of(path));
}

TEST(Quantize, any_number_of_threads_gives_the_same_bytes) {
    const auto source = gguf::File::open(write_model(
        "model.gguf", {{"blk.0.ffn_up.weight", {256, 2000}, random_values(512000, 1)}}));
    ASSERT_OK(quantized(*source, recipe("Q4_K_S"), scratch("one.gguf"), 1));
    ASSERT_OK(quantized(*source, recipe("Q4_K_S"), scratch("five.gguf"), 5));
    EXPECT_TRUE(test::bytes_of(scratch("one.gguf")) == test::bytes_of(scratch("five.gguf")));
}

TEST(Quantize, the_report_has_the_error_of_each_tensor) {
    const auto source = gguf::File::open(two_layers());
    const auto report = quantized(*source, recipe("Q8_0"), scratch("out.gguf"));
    ASSERT_OK(report);
    const auto result = gguf::File::open(scratch("out.gguf"));
    ASSERT_OK(result);
    ASSERT_EQ(report->tensors.size(), 3u);
    for (const TensorReport& tensor : report->tensors) {
        if (tensor.type_before == tensor.type_after) continue;
        const auto before = decoded(*source, tensor.name), after = decoded(*result, tensor.name);
        double error = 0;
        for (size_t i = 0; i < before.size(); ++i)
            error += std::pow(double(after[i]) - double(before[i]), 2);
        EXPECT_GT(error, 0);
        EXPECT_NEAR(tensor.squared_error, error, 1e-9 * error);
    }
}

TEST(Quantize, rows_that_no_block_fits_get_the_documented_type) {
    const std::pair<uint64_t, const char*> rows[] = {{64, "Q5_0"}, {172, "F16"}, {2688, "Q5_0"},
                                                     {32, "Q5_0"}, {1, "F16"},   {512, "Q4_K"}};
    for (const auto& [columns, type] : rows) {
        const auto source = gguf::File::open(write_model(
            "model.gguf",
            {{"blk.0.ffn_up.weight", {columns, 2}, random_values(size_t(columns) * 2, 1)}}));
        Options options = recipe("Q4_K_S");
        ASSERT_OK(quantized(*source, options, scratch("out.gguf")));
        const auto result = gguf::File::open(scratch("out.gguf"));
        EXPECT_EQ(gguf::find_tensor_type(result->tensors()[0].type_id)->name, type) << columns;

        // The same by an override of this very tensor.
        options = recipe("Q8_0");
        options.overrides.push_back({Pattern::compile("ffn_up").value(), 12});
        const auto plan = make_plan(*source, options);
        ASSERT_OK(plan);
        EXPECT_EQ(gguf::find_tensor_type(plan->tensors[0].type_id)->name, type) << columns;
        EXPECT_EQ(plan->tensors[0].fell_back(), columns != 512);
        EXPECT_EQ(plan->warnings.size(), columns == 512 ? 0u : 1u);
        options.allow_fallback = false;
        if (columns != 512)
            expect_refused(quantized(*source, options, scratch("x.gguf")), "--no-fallback");
    }
}

TEST(Quantize, nan_and_infinity_are_named_and_the_old_file_stays) {
    for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
        for (const char* const name : {"blk.0.ffn_up.weight", "blk.0.ffn_norm.weight"}) {
            auto values = random_values(768, 1);
            values[2 * 256 + 7] = bad;
            const auto source =
                gguf::File::open(write_model("model.gguf", {{name, {256, 3}, values}}));
            std::ofstream(scratch("out.gguf")) << "old";
            expect_refused(quantized(*source, recipe("Q4_0"), scratch("out.gguf")),
                           "in row 2, column 7");
            EXPECT_EQ(test::bytes_of(scratch("out.gguf")), "old");
            EXPECT_EQ(files_in_scratch(), 2u);
        }
    }
}

TEST(Quantize, an_interruption_leaves_the_old_file) {
    const auto source = gguf::File::open(two_layers());
    std::ofstream(scratch("out.gguf")) << "old";
    const Options options = recipe("Q4_0");
    const auto plan = make_plan(*source, options);
    ASSERT_OK(plan);
    int calls = 0;
    const auto stop = [&](uint64_t, uint64_t) { return ++calls < 2; };
    const auto report = run(*source, *plan, scratch("out.gguf"), {.threads = 1, .progress = stop});
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.status().code(), Code::cancelled);
    EXPECT_EQ(test::bytes_of(scratch("out.gguf")), "old");
    EXPECT_EQ(files_in_scratch(), 2u);
}

TEST(Quantize, the_model_itself_is_never_the_target) {
    const fs::path path = two_layers();
    const std::string before = test::bytes_of(path);
    const auto source = gguf::File::open(path);
    expect_refused(quantized(*source, recipe("Q4_0"), path), "made from");
    expect_refused(quantized(*source, recipe("Q4_0"), path.parent_path() / "." / "model.gguf"),
                   "made from");
    expect_refused(quantized(*source, recipe("Q4_0"), path.parent_path()), "directory");
    EXPECT_EQ(test::bytes_of(path), before);
}

TEST(Quantize, quantized_models_are_taken_only_if_asked) {
    const auto source = gguf::File::open(two_layers());
    ASSERT_OK(quantized(*source, recipe("Q8_0"), scratch("q8.gguf")));
    const auto again = gguf::File::open(scratch("q8.gguf"));
    Options options = recipe("Q4_0");
    expect_refused(quantized(*again, options, scratch("q4.gguf")),
                   "2 tensors are quantized already");
    options.allow_requantize = true;
    EXPECT_OK(quantized(*again, options, scratch("q4.gguf")));
}

TEST(Quantize, importance_of_another_model_is_refused) {
    const auto source = gguf::File::open(two_layers());
    imatrix::Matrix importance;
    Options options = recipe("Q4_0");
    options.importance = &importance;
    importance.entries["other.weight"] = {std::vector<float>(256, 1.0f), {1}};
    expect_refused(quantized(*source, options, scratch("out.gguf")),
                   "of another model: none of its 1");
    importance.entries["blk.0.ffn_up.weight"] = {std::vector<float>(128, 1.0f), {1}};
    expect_refused(quantized(*source, options, scratch("out.gguf")),
                   "of another model: expected 256 columns of 1 experts, found 128 of 1");
    EXPECT_EQ(files_in_scratch(), 1u);
}

TEST(Quantize, types_of_few_bits_without_importance_are_refused_by_name) {
    const auto source = gguf::File::open(two_layers());
    Options options = recipe("Q2_K_S");
    expect_refused(quantized(*source, options, scratch("out.gguf")),
                   "2 tensors types of so few bits that they are useless without importance: "
                   "'blk.0.ffn_up.weight', 'blk.1.ffn_up.weight'; --imatrix");
    imatrix::Matrix importance;
    importance.entries["blk.1.ffn_up.weight"] = {std::vector<float>(256, 1.0f), {1}};
    options.importance = &importance;
    expect_refused(quantized(*source, options, scratch("out.gguf")),
                   "1 tensors types of so few bits that they are useless without importance: "
                   "'blk.0.ffn_up.weight'; the importance matrix lacks them");
    importance.entries["blk.0.ffn_up.weight"] = {std::vector<float>(256, 1.0f), {1}};
    EXPECT_OK(quantized(*source, options, scratch("out.gguf")));
}

TEST(Quantize, every_expert_has_its_own_importance) {
    const auto values = random_values(256 * 2, 4);
    auto twice = values;
    twice.insert(twice.end(), values.begin(), values.end());  // two equal experts
    const auto source = gguf::File::open(
        write_model("model.gguf", {{"blk.0.ffn_up_exps.weight", {256, 2, 2}, twice}}));
    imatrix::Entry entry = {std::vector<float>(512, 1.0f), {1, 1}};
    for (size_t i = 256; i < 512; i += 4) entry.sums[i] = 1000;
    imatrix::Matrix importance;
    importance.entries["blk.0.ffn_up_exps.weight"] = entry;
    Options options = recipe("Q4_0");
    options.importance = &importance;
    ASSERT_OK(quantized(*source, options, scratch("out.gguf")));
    const auto result =
        decoded(gguf::File::open(scratch("out.gguf")).value(), "blk.0.ffn_up_exps.weight");
    double even = 0, seeing = 0;
    for (size_t i = 0; i < 512; i += 4) {
        even += std::pow(result[i] - values[i], 2);
        seeing += std::pow(result[512 + i] - values[i], 2);
    }
    EXPECT_LT(seeing, 0.9 * even);

    // Left out by name, both experts are encoded alike.
    options.exclude = {"ffn_up"};
    ASSERT_OK(quantized(*source, options, scratch("out.gguf")));
    const auto alike =
        decoded(gguf::File::open(scratch("out.gguf")).value(), "blk.0.ffn_up_exps.weight");
    EXPECT_EQ(std::vector<float>(alike.begin(), alike.begin() + 512),
              std::vector<float>(alike.begin() + 512, alike.end()));
}

TEST(Quantize, pruned_layers_are_gone_and_the_rest_is_renumbered) {
    const auto source = gguf::File::open(two_layers());
    Options options;
    options.prune_layers = {0};
    ASSERT_OK(quantized(*source, options, scratch("out.gguf")));
    const auto result = gguf::File::open(scratch("out.gguf"));
    ASSERT_OK(result);
    ASSERT_EQ(result->tensors().size(), 2u);
    EXPECT_EQ(decoded(*result, "blk.0.ffn_up.weight"), decoded(*source, "blk.1.ffn_up.weight"));
    EXPECT_EQ(result->get<uint32_t>("llama.block_count").value(), 1u);
    EXPECT_EQ(result->get<std::vector<uint32_t>>("llama.feed_forward_length").value(),
              std::vector<uint32_t>{22});
    for (const std::vector<int>& wrong : {std::vector<int>{2}, {0, 0}, {0, 1}}) {
        options.prune_layers = wrong;
        EXPECT_FALSE(make_plan(*source, options).ok());
    }
}

TEST(Quantize, parts_stay_parts_if_asked) {
    const fs::path folder = test::fixtures() / "quant-models" / "split";
    INGLE_NEEDS(folder);
    fs::path first;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().string().find("-00001-of-00003") != std::string::npos)
            first = entry.path();
    const auto source = gguf::File::open(first);
    ASSERT_OK(source);
    const auto parts = quantized(*source, Options(), scratch("copy.gguf"), 2, true);
    ASSERT_OK(parts);
    ASSERT_EQ(parts->files.size(), 3u);
    for (size_t i = 0; i < 3; ++i) {
        std::string original = first.string();
        original.replace(original.find("-00001-"), 7, cat("-0000", i + 1, "-"));
        EXPECT_TRUE(test::bytes_of(parts->files[i]) == test::bytes_of(original)) << original;
    }
    ASSERT_OK(quantized(*source, Options(), scratch("whole.gguf")));
    const auto whole = gguf::File::open(scratch("whole.gguf"));
    ASSERT_OK(whole);
    EXPECT_EQ(whole->tensors().size(), source->tensors().size());
    EXPECT_EQ(whole->find("split.count"), nullptr);
}

TEST(Quantize, metadata_is_set_as_the_user_says) {
    const auto source = gguf::File::open(two_layers());
    Options options = recipe("Q8_0");
    for (const char* const text :
         {"a=int:7", "b=float:0.5", "c=bool:true", "d=str:x=y:z", "e=int:-1"})
        options.override_metadata.push_back(parse_override(text).value());
    ASSERT_OK(quantized(*source, options, scratch("out.gguf")));
    const auto result = gguf::File::open(scratch("out.gguf"));
    EXPECT_EQ(result->get<uint32_t>("a").value(), 7u);
    EXPECT_EQ(result->get<float>("b").value(), 0.5f);
    EXPECT_EQ(result->get<bool>("c").value(), true);
    EXPECT_EQ(result->get<std::string_view>("d").value(), "x=y:z");
    EXPECT_EQ(result->get<int64_t>("e").value(), -1);
    for (const char* const wrong : {"", "a", "a=7", "=int:7", "a=int:x", "a=bool:1", "a=u8:1"})
        EXPECT_FALSE(parse_override(wrong).ok()) << wrong;
}

TEST(Quantize, a_tied_embedding_has_the_precision_of_an_output) {
    const auto make = [&](bool tied) {
        std::vector<Matrix> matrices = {{"token_embd.weight", {256, 2}, random_values(512, 1)}};
        if (!tied) matrices.push_back({"output.weight", {256, 2}, random_values(512, 2)});
        const auto file = gguf::File::open(write_model("model.gguf", matrices)).value();
        const Options options = recipe("Q4_K_M");
        std::vector<std::string> types;
        const auto plan = make_plan(file, options);
        for (const TensorPlan& tensor : plan->tensors)
            types.emplace_back(gguf::find_tensor_type(tensor.type_id)->name);
        return types;
    };
    EXPECT_EQ(make(true), (std::vector<std::string>{"Q6_K"}));
    EXPECT_EQ(make(false), (std::vector<std::string>{"Q4_K", "Q6_K"}));
}

}  // namespace ingle::quantize
