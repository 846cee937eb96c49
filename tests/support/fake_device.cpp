#include "support/fake_device.h"

#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "graph/memory_plan.h"

namespace ingle::test {

namespace {

// Pages that the host can touch only while an Access lives.
class DeviceMemory {
  public:
    explicit DeviceMemory(size_t bytes) : bytes_((bytes + 4095) / 4096 * 4096 + 4096) {
        base_ = static_cast<std::byte*>(::mmap(nullptr, bytes_, PROT_NONE,
                                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    }
    ~DeviceMemory() { ::munmap(base_, bytes_); }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    std::byte* base() const { return base_; }

    class Access {
      public:
        explicit Access(const DeviceMemory& memory) : memory_(memory) {
            ::mprotect(memory.base_, memory.bytes_, PROT_READ | PROT_WRITE);
        }
        ~Access() { ::mprotect(memory_.base_, memory_.bytes_, PROT_NONE); }
        Access(const Access&) = delete;
        Access& operator=(const Access&) = delete;

      private:
        const DeviceMemory& memory_;
    };

  private:
    std::byte* base_;
    size_t bytes_;
};

struct FakeWeights final : backend::Weights {
    explicit FakeWeights(size_t bytes_in) : memory(bytes_in), size(bytes_in) {}
    uint64_t bytes() const override { return size; }

    DeviceMemory memory;
    size_t size;
    std::vector<WeightSource> sources;  // by id; their memory is the device's
};

struct FakeKv final : backend::KvStore {
    explicit FakeKv(const backend::KvLayout& layout_in)
        : layout(layout_in), memory((layout_in.page_bytes() + layout_in.exact_page_bytes()) *
                                   uint64_t(layout_in.pages_max)) {}
    void discard(uint32_t) override {}
    void discard_window(uint32_t) override {}
    void copy(uint32_t from, uint32_t to) override {
        const DeviceMemory::Access access(memory);
        for_layers([&](std::byte* layer, size_t bytes, backend::PagePart) {
            std::memcpy(layer + to * bytes, layer + from * bytes, bytes);
        });
    }
    Status read(uint32_t page, backend::PagePart part, std::span<std::byte> out) override {
        const DeviceMemory::Access access(memory);
        for_layers([&](const std::byte* layer, size_t bytes, backend::PagePart of) {
            if (of != part) return;
            std::memcpy(out.data(), layer + page * bytes, bytes);
            out = out.subspan(bytes);
        });
        return {};
    }
    Status write(uint32_t page, backend::PagePart part, std::span<const std::byte> in) override {
        const DeviceMemory::Access access(memory);
        for_layers([&](std::byte* layer, size_t bytes, backend::PagePart of) {
            if (of != part) return;
            std::memcpy(layer + page * bytes, in.data(), bytes);
            in = in.subspan(bytes);
        });
        return {};
    }
    // f(first page of a layer, bytes of a page, its part), and likewise for its exact forms.
    template <class F>
    void for_layers(F&& f) const {
        std::byte* pages = memory.base();
        for (size_t i = 0; i < layout.layers.size(); ++i)
            for (const uint64_t bytes : {layout.page_bytes(i), layout.exact_page_bytes(i)}) {
                f(pages, size_t(bytes),
                  layout.windowed(i) ? backend::PagePart::windowed : backend::PagePart::lasting);
                pages += bytes * uint64_t(layout.pages_max);
            }
    }

    // The layers' pages one after another, each with its exact forms behind it.
    KvView view(int layer) const {
        KvView view;
        const auto pages = uint64_t(layout.pages_max);
        view.base = memory.base();
        for (size_t i = 0; i < size_t(layer); ++i)
            view.base += (layout.page_bytes(i) + layout.exact_page_bytes(i)) * pages;
        view.page_bytes = layout.page_bytes(size_t(layer));
        view.exact_base = view.base + view.page_bytes * pages;
        view.exact_page_bytes = layout.exact_page_bytes(size_t(layer));
        view.pages_max = layout.pages_max;
        view.set_types(layout.layers[size_t(layer)], layout.page_tokens, layout.key_type,
                       layout.value_type);
        return view;
    }

    backend::KvLayout layout;
    DeviceMemory memory;
};

class FakeExecutable final : public backend::Executable {
  public:
    FakeExecutable(const backend::Segment& segment, const FakeWeights& weights, FakeKv* kv,
                   int64_t& nodes_run)
        : nodes_(segment.nodes.begin(), segment.nodes.end()),
          values_(segment.values.begin(), segment.values.end()),
          weights_(weights),
          kv_(kv),
          plan_(graph::plan_memory(segment)),
          memory_(plan_.bytes),
          nodes_run_(nodes_run) {}

    backend::Event submit(const backend::Call& call) override {
        const DeviceMemory::Access activations(memory_);
        const DeviceMemory::Access weights(weights_.memory);
        std::optional<DeviceMemory::Access> cache;
        if (kv_ != nullptr) cache.emplace(kv_->memory);
        for (const Node& node : nodes_) run(node, call);
        return {};
    }
    Status wait(backend::Event) override { return {}; }
    Status read(ValueId value, int64_t rows, float* out) override {
        const DeviceMemory::Access access(memory_);
        std::memcpy(out, address(value), bytes(value, rows));
        return {};
    }
    Status write(ValueId value, int64_t rows, const float* in) override {
        const DeviceMemory::Access access(memory_);
        std::memcpy(address(value), in, bytes(value, rows));
        return {};
    }
    const float* peek(ValueId) const override { return nullptr; }
    uint64_t activation_bytes() const override { return plan_.bytes; }
    uint64_t scratch_bytes() const override { return 0; }
    std::vector<std::string> describe() const override {
        std::vector<std::string> lines;
        for (const Node& node : nodes_) lines.emplace_back(op_name(node.op));
        return lines;
    }

  private:
    float* address(ValueId value) const {
        return reinterpret_cast<float*>(memory_.base() + plan_.offset_bytes[size_t(value)]);
    }
    size_t bytes(ValueId value, int64_t rows) const {
        return size_t(rows * values_[size_t(value)].columns) * sizeof(float);
    }
    Matrix matrix(ValueId value, const Batch& batch) const {
        const Value& v = values_[size_t(value)];
        return {address(value), batch.count(v.rows), v.columns, v.columns};
    }

    void run(const Node& node, const backend::Call& call) {
        std::vector<ConstMatrix> in;
        std::vector<Matrix> out;
        std::vector<const WeightSource*> weights;
        for (const ValueId id : node.in) in.push_back(matrix(id, call.batch));
        for (const ValueId id : node.out) out.push_back(matrix(id, call.batch));
        for (const WeightId id : node.weights)
            weights.push_back(id == none ? nullptr : &weights_.sources[size_t(id)]);
        KvView kv;
        if (kv_ != nullptr && node.layer != none) kv = kv_->view(node.layer);
        ops::Arguments arguments;
        arguments.in = in;
        arguments.out = out;
        arguments.weights = weights;
        arguments.batch = &call.batch;
        arguments.rows = node.rows;
        arguments.kv = &kv;
        std::visit(
            [&]<class Op>(const Op& op) {
                Op::reference(op, arguments, {0, call.batch.count(node.rows)});
            },
            node.op);
        ++nodes_run_;
    }

    std::vector<Node> nodes_;
    std::vector<Value> values_;
    const FakeWeights& weights_;
    FakeKv* kv_;
    graph::MemoryPlan plan_;
    DeviceMemory memory_;
    int64_t& nodes_run_;
};

}  // namespace

bool FakeDevice::accepts(const Node& node, std::span<const WeightSource> weights) const {
    if (!ops_.contains(std::string(op_name(node.op)))) return false;
    for (const WeightId id : node.weights) {
        if (id == none || formats_.empty()) continue;
        if (!formats_.contains(std::string(weights[size_t(id)].format->name))) return false;
    }
    return true;
}

Result<std::unique_ptr<backend::Weights>> FakeDevice::prepare(
    std::span<const WeightSource> weights, std::span<const backend::WeightUse> uses,
    const backend::Progress&) {
    size_t total = 0;
    for (const backend::WeightUse& use : uses) total += weights[size_t(use.id)].bytes_total();
    auto result = std::make_unique<FakeWeights>(total);
    result->sources.resize(weights.size());
    const DeviceMemory::Access access(result->memory);
    size_t at = 0;
    for (const backend::WeightUse& use : uses) {
        const WeightSource& source = weights[size_t(use.id)];
        std::byte* const target = result->memory.base() + at;
        INGLE_TRY(source.read_rows(0, source.rows, target));
        WeightSource& copy = result->sources[size_t(use.id)];
        copy = source;
        copy.file = nullptr;
        copy.memory = {target, size_t(source.bytes_total())};
        at += source.bytes_total();
    }
    return std::unique_ptr<backend::Weights>(std::move(result));
}

Result<std::unique_ptr<backend::KvStore>> FakeDevice::make_kv(const backend::KvLayout& layout) {
    return std::unique_ptr<backend::KvStore>(std::make_unique<FakeKv>(layout));
}

Result<std::unique_ptr<backend::Executable>> FakeDevice::compile(const backend::Segment& segment,
                                                                 const backend::Weights& weights,
                                                                 backend::KvStore* kv) {
    return std::unique_ptr<backend::Executable>(std::make_unique<FakeExecutable>(
        segment, static_cast<const FakeWeights&>(weights), static_cast<FakeKv*>(kv), nodes_run));
}

}  // namespace ingle::test
