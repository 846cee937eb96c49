// Codebooks: the row that costs least for every 8 or 4 weights, at sixteen scales at once, one in each
// lane. All rows are tried: with the costs of halves of rows at hand, a row is one addition.

constexpr int grid_levels_max = 8;
constexpr int grid_combinations_max = 81;

// What half a row costs, for every combination of its levels.
INGLE_INLINE void sum_half(const GridTables& tables, const float* values, const float* weights,
                           Floats scale, float offset, Floats* sums) {
    sums[0] = zero();
    int known = 1;
    for (int k = 0; k < tables.size / 2; ++k) {
        Floats costs[grid_levels_max];
        const Floats value = broadcast(values[k]), weight = broadcast(weights[k]);
        for (int p = 0; p < tables.level_count; ++p) {
            const Floats difference =
                sub(mul(scale, broadcast(tables.levels[p] + offset)), value);
            costs[p] = mul(weight, mul(difference, difference));
        }
        for (int p = tables.level_count - 1; p >= 0; --p)
            for (int i = 0; i < known; ++i) sums[p * known + i] = add(sums[i], costs[p]);
        known *= tables.level_count;
    }
}

struct GridBest {
    Floats cost, row;
};

INGLE_INLINE GridBest cheapest_rows(const GridTables& tables, const Floats* first,
                                    const Floats* second) {
    GridBest best = {broadcast(infinity), zero()};
    for (int g = 0; g < tables.group_count; ++g) {
        // The best of a group by itself, so that groups do not wait for each other.
        const GridGroup group = tables.groups[g];
        const GridEntry* entry = tables.entries + group.first;
        const GridEntry* const last = tables.entries + group.last;
        GridBest found = {first[entry->first_half], broadcast(float(entry->row))};
        for (++entry; entry < last; ++entry) {
            const Floats cost = first[entry->first_half];
            found.row = select_less(cost, found.cost, broadcast(float(entry->row)), found.row);
            found.cost = min(cost, found.cost);
        }
        const Floats cost = add(second[group.second_half], found.cost);
        best.row = select_less(cost, best.cost, found.row, best.row);
        best.cost = min(cost, best.cost);
    }
    return best;
}

INGLE_INLINE void store_rows(Floats rows, Floats offsets, uint16_t* out, uint8_t* out_offsets) {
    float numbers[lanes], chosen[lanes];
    store(numbers, rows);
    store(chosen, offsets);
    for (int j = 0; j < lanes; ++j) {
        out[j] = uint16_t(numbers[j]);
        out_offsets[j] = uint8_t(chosen[j]);
    }
}

void grid_rows(const GridTables& tables, const GridTrials& trials, GridResult& result) {
    const Floats scale = load(trials.scales);
    const int rows = trials.count / tables.size, half = tables.size / 2;
    Floats first[grid_combinations_max], second[grid_combinations_max];
    Floats totals[2] = {zero(), zero()};
    GridBest found[2][8];
    for (int o = 0; o < trials.offset_count; ++o) {
        for (int r = 0; r < rows; ++r) {
            const float* const values = trials.values + r * tables.size;
            const float* const weights = trials.weights + r * tables.size;
            sum_half(tables, values, weights, scale, trials.offsets[o], first);
            sum_half(tables, values + half, weights + half, scale, trials.offsets[o], second);
            found[o][r] = cheapest_rows(tables, first, second);
            totals[o] = add(totals[o], found[o][r].cost);
        }
    }
    // Where there are two offsets: the better one, for each row or for all of them.
    const int last = trials.offset_count - 1;
    Floats total = zero();
    for (int r = 0; r < rows; ++r) {
        const Floats a = trials.offset_by_row ? found[last][r].cost : totals[last];
        const Floats b = trials.offset_by_row ? found[0][r].cost : totals[0];
        const Floats offset = select_less(a, b, broadcast(float(last)), zero());
        const Floats row = select_less(a, b, found[last][r].row, found[0][r].row);
        const Floats cost = select_less(a, b, found[last][r].cost, found[0][r].cost);
        total = add(total, cost);
        store(result.row_costs[r], cost);
        store_rows(row, offset, result.rows[r], result.offsets[r]);
    }
    store(result.costs, total);
}
