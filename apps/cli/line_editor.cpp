#include "cli/line_editor.h"

#include <histedit.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "base/platform.h"

namespace ingle::cli {

namespace {

constexpr int standard_input = 0;
constexpr int history_lines = 1000;

class Pipe final : public LineEditor {
  public:
    LineEnd read(const std::string&, std::string& line) override {
        return std::getline(std::cin, line) ? LineEnd::line : LineEnd::closed;
    }
    void remember(const std::string&) override {}
};

// The place for the history, its folder made; empty if there is no home.
std::filesystem::path history_file() {
    const char* const state = std::getenv("XDG_STATE_HOME");
    const char* const home = std::getenv("HOME");
    std::filesystem::path folder;
    if (state != nullptr && *state != 0) folder = state;
    else if (home != nullptr && *home != 0) folder = std::filesystem::path(home) / ".local/state";
    else return {};
    std::error_code error;
    std::filesystem::create_directories(folder / "ingle", error);
    return error ? std::filesystem::path() : folder / "ingle" / "chat_history";
}

class Terminal final : public LineEditor {
  public:
    Terminal() : history_path_(history_file()) {
        std::setlocale(LC_CTYPE, "");  // letters outside ASCII are one character wide
        history_ = history_init();
        HistEvent event;
        history(history_, &event, H_SETSIZE, history_lines);
        history(history_, &event, H_SETUNIQUE, 1);
        if (!history_path_.empty()) history(history_, &event, H_LOAD, history_path_.c_str());

        editor_ = el_init("ingle", stdin, stdout, stderr);
        el_set(editor_, EL_CLIENTDATA, this);
        el_set(editor_, EL_PROMPT_ESC, prompt_of, '\1');
        el_set(editor_, EL_EDITOR, "emacs");
        el_set(editor_, EL_HIST, history, history_);
        // Ctrl-C is a key while a line is edited, so that it gives up the line and nothing else.
        el_set(editor_, EL_SETTY, "-d", "-isig", nullptr);
        el_set(editor_, EL_ADDFN, "give-up-line", "give up this line", give_up);
        el_set(editor_, EL_BIND, "^C", "give-up-line", nullptr);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;
    ~Terminal() override {
        el_end(editor_);
        history_end(history_);
    }

    LineEnd read(const std::string& prompt, std::string& line) override {
        prompt_ = prompt;
        given_up_ = false;
        int count = 0;
        const char* const text = el_gets(editor_, &count);
        if (given_up_) {
            el_reset(editor_);
            std::cout << "\n" << std::flush;
            return LineEnd::cancelled;
        }
        if (text == nullptr || count <= 0) {
            std::cout << "\n" << std::flush;
            return LineEnd::closed;
        }
        line.assign(text, size_t(count));
        if (line.ends_with('\n')) line.pop_back();
        return LineEnd::line;
    }

    void remember(const std::string& line) override {
        if (line.find_first_not_of(" \t") == std::string::npos) return;
        HistEvent event;
        history(history_, &event, H_ENTER, line.c_str());
        if (!history_path_.empty()) history(history_, &event, H_SAVE, history_path_.c_str());
    }

  private:
    static Terminal& self_of(EditLine* editor) {
        void* data = nullptr;
        el_get(editor, EL_CLIENTDATA, &data);
        return *static_cast<Terminal*>(data);
    }
    static char* prompt_of(EditLine* editor) { return self_of(editor).prompt_.data(); }
    static unsigned char give_up(EditLine* editor, int) {
        self_of(editor).given_up_ = true;
        return CC_EOF;
    }

    std::filesystem::path history_path_;
    EditLine* editor_ = nullptr;
    History* history_ = nullptr;
    std::string prompt_;
    bool given_up_ = false;
};

}  // namespace

std::unique_ptr<LineEditor> make_line_editor() {
    if (platform::is_terminal(standard_input)) return std::make_unique<Terminal>();
    return std::make_unique<Pipe>();
}

}  // namespace ingle::cli
