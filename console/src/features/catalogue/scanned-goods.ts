import { LotwardError, readUdi, type Udi } from '@lotward/client';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.js';
import { useLanguage, useWords } from '../../app/language.js';
import { useExplain } from '../../ui/problem.js';
import { reasonsInChinese } from '../../ui/reasons.js';
import { scanWords } from '../../ui/scan-words.js';

/** A scanned code, resolved against the catalogue. */
export interface ScannedGoods {
  code: string;
  productCode: string;
  productName: string;
  tracking: 'none' | 'batch' | 'serial';
  /** The number of base units: the quantity in the code (or one) times the units of its package. */
  units: number;
  batchNo: string | null;
  serialNo: string | null;
  manufactureDate: string | null;
  expiryDate: string | null;
}

export type ScanReading = { ok: true; goods: ScannedGoods } | { ok: false; text: string };

interface Device {
  productCode: string;
  productName: string;
  tracking: ScannedGoods['tracking'];
  packageUnits: number;
}

const isMissing = (error: unknown): boolean => error instanceof LotwardError && error.status === 404;

/**
 * The product of a device identifier, which is usually its code; otherwise the trace also knows identifiers and packages.
 */
async function findDevice(udi: Udi, deviceIdentifier: string): Promise<Device | null> {
  try {
    const product = await api.get('/v2/products/{id}', { path: { id: deviceIdentifier } });
    return { ...product, packageUnits: 1 };
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    const code = udi.issuingAgency === 'GS1' ? `(01)${deviceIdentifier}` : udi.raw;
    const traced = await api.get('/v2/udi', { query: { code } });
    if (!('product' in traced)) return null;
    const { productCode, productName, tracking, package: packed } = traced.product;
    return {
      productCode,
      productName,
      tracking: tracking as ScannedGoods['tracking'],
      packageUnits: packed?.quantity ?? 1,
    };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Resolves codes against the catalogue, and caches the results. */
export function useScanReader(): (code: string) => Promise<ScanReading> {
  const words = useWords(scanWords);
  const { language } = useLanguage();
  const explain = useExplain();
  const queries = useQueryClient();
  return async (code) => {
    const reading = readUdi(code, { today: new Date().toISOString().slice(0, 10) });
    if (!reading.ok) {
      const { reason, message } = reading.failure;
      return {
        ok: false,
        text: words.unreadable(language === 'zh-CN' ? (reasonsInChinese[reason] ?? message) : message),
      };
    }
    const { udi } = reading;
    const { deviceIdentifier, batchNo, serialNo, manufactureDate, expiryDate } = udi;
    if (deviceIdentifier === null) return { ok: false, text: words.noDevice };
    try {
      const device = await queries.fetchQuery({
        queryKey: ['device', deviceIdentifier],
        staleTime: 300_000,
        queryFn: () => findDevice(udi, deviceIdentifier),
      });
      if (!device) return { ok: false, text: words.unknown(deviceIdentifier) };
      const { productCode, productName, tracking, packageUnits } = device;
      const units = (udi.quantity ?? 1) * packageUnits;
      const said = { batchNo, serialNo, manufactureDate, expiryDate };
      return { ok: true, goods: { code, productCode, productName, tracking, units, ...said } };
    } catch (error) {
      return { ok: false, text: explain(error) };
    }
  };
}
