// The 16 levels of IQ4_NL and IQ4_XS: dense around zero, and one side shorter than the other,
// because a block's scale puts its largest weight on one end.
#pragma once

namespace ingle::quant {

inline constexpr float iq4_levels[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                         1,    13,   25,  38,  53,  69,  89,  113};

}  // namespace ingle::quant
