/** Figures of the batches with one expiry date, or by how much they change. */
export interface Tally {
  expiryDate: string;
  total: number;
  reserved: number;
  held: number;
  batches: number;
  products: number;
}
