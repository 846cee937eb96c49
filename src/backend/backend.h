// The contract between programs and the devices that run them.
//
// A Device prepares weights in a form of its own, keeps KV pages and activations in memory of its own, and
// compiles a segment (a run of nodes placed on it) into an Executable. Everything a step needs is planned
// before: submit() allocates nothing. Host memory is reached only through read() and write().
// Calls on one Executable come from one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "ops/support/node.h"
#include "tensor/batch.h"
#include "tensor/kv_view.h"
#include "tensor/weight.h"

namespace ingle::backend {

// Told about loading: bytes done of all bytes. Returns false to cancel.
using Progress = std::function<bool(uint64_t done, uint64_t total)>;

// How a program uses one weight on one device.
struct WeightUse {
    WeightId id = none;
    bool multiplied = false;  // as the matrix of a Linear, or those of Experts
    bool looked_up = false;   // row by row, as the table of an Embed
    bool read = false;        // whole, as a norm, bias or frequency vector
};

// The weights of one model on one device.
class Weights {
  public:
    virtual ~Weights() = default;
    virtual uint64_t bytes() const = 0;  // device memory held, file mappings not counted
    // Bytes of files that are multiplied where they are mapped: the system may drop them, and processes share them.
    virtual uint64_t mapped_bytes() const { return 0; }
    // Fails once a mapped file other than the model's was found cut or unreadable.
    virtual Status intact() const { return {}; }
};

// A page has the layers that see every earlier token, and those whose windows drop (KvLayout::drops_windows).
enum class PagePart : uint8_t { lasting, windowed };

struct KvLayout {
    std::vector<KvShape> layers;  // by layer; kv_heads 0 where a layer keeps none here
    KvType key_type = KvType::f16;
    KvType value_type = KvType::f16;
    int64_t page_tokens = 32;
    int64_t pages_max = 0;  // reserved, committed when first written
    bool drops_windows = false;  // layers with a window give back what has left it: KvStore::discard_window()

    bool windowed(size_t layer) const { return drops_windows && layers[layer].window > 0; }
    // The widest window; 0 if no layer drops any.
    int64_t window() const {
        int64_t widest = 0;
        for (size_t i = 0; i < layers.size(); ++i)
            if (windowed(i)) widest = std::max(widest, layers[i].window);
        return widest;
    }
    // Whole pages of memory, where they are given back one by one.
    uint64_t page_bytes(size_t layer) const {
        const auto bytes = uint64_t(layers[layer].page_bytes(key_type, value_type, page_tokens));
        return windowed(layer) ? (bytes + 4095) / 4096 * 4096 : bytes;
    }
    bool has_exact_forms() const {
        return info(key_type).quantized || info(value_type).quantized;
    }
    // Bytes of a page's exact form, where it is kept (kv_view.h): f16, whole pages of memory.
    uint64_t exact_page_bytes(size_t layer) const {
        if (!has_exact_forms()) return 0;
        const auto bytes =
            uint64_t(layers[layer].page_bytes(KvType::f16, KvType::f16, page_tokens));
        return (bytes + 4095) / 4096 * 4096;
    }
    // Bytes of one page over all layers.
    uint64_t page_bytes() const {
        uint64_t sum = 0;
        for (size_t i = 0; i < layers.size(); ++i) sum += page_bytes(i);
        return sum;
    }
    // Of those, the layers whose windows drop.
    uint64_t window_page_bytes() const {
        uint64_t sum = 0;
        for (size_t i = 0; i < layers.size(); ++i) sum += windowed(i) ? page_bytes(i) : 0;
        return sum;
    }
    // Of a part with its exact form, as KvStore::read() gives it.
    uint64_t state_bytes(PagePart part) const {
        uint64_t sum = 0;
        for (size_t i = 0; i < layers.size(); ++i)
            if (windowed(i) == (part == PagePart::windowed)) sum += page_bytes(i) + exact_page_bytes(i);
        return sum;
    }
    uint64_t exact_page_bytes() const {
        uint64_t sum = 0;
        for (size_t i = 0; i < layers.size(); ++i) sum += exact_page_bytes(i);
        return sum;
    }
};

// KV pages of one device. Pages are numbered; who owns which is the page table's business. Not while a program that uses
// them runs.
class KvStore {
  public:
    virtual ~KvStore() = default;
    // Takes the memory of a physical page, or fails with Code::out_of_memory.
    virtual Status commit(uint32_t) { return {}; }
    // Gives the memory of a physical page back to the system.
    virtual void discard(uint32_t page) = 0;
    // Likewise, of the page's windowed part alone.
    virtual void discard_window(uint32_t page) = 0;
    // The contents of a page, all layers, become those of another.
    virtual void copy(uint32_t from, uint32_t to) = 0;
    // Part of a page as bytes, layer after layer: those of KvLayout::state_bytes(). Of use to the same build and layout
    // only.
    virtual Status read(uint32_t page, PagePart part, std::span<std::byte> out) = 0;
    virtual Status write(uint32_t page, PagePart part, std::span<const std::byte> in) = 0;
};

struct Segment {
    std::span<const Node> nodes;              // in order
    std::span<const Value> values;            // of the whole graph
    std::span<const WeightSource> weights;    // of the whole graph
    std::vector<ValueId> imports;             // written from outside before a run
    std::vector<ValueId> exports;             // read from outside after a run
    int64_t tokens_max = 0;                   // rows a value can have, by domain
    int64_t outputs_max = 0;
};

// What changes from call to call.
struct Call {
    Batch batch;
};

// A completed or running submission. wait() tells how it ended.
struct Event {
    uint64_t ticket = 0;
};

class Executable {
  public:
    virtual ~Executable() = default;
    virtual Event submit(const Call& call) = 0;
    virtual Status wait(Event event) = 0;
    // Rows [0, rows) of an exported or imported value, [rows, columns] contiguous on the host.
    virtual Status read(ValueId value, int64_t rows, float* out) = 0;
    virtual Status write(ValueId value, int64_t rows, const float* in) = 0;
    // The exported rows in place, if they lie in host memory; else null.
    virtual const float* peek(ValueId value) const = 0;
    virtual uint64_t activation_bytes() const = 0;
    virtual uint64_t scratch_bytes() const = 0;
    // One line per step, for people.
    virtual std::vector<std::string> describe() const = 0;
};

class Device {
  public:
    virtual ~Device() = default;
    virtual std::string_view name() const = 0;

    // True if this device can run the node with weights of these formats. An Observe, or Experts that are observed, write
    // to host memory: false unless this device does so, too.
    virtual bool accepts(const Node& node, std::span<const WeightSource> weights) const = 0;
    // Memory that prepare() would take for a weight.
    virtual uint64_t weight_bytes(const WeightSource& weight, const WeightUse& use) const = 0;
    // Bytes of files that it would multiply where they are mapped, likewise.
    virtual uint64_t mapped_weight_bytes(const WeightSource&, const WeightUse&) const { return 0; }

    // Reads, converts and keeps the weights named by `uses`. `weights` must outlive the result.
    virtual Result<std::unique_ptr<Weights>> prepare(std::span<const WeightSource> weights,
                                                     std::span<const WeightUse> uses,
                                                     const Progress& progress) = 0;
    // The same without reading: what programs compiled with it need can be measured, but they cannot run.
    virtual Result<std::unique_ptr<Weights>> outline(std::span<const WeightSource> weights,
                                                     std::span<const WeightUse> uses) {
        return prepare(weights, uses, {});
    }
    virtual Result<std::unique_ptr<KvStore>> make_kv(const KvLayout& layout) = 0;
    // `kv` may be null if no node touches the cache. Both must outlive the result.
    virtual Result<std::unique_ptr<Executable>> compile(const Segment& segment,
                                                        const Weights& weights, KvStore* kv) = 0;
};

}  // namespace ingle::backend
