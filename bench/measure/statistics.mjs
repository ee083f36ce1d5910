/** The value below which this share of the values lies, by linear interpolation. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)];
  return below + (sorted[Math.ceil(place)] - below) * (place - Math.floor(place));
}

export const quartiles = (values) => ({
  low: quantile(values, 0.25),
  median: quantile(values, 0.5),
  high: quantile(values, 0.75),
});

export const median = (values) => quartiles(values).median;
export const sum = (values) => values.reduce((total, value) => total + value, 0);
