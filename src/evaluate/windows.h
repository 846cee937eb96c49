// A long text cut into windows, as llama-perplexity cuts it: window after window of the same size, of each
// the second half is scored, so that every scored token has seen at least half a window.
#pragma once

#include <optional>
#include <vector>

#include "base/status.h"
#include "tensor/batch.h"

namespace ingle::evaluate {

struct Windows {
    std::vector<Token> tokens;  // of the text, from its beginning
    int64_t size = 0;           // tokens of a window
    int64_t step = 0;           // from one window's beginning to the next one's
    int64_t count = 0;          // windows
    int64_t first_scored = 0;   // the logits after this token of a window are the first that count
    std::optional<Token> bos;   // stands in place of each window's first token

    // Predictions scored per window: of tokens first_scored + 1 to size - 1.
    int64_t scored() const { return size - 1 - first_scored; }
    // The tokens to compute, with BOS in place.
    std::vector<Token> window(int64_t index) const;
    // The token that scored row `row` of a window predicts.
    Token target(int64_t index, int64_t row) const {
        return tokens[size_t(index * step + first_scored + 1 + row)];
    }
};

struct WindowOptions {
    int64_t size = 512;
    int64_t windows_max = -1;  // -1: as many as the text fills
    int64_t windows_min = 2;   // a text that fills fewer is refused; llama-perplexity asks for two
    // 0: windows follow each other. Else a window begins `stride` tokens after the last, its last `stride` tokens
    // are scored, and it has size + stride / 2 tokens, rounded up to a multiple of 256. BOS is not put in then.
    int64_t stride = 0;
};

// Fails, with the numbers, if the text is too short.
Result<Windows> cut_windows(std::vector<Token> tokens, const WindowOptions& options,
                            std::optional<Token> bos);

}  // namespace ingle::evaluate
