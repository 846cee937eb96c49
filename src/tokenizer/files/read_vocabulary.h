// A vocabulary from whatever a model comes with: a folder or any one of its files.
#pragma once

#include <filesystem>

#include "base/status.h"
#include "tokenizer/vocabulary.h"

namespace ingle {

// A file is recognised by its content, a folder's file by its name: tokenizer.json, then
// SentencePiece's .model, .tiktoken, vocab.json with merges.txt, vocab.txt, RWKV's list, llama2.c's
// .bin, a .gguf. What stands beside the file is applied as well: added_tokens.json,
// special_tokens_map.json, tokenizer_config.json, chat_template.jinja. Fails for a folder without a
// vocabulary and for files of no known kind, listing what is known.
Result<Vocabulary> read_vocabulary(const std::filesystem::path& file_or_folder);

}  // namespace ingle
