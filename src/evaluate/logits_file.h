// Log-probabilities of a text under one model, kept in a file to compare other models with; the format of
// llama-perplexity --kl-divergence-base.
//
//   "_logits_"  i32 window size  i32 vocabulary  i32 windows  i32 tokens[windows][size]
//   per scored row:  f32 scale  f32 least  u16 code[vocabulary], one more if the vocabulary is odd
//
// log p[i] = scale * code[i] + least. Logits more than 16 below the greatest are stored as 16 below it.
#pragma once

#include <filesystem>
#include <vector>

#include "base/file.h"
#include "evaluate/softmax.h"
#include "evaluate/windows.h"

namespace ingle::evaluate {

class LogitsWriter {
  public:
    // Windows without stride. The file takes its name in finish().
    static Result<LogitsWriter> create(const std::filesystem::path& path, const Windows& windows,
                                       int64_t vocab);

    // One scored row of the window at hand. Safe from several threads for different rows.
    void set_row(int64_t row, std::span<const float> logits, const LogSoftmax& softmax);
    // Every row was set: appends them.
    Status write_window();
    Status finish();

  private:
    LogitsWriter(AtomicFile file, int64_t rows, int64_t vocab);

    AtomicFile file_;
    size_t row_words_;
    std::vector<uint16_t> window_;  // [rows][row_words_]
};

// One row as it lies in the file.
struct StoredRow {
    float scale = 0;
    float least = 0;
    std::span<const uint16_t> codes;  // [vocab]

    double log_probability(Token token) const {
        return double(scale * float(codes[size_t(token)]) + least);
    }
};

class LogitsReader {
  public:
    // Fails if the file is not whole, naming the bytes expected and found.
    static Result<LogitsReader> open(const std::filesystem::path& path);

    int64_t window_tokens() const { return window_tokens_; }
    int64_t vocab() const { return vocab_; }
    int64_t windows() const { return windows_; }
    // Windows as they were written; BOS is the caller's to set.
    const std::vector<Token>& tokens() const { return tokens_; }
    StoredRow row(int64_t window, int64_t row) const;

  private:
    explicit LogitsReader(MappedFile file) : file_(std::move(file)) {}
    Status read_header();

    MappedFile file_;
    int64_t window_tokens_ = 0;
    int64_t vocab_ = 0;
    int64_t windows_ = 0;
    std::vector<Token> tokens_;
    uint64_t data_offset_ = 0;
};

}  // namespace ingle::evaluate
