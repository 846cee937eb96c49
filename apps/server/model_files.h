// Changes to the cache of downloaded models on behalf of clients, if --manage-models allows them.
#pragma once

#include <optional>
#include <string>

#include "server/error.h"
#include "server/settings.h"

namespace ingle::server {

// Why clients may not download, delete or copy models; nothing if they may.
std::optional<Error> refuse_management(const Settings& settings);

// Deletes a downloaded model by any of its names. It leaves memory once its answers have ended. Fails with
// Code::not_found for what is not in the cache, with Code::invalid_argument for a model that the server was told of.
Status delete_model(Service& service, const std::string& name);
// Gives a downloaded model another place in the cache, user/repo, without a second copy of its bytes.
Status copy_model(Service& service, const std::string& source, const std::string& destination);

}  // namespace ingle::server
