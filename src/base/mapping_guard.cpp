#include "base/mapping_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace ingle::platform {

namespace {

struct Slot {
    std::atomic<bool> taken{false};
    std::atomic<uintptr_t> begin{0}, end{0};
    std::atomic<bool> tripped{false};
};

// Read by a signal handler: no locks, no memory of its own.
Slot slots[256];
struct sigaction previous_action;
uintptr_t page_bytes = 4096;

bool replace_page(uintptr_t address) {
    for (Slot& slot : slots) {
        if (address < slot.begin.load() || address >= slot.end.load()) continue;
        void* const page = reinterpret_cast<void*>(address / page_bytes * page_bytes);
        if (::mmap(page, page_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
            return false;
        slot.tripped.store(true);
        return true;
    }
    return false;
}

// Faults elsewhere go to whoever handled them before.
void on_bus_error(int signal, siginfo_t* info, void* context) {
    const int saved = errno;
    const bool replaced = replace_page(reinterpret_cast<uintptr_t>(info->si_addr));
    errno = saved;
    if (replaced) return;
    if ((previous_action.sa_flags & SA_SIGINFO) != 0 && previous_action.sa_sigaction != nullptr)
        previous_action.sa_sigaction(signal, info, context);
    else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN)
        previous_action.sa_handler(signal);
    else
        ::sigaction(SIGBUS, &previous_action, nullptr);  // the access is repeated and ends the process
}

void install_handler() {
    static std::once_flag once;
    std::call_once(once, [] {
        page_bytes = uintptr_t(::sysconf(_SC_PAGESIZE));
        struct sigaction action = {};
        action.sa_sigaction = on_bus_error;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &previous_action);
    });
}

}  // namespace

MappingGuard::MappingGuard(std::span<const std::byte> mapping) {
    if (mapping.empty()) return;
    install_handler();
    for (int i = 0; i < int(std::size(slots)); ++i) {
        if (slots[i].taken.exchange(true)) continue;
        slots[i].tripped = false;
        slots[i].begin = reinterpret_cast<uintptr_t>(mapping.data());
        slots[i].end = slots[i].begin + (mapping.size() + page_bytes - 1) / page_bytes * page_bytes;
        slot_ = i;
        return;
    }
}

MappingGuard::~MappingGuard() {
    if (slot_ < 0) return;
    slots[slot_].end = 0;
    slots[slot_].begin = 0;
    slots[slot_].taken = false;
}

bool MappingGuard::tripped() const { return slot_ >= 0 && slots[slot_].tripped.load(); }

}  // namespace ingle::platform
