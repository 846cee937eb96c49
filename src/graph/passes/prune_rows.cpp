// Prune rows: whatever only the wanted outputs depend on is computed for their rows alone.
//
// Walking backwards, a value is needed for all tokens, for the output rows, or both. An op that is needed for
// output rows only asks its inputs for no more; cache writes need every token.
#include "graph/pass.h"

namespace ingle::graph::entries {

namespace {

struct Need {
    bool tokens = false;
    bool outputs = false;
};

std::vector<Need> needs_of(const Graph& graph) {
    std::vector<Need> needs(graph.values.size());
    needs[size_t(graph.result)].outputs = true;
    for (size_t n = graph.nodes.size(); n-- > 0;) {
        const Node& node = graph.nodes[n];
        bool tokens = node.out.empty();
        bool outputs = false;
        for (const ValueId out : node.out) {
            const bool selected = graph.values[size_t(out)].rows == Rows::outputs;
            tokens |= needs[size_t(out)].tokens && !selected;
            outputs |= needs[size_t(out)].outputs || (selected && needs[size_t(out)].tokens);
        }
        for (const ValueId in : node.in) {
            needs[size_t(in)].tokens |= tokens;
            needs[size_t(in)].outputs |= outputs && !tokens;
        }
    }
    return needs;
}

class Rewriter {
  public:
    explicit Rewriter(const Graph& source)
        : source_(source), needs_(needs_of(source)), in_tokens_(source.values.size(), none),
          in_outputs_(source.values.size(), none) {
        result_.weights = source.weights;
        result_.kv_layers = source.kv_layers;
    }

    Graph run() {
        for (const Node& node : source_.nodes) rewrite(node);
        result_.result = in_outputs_[size_t(source_.result)];
        return std::move(result_);
    }

  private:
    void rewrite(const Node& node) {
        if (std::holds_alternative<ops::SelectRows>(node.op)) {
            if (needs_[size_t(node.out[0])].outputs)
                in_outputs_[size_t(node.out[0])] = wanted(node.in[0], Rows::outputs);
            return;
        }
        Need need;
        need.tokens = node.out.empty();
        for (const ValueId out : node.out) {
            need.tokens |= needs_[size_t(out)].tokens;
            need.outputs |= needs_[size_t(out)].outputs;
        }
        if (need.tokens) emit(node, Rows::tokens);
        else if (need.outputs) emit(node, Rows::outputs);
    }

    void emit(const Node& node, Rows rows) {
        Node copy = node;
        copy.rows = rows;
        for (ValueId& in : copy.in) in = wanted(in, rows);
        for (ValueId& out : copy.out) {
            const ValueId fresh = result_.add_value(rows, source_.values[size_t(out)].columns);
            (rows == Rows::tokens ? in_tokens_ : in_outputs_)[size_t(out)] = fresh;
            out = fresh;
        }
        result_.nodes.push_back(std::move(copy));
    }

    // The new value that holds `old` in the given rows, selected from all tokens if need be.
    ValueId wanted(ValueId old, Rows rows) {
        auto& known = rows == Rows::tokens ? in_tokens_ : in_outputs_;
        if (known[size_t(old)] == none && rows == Rows::outputs) {
            Node select;
            select.op = ops::SelectRows{};
            select.in = {in_tokens_[size_t(old)]};
            select.rows = Rows::outputs;
            const ValueId fresh = result_.add_value(rows, source_.values[size_t(old)].columns);
            select.out = {fresh};
            result_.nodes.push_back(std::move(select));
            known[size_t(old)] = fresh;
        }
        return known[size_t(old)];
    }

    const Graph& source_;
    std::vector<Need> needs_;
    std::vector<ValueId> in_tokens_;
    std::vector<ValueId> in_outputs_;
    Graph result_;
};

}  // namespace

extern const Pass prune_rows;
const Pass prune_rows{.name = "prune_rows", .order = 10,
                      .run = [](const Graph& graph) { return Rewriter(graph).run(); }};

}  // namespace ingle::graph::entries
