#include <string>
#include <vector>

#include "cli/front.h"

int main(int argc, char** argv) {
    return ingle::cli::run_command(std::vector<std::string>(argv + (argc > 0), argv + argc));
}
