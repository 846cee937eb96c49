#include "grammar/schema/normal_form.h"

#include <algorithm>

#include "base/utf8.h"
#include "grammar/regex/parse.h"
#include "grammar/schema/array_form.h"
#include "grammar/schema/object_form.h"

namespace ingle::grammar {

namespace {

using Says = FormulaNode::Kind;

// The type that a statement speaks of; 0 for connectives.
uint32_t type_of(Says kind) {
    switch (kind) {
        case Says::truth: return boolean_type;
        case Says::number: return number_type;
        case Says::text: return string_type;
        case Says::members_all:
        case Says::members_any:
        case Says::names_all:
        case Says::members_min:
        case Says::members_max: return object_type;
        case Says::items_all:
        case Says::items_any:
        case Says::items_few:
        case Says::items_min:
        case Says::items_max: return array_type;
        default: return 0;
    }
}

constexpr int nesting_max = 1500;
constexpr int asking_max = 500;

}  // namespace

NormalForms::NormalForms(Expressions& expressions, Formulas& formulas)
    : expressions_(expressions), formulas_(formulas) {}
NormalForms::~NormalForms() = default;

uint32_t NormalForms::rule(Formula formula) {
    const auto known = rules_.find(formula);
    if (known != rules_.end()) return known->second;
    const uint32_t id = expressions_.add_rule(this, formula);
    rules_.emplace(formula, id);
    return id;
}

// The nearest keyword that the formula comes from.
std::string NormalForms::place() const {
    std::vector<Formula> queue = {current_};
    for (size_t i = 0; i < queue.size() && i < 1000; ++i) {
        const auto known = places_.find(queue[i]);
        if (known != places_.end()) return known->second;
        const FormulaNode& node = formulas_.node(queue[i]);
        for (const Formula part : node.parts) queue.push_back(part);
        if (node.kind == Says::negation) queue.push_back(node.a);
        if (node.kind == Says::reference) queue.push_back(formulas_.target(node.a));
    }
    return "(root)";
}

Expr NormalForms::space() {
    if (space_ == none) {
        Expressions& e = expressions_;
        const Expr blank = e.either({e.byte(' '), e.byte('\t')});
        space_ = e.either({epsilon, e.byte(' '),
                           e.concat({e.optional(e.byte('\r')), e.byte('\n'), e.repeat(blank, 0, 80)})});
    }
    return space_;
}

Expr NormalForms::number_text() {
    if (number_ == none) {
        Expressions& e = expressions_;
        ByteSet set;
        for (size_t b = '0'; b <= '9'; ++b) set.set(b);
        const Expr digit = e.bytes(set);
        set.reset('0');
        const Expr whole = e.either({e.byte('0'), e.concat(e.bytes(set), e.star(digit))});
        number_ = e.concat({e.optional(e.byte('-')), whole,
                            e.optional(e.concat(e.byte('.'), e.repeat(digit, 1, unlimited)))});
    }
    return number_;
}

namespace {

// \uXXXX for 16 bits, digits of either case.
Expr escape_of(Expressions& e, uint32_t unit) {
    Expr whole = epsilon;
    for (int shift = 0; shift < 16; shift += 4) {
        const char digit = "0123456789abcdef"[unit >> shift & 15];
        const Expr lower = e.byte(uint8_t(digit));
        const bool letter = digit >= 'a';
        whole = e.concat(letter ? e.either({lower, e.byte(uint8_t(digit - 32))}) : lower, whole);
    }
    return e.concat({e.byte('\\'), e.byte('u'), whole});
}

}  // namespace

Expr NormalForms::json_literal(std::string_view text) {
    Expressions& e = expressions_;
    constexpr std::string_view letters = "\"\\bfnrt", meanings = "\"\\\b\f\n\r\t";
    std::vector<Expr> parts;
    while (!text.empty()) {
        const auto [point, decoded] = utf8::decode(text);
        const std::string_view bytes = text.substr(0, size_t(decoded));
        text.remove_prefix(size_t(decoded));
        const size_t letter = point < 0x80 ? meanings.find(char(point)) : meanings.npos;
        std::vector<Expr> ways;
        if (letter != meanings.npos) ways.push_back(e.literal(std::string{'\\', letters[letter]}));
        else if (point >= 0x20) ways.push_back(e.literal(bytes));
        if (point > 0xffff)
            ways.push_back(e.concat(escape_of(e, 0xd800 + ((point - 0x10000) >> 10)),
                                    escape_of(e, 0xdc00 + ((point - 0x10000) & 0x3ff))));
        else if (point < 0x20 || point >= 0x7f)
            ways.push_back(escape_of(e, point));
        parts.push_back(e.either(std::move(ways)));
    }
    Expr whole = e.byte('"');
    for (size_t i = parts.size(); i-- > 0;) whole = e.concat(parts[i], whole);
    return e.concat(e.byte('"'), whole);
}

Expr NormalForms::evaluate(Formula formula, uint32_t type, bool boolean, int depth) {
    if (formula == always) return anything;
    if (formula == never) return none;
    const std::pair<Formula, uint32_t> key = {formula, type * 2 + boolean};
    if (const auto known = evaluated_.find(key); known != evaluated_.end()) return known->second;
    const FormulaNode node = formulas_.node(formula);
    Expr out = anything;
    if (node.kind == Says::one_of) {
        out = evaluate(exactly_one(formula), type, boolean, depth + 1);
    } else if (depth > nesting_max) {
        refuse("schemas refer to each other more than ", nesting_max, " deep");
    } else if (node.kind == Says::reference) {
        if (!evaluating_.insert(key).second) {
            refuse("$ref: a schema that refers to itself without a property or item in between");
            return anything;
        }
        out = evaluate(formulas_.target(node.a), type, boolean, depth + 1);
        evaluating_.erase(key);
    } else if (node.kind == Says::negation) {
        out = expressions_.negation(evaluate(node.a, type, boolean, depth + 1));
    } else if (node.kind == Says::all_of || node.kind == Says::any_of) {
        std::vector<Expr> parts;
        for (const Formula part : node.parts)
            parts.push_back(evaluate(part, type, boolean, depth + 1));
        out = node.kind == Says::all_of ? expressions_.both(std::move(parts))
                                        : expressions_.either(std::move(parts));
    } else if (node.kind == Says::types) {
        out = (node.a & type) != 0 ? anything : none;
    } else if (type_of(node.kind) == type) {
        if (node.kind == Says::truth) out = (node.a != 0) == boolean ? anything : none;
        else if (type == number_type || type == string_type) out = node.a;
        // Objects and arrays are not evaluated: `groups` looks at them.
    }
    evaluated_[key] = out;
    return out;
}

Expr NormalForms::scalars(Formula formula) {
    Expressions& e = expressions_;
    std::vector<Expr> parts;
    if (evaluate(formula, null_type, false, 0) != none) parts.push_back(e.literal("null"));
    if (evaluate(formula, boolean_type, false, 0) != none) parts.push_back(e.literal("false"));
    if (evaluate(formula, boolean_type, true, 0) != none) parts.push_back(e.literal("true"));
    const Expr digits = evaluate(formula, number_type, false, 0);
    if (digits == anything) {
        ByteSet sign, digit, mark;
        sign.set('+').set('-');
        mark.set('e').set('E');
        for (size_t b = '0'; b <= '9'; ++b) digit.set(b);
        const Expr exponent = e.concat({e.bytes(mark), e.optional(e.bytes(sign)),
                                        e.repeat(e.bytes(digit), 1, unlimited)});
        parts.push_back(e.concat(number_text(), e.optional(exponent)));
    } else if (digits != none) {
        const Expr both = e.both({number_text(), digits});
        if (e.live(both)) parts.push_back(both);
    }
    Expr text = evaluate(formula, string_type, false, 0);
    if (text == anything) text = any_text(e);
    else if (!e.plain(text)) text = e.both({text, any_text(e)});
    if (text != none) parts.push_back(e.json_text(text));
    return e.either(std::move(parts));
}

bool NormalForms::take(ObjectGroup& group, const FormulaNode& node, bool negated) {
    const Formula value = negated ? formulas_.negation(node.b) : node.b;
    switch (node.kind) {
        case Says::names_all: {
            Expressions& e = expressions_;
            const Expr good = evaluate(node.a, string_type, false, 0);
            const Expr bad = e.both({any_text(e), e.negation(good)});
            const uint32_t names = formulas_.name_set({.expression = bad});
            if (negated) group.any.push_back({names, always});
            else group.all.push_back({names, never});
            break;
        }
        case Says::members_all: (negated ? group.any : group.all).push_back({node.a, value}); break;
        case Says::members_any: (negated ? group.all : group.any).push_back({node.a, value}); break;
        case Says::members_min:
            if (negated && node.a == 0) return false;
            if (negated) group.max = std::min(group.max, node.a - 1);
            else group.min = std::max(group.min, node.a);
            break;
        default:
            if (negated) group.min = std::max(group.min, node.a + 1);
            else group.max = std::min(group.max, node.a);
            break;
    }
    return group.min <= group.max;
}

bool NormalForms::take(ArrayGroup& group, const FormulaNode& node, bool negated) {
    const auto opposite = [&] { return formulas_.negation(node.a); };  // of statements about items only
    switch (node.kind) {
        case Says::items_all:
            if (negated) group.any.push_back({node.from, node.to, opposite(), 1});
            else group.all.push_back({node.from, node.to, node.a, 1});
            break;
        case Says::items_any:
            if (node.b == 0) return !negated;
            if (!negated) group.any.push_back({node.from, node.to, node.a, node.b});
            else if (node.b == 1) group.all.push_back({node.from, node.to, opposite(), 1});
            else group.few.push_back({node.from, node.to, node.a, node.b - 1});
            break;
        case Says::items_few:
            if (negated) group.any.push_back({node.from, node.to, node.a, node.b + 1});
            else if (node.b == 0) group.all.push_back({node.from, node.to, opposite(), 1});
            else group.few.push_back({node.from, node.to, node.a, node.b});
            break;
        case Says::items_min:
            if (negated && node.a == 0) return false;
            if (negated) group.max = std::min(group.max, node.a - 1);
            else group.min = std::max(group.min, node.a);
            break;
        default:
            if (negated) group.min = std::max(group.min, node.a + 1);
            else group.max = std::min(group.max, node.a);
            break;
    }
    return group.min <= group.max;
}

bool NormalForms::possible(const ObjectGroup& group) {
    for (const ObjectGroup::Demand& demand : group.any) {
        const NameSet& names = formulas_.names(demand.names);
        if (!names.single) continue;
        std::vector<Formula> value = {demand.value};
        const std::string name = names.name;
        for (const ObjectGroup::Demand& other : group.all)
            if (contains(expressions_, formulas_.names(other.names), name))
                value.push_back(other.value);
        if (!satisfiable(formulas_.all_of(std::move(value)), true)) return false;
    }
    return true;
}

bool NormalForms::possible(const ArrayGroup& group) {
    for (uint32_t i = 0; i < std::min(group.min, 8u); ++i) {
        std::vector<Formula> value;
        for (const ArrayGroup::Demand& demand : group.all)
            if (demand.from <= i && i < demand.to) value.push_back(demand.value);
        if (!satisfiable(formulas_.all_of(std::move(value)), true)) return false;
    }
    return true;
}

// One of them and none of the others; others that cannot hold beside it need not be mentioned.
Formula NormalForms::exactly_one(Formula formula) {
    const auto known = exactly_one_.find(formula);
    if (known != exactly_one_.end()) return known->second;
    const std::vector<Formula> parts = formulas_.node(formula).parts;
    std::vector<std::vector<Formula>> ways(parts.size());
    for (size_t i = 0; i < parts.size(); ++i) {
        ways[i].push_back(parts[i]);
        for (size_t j = 0; j < i; ++j) {
            if (!satisfiable(formulas_.all_of({parts[i], parts[j]}), true)) continue;
            ways[i].push_back(formulas_.negation(parts[j]));
            ways[j].push_back(formulas_.negation(parts[i]));
        }
    }
    std::vector<Formula> all;
    for (auto& way : ways) all.push_back(formulas_.all_of(std::move(way)));
    return exactly_one_[formula] = formulas_.any_of(std::move(all));
}

template <class Group>
bool NormalForms::settle(Work<Group>& work) {
    constexpr bool object = std::is_same_v<Group, ObjectGroup>;
    constexpr uint32_t type = object ? uint32_t(object_type) : uint32_t(array_type);
    const auto is_taken = [&](std::pair<Formula, bool> literal) {
        return std::find(work.taken.begin(), work.taken.end(), literal) != work.taken.end();
    };
    const auto add_choice = [&](const FormulaNode& node, bool negated) {
        std::vector<std::pair<Formula, bool>> choice;
        for (const Formula part : node.parts) choice.emplace_back(part, negated);
        work.choices.push_back(std::move(choice));
    };
    while (true) {
        while (!work.pending.empty()) {
            const auto [formula, negated] = work.pending.back();
            work.pending.pop_back();
            if (++steps_ > steps_max) refuse("too many combinations of allOf, anyOf, oneOf and not");
            if (!status_.ok()) return false;
            if (formula == never || formula == always) {
                if ((formula == never) != negated) return false;
                continue;
            }
            if (is_taken({formula, negated})) continue;
            if (is_taken({formula, !negated})) return false;
            work.taken.emplace_back(formula, negated);
            const FormulaNode node = formulas_.node(formula);
            const uint32_t about = type_of(node.kind);
            if (node.kind == Says::negation) {
                work.pending.emplace_back(node.a, !negated);
            } else if (node.kind == Says::one_of) {
                work.pending.emplace_back(exactly_one(formula), negated);
            } else if (node.kind == Says::reference) {
                work.pending.emplace_back(formulas_.target(node.a), negated);
            } else if (node.kind == Says::all_of || node.kind == Says::any_of) {
                if ((node.kind == Says::any_of) != negated) add_choice(node, negated);
                else
                    for (const Formula part : node.parts) work.pending.emplace_back(part, negated);
            } else if (node.kind == Says::types) {
                if (((node.a & type) != 0) == negated) return false;
            } else if (about != type) {
                if (negated) return false;
            } else if (!take(work.group, node, negated)) {
                return false;
            }
        }
        // Choices that are settled by now, or left with one way.
        std::vector<std::vector<std::pair<Formula, bool>>> left;
        for (auto& choice : work.choices) {
            bool settled = false;
            std::erase_if(choice, [&](std::pair<Formula, bool> literal) {
                if (is_taken(literal)) settled = true;
                const FormulaNode* node = &formulas_.node(literal.first);
                bool negated = literal.second;
                while (node->kind == Says::negation) {
                    negated = !negated;
                    node = &formulas_.node(node->a);
                }
                const uint32_t about = type_of(node->kind);
                const bool foreign = about != 0 && about != type;
                const bool true_type = node->kind == Says::types && (node->a & type) != 0;
                const bool false_type = node->kind == Says::types && (node->a & type) == 0;
                if ((foreign || true_type) && !negated) settled = true;
                if (false_type && negated) settled = true;
                return is_taken({literal.first, !literal.second}) ||
                       ((foreign || true_type) && negated) || (false_type && !negated);
            });
            if (settled) continue;
            if (choice.empty()) return false;
            if (choice.size() == 1) work.pending.push_back(choice[0]);
            else left.push_back(std::move(choice));
        }
        work.choices = std::move(left);
        if (work.pending.empty()) return true;
    }
}

template <class Group>
std::vector<Group> NormalForms::groups(Formula formula) {
    std::vector<Group> out;
    std::vector<Work<Group>> stack(1);
    stack.back().pending.emplace_back(formula, false);
    while (!stack.empty() && status_.ok()) {
        Work<Group> work = std::move(stack.back());
        stack.pop_back();
        if (!settle(work) || !possible(work.group)) continue;
        if (work.choices.empty()) {
            out.push_back(std::move(work.group));
            if (out.size() > groups_max)
                refuse("more than ", groups_max, " ways to satisfy allOf, anyOf, oneOf and not");
            continue;
        }
        const auto best = std::min_element(
            work.choices.begin(), work.choices.end(),
            [](const auto& a, const auto& b) { return a.size() < b.size(); });
        const auto choice = std::move(*best);
        work.choices.erase(best);
        for (size_t i = choice.size(); i-- > 0;) {
            stack.push_back(work);
            stack.back().pending.push_back(choice[i]);
        }
    }
    return out;
}

void NormalForms::check_limits() {
    if (!expressions_.status().ok()) refuse(expressions_.status().message());
    if (expressions_.take_exhausted())
        refuse("no value was found among ", Expressions::search_max, " states; this may not be satisfiable");
}

NormalForms::Form& NormalForms::form(Formula formula) {
    const auto known = forms_.find(formula);
    if (known != forms_.end()) return *known->second;
    auto made = std::make_unique<Form>();
    Form& form = *made;
    forms_.emplace(formula, std::move(made));
    if (++depth_ > nesting_max || formulas_.size() > formulas_max)
        refuse("the schema has too many different parts");
    if (status_.ok()) {
        const Formula outer = std::exchange(current_, formula);
        form.scalars = scalars(formula);
        check_limits();
        // First everything is taken apart, for forms of other formulas may be made on the way.
        auto objects = groups<ObjectGroup>(formula);
        auto arrays = groups<ArrayGroup>(formula);
        for (ObjectGroup& group : objects)
            form.objects.push_back(std::make_unique<ObjectForm>(*this, std::move(group)));
        for (ArrayGroup& group : arrays)
            form.arrays.push_back(std::make_unique<ArrayForm>(*this, std::move(group)));
        check_limits();
        current_ = outer;
    }
    --depth_;
    return form;
}

bool NormalForms::satisfiable(Formula formula, bool in_doubt) {
    if (formula == always) return true;
    if (formula == never || !status_.ok()) return false;
    const auto known = answers_.find(formula);
    if (known != answers_.end()) {
        if (known->second == Answer::yes) return true;
        if (known->second == Answer::no) return false;
        if (known->second == Answer::open) {
            doubts_ = true;
            return in_doubt;
        }
    }
    if (in_doubt && in_doubt_depth_ > 40) return true;
    if (in_doubt_depth_ > asking_max) {
        refuse("required properties or items nested more than ", asking_max, " deep");
        return false;
    }
    ++in_doubt_depth_;
    const bool doubts_before = doubts_;
    doubts_ = false;
    answers_[formula] = Answer::open;
    Form& made = form(formula);
    bool found = made.scalars != none;
    for (size_t i = 0; !found && i < made.objects.size(); ++i) found = made.objects[i]->possible();
    for (size_t i = 0; !found && i < made.arrays.size(); ++i) found = made.arrays[i]->possible();
    --in_doubt_depth_;
    // A "no" that came of asking about itself is final only where nothing else is being asked.
    answers_[formula] = found ? Answer::yes
                        : doubts_ && in_doubt_depth_ > 0 ? Answer::fresh
                                                         : Answer::no;
    const bool doubtful = doubts_ && !found;
    doubts_ = doubts_before || doubtful;
    return found || (doubtful && in_doubt);
}

Expr NormalForms::body(uint32_t formula) {
    Form& made = form(formula);
    std::vector<Expr> parts = {made.scalars};
    for (const auto& object : made.objects) parts.push_back(object->start());
    for (const auto& array : made.arrays) parts.push_back(array->start());
    return expressions_.either(std::move(parts));
}

Status NormalForms::complete(Formula root) {
    std::deque<Formula> queue = {root};
    std::set<Formula> seen = {root};
    const bool possible = satisfiable(root, false);
    INGLE_TRY(status_);
    INGLE_TRY(expressions_.status());
    if (!possible) return fail(Code::invalid_argument, "schema: no value satisfies it");
    while (!queue.empty()) {
        const Formula now = queue.front();
        queue.pop_front();
        Form& made = form(now);
        std::vector<Formula> next;
        for (const auto& object : made.objects) object->values(next);
        for (const auto& array : made.arrays) array->values(next);
        for (const Formula value : next)
            if (satisfiable(value, false) && seen.insert(value).second) queue.push_back(value);
        INGLE_TRY(status_);
        INGLE_TRY(expressions_.status());
    }
    return {};
}

}  // namespace ingle::grammar
