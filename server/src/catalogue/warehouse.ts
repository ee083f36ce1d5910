export interface Warehouse {
  code: string;
  name: string;
  zones: { code: string; name: string }[];
  updatedAt: Date;
}
