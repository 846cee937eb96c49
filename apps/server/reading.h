// Between the server and src/chat/reply.h: how replies of a model are read, and kept to calls where a request demands them.
#pragma once

#include <memory>

#include "chat/reply.h"
#include "engine/request.h"
#include "server/served_model.h"

namespace ingle::server {

std::unique_ptr<chat::ReplyReader> make_reader(const ServedModel& model, const chat::ReplySetup& setup);

// Makes the engine show what the reader needs to see, and sets the grammar that a demanded call follows.
Status prepare_reply(const ServedModel& model, const chat::ReplySetup& setup, GenerationRequest& wanted);

}  // namespace ingle::server
