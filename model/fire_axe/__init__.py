"""Fire & Axe: two to five players sail, trade, raid and settle in three Eras."""
