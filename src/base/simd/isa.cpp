#include "base/simd/isa.h"

#include <cstdlib>

#include "base/simd/x86.h"
#include "base/cpu_info.h"
#include "base/log.h"

namespace ingle::cpu {

namespace {

constexpr Isa all_isas[] = {Isa::baseline, Isa::avx2, Isa::avx512};
constexpr std::string_view names[] = {"v1", "avx2", "avx512"};

}  // namespace

std::string_view to_string(Isa isa) {
    return names[int(isa)];
}

std::optional<Isa> parse_isa(std::string_view name) {
    for (const Isa isa : all_isas)
        if (name == to_string(isa)) return isa;
    return std::nullopt;
}

bool supported(Isa isa) {
    static const CpuFeatures f = cpu_features();
    const bool avx2 = INGLE_X86 != 0 && f.avx2 && f.fma && f.f16c;
    const bool avx512 =
        avx2 && f.avx512f && f.avx512bw && f.avx512vl && f.avx512dq && f.avx512_vnni;
    const bool answers[] = {true, avx2, avx512};
    return answers[int(isa)];
}

std::span<const Isa> supported_isas() {
    // Each one includes those before it.
    size_t count = 1;
    while (count < std::size(all_isas) && supported(all_isas[count])) ++count;
    return {all_isas, count};
}

Isa choose_isa(const char* wanted) {
    const Isa best = supported_isas().back();
    if (wanted == nullptr || *wanted == '\0') return best;
    const auto isa = parse_isa(wanted);
    if (isa && supported(*isa)) return *isa;
    log(LogLevel::warning, "INGLE_ISA=", quoted(wanted),
        isa ? " is not supported by this processor" : " is none of v1, avx2, avx512", "; using ",
        to_string(best));
    return best;
}

Isa best_isa() {
    static const Isa chosen = choose_isa(std::getenv("INGLE_ISA"));
    return chosen;
}

}  // namespace ingle::cpu
