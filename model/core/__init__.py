"""What all games share: the contract, clauses, rulings, packs, the law, traces, formulas."""
