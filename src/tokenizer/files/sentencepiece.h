// SentencePiece's .model files: a ModelProto message with pieces, trainer and normalizer settings.
#pragma once

#include <string_view>

#include "base/status.h"
#include "tokenizer/vocabulary.h"

namespace ingle {

// BPE becomes "llama", Unigram "t5". Word and character models are refused by name.
Result<Vocabulary> vocabulary_from_sentencepiece(std::string_view bytes);

// XLM-RoBERTa and its kin number their tokens otherwise than their SentencePiece file: <s> <pad>
// </s> <unk>, then the file's pieces from the fourth on, then <mask>. They open with <s> and close
// with </s>.
void renumber_as_fairseq(Vocabulary& vocabulary);

}  // namespace ingle
