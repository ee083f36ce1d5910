/** Figures of the batches with one expiry date, or the amounts by which they change. */
export interface Tally {
  expiryDate: string;
  total: number;
  reserved: number;
  held: number;
  batches: number;
  products: number;
}
