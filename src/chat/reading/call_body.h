// Reads what stands between the marks of a call, byte by byte.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "chat/reading/form.h"
#include "chat/reading/json_mender.h"
#include "chat/reading/tools.h"

namespace ingle::chat {

// Where calls go.
class CallSink {
  public:
    virtual ~CallSink() = default;
    // False: no call of that name is taken.
    virtual bool begin_call(std::string_view name, std::string_view id) = 0;
    virtual void add_arguments(std::string_view json) = 0;
    virtual void end_call() = 0;
};

class CallBody {
  public:
    enum class State {
        reading,
        ended,        // what follows is not the body's
        ended_whole,  // the mark behind the call was taken, too
        failed,       // this is no call
    };
    virtual ~CallBody() = default;
    // Takes text from the front and returns how many bytes were taken; fewer than all while reading: more text is
    // needed to tell. `last`: no more comes; then a call whose arguments have begun is completed, and else the body
    // has failed.
    virtual size_t push(std::string_view text, bool last) = 0;
    State state() const { return state_; }

  protected:
    State state_ = State::reading;
};

// Whether the body of such a form may begin with `c`.
bool may_begin(const Form& form, char c);
std::unique_ptr<CallBody> make_body(const Form& form, const std::vector<Tool>& tools, CallSink& sink);

std::unique_ptr<CallBody> make_json_body(const Form& form, CallSink& sink);
std::unique_ptr<CallBody> make_headed_body(const Form& form, CallSink& sink);
std::unique_ptr<CallBody> make_parameters_body(const Form& form, const std::vector<Tool>& tools,
                                               CallSink& sink);

}  // namespace ingle::chat
