import { useFormat } from '../../app/format.js';
import { dictionary, useWords } from '../../app/language.js';
import { type Storage, storageText } from './storage-text.js';

const storageWords = dictionary({ humidity: 'humidity' }, { humidity: '湿度' });

/** The storage conditions of goods in the language of the page; null if none are recorded. */
export function useStorageText(): (storage: Storage | undefined) => string | null {
  const words = useWords(storageWords);
  const format = useFormat();
  return (storage) => storageText(storage, { ...format, ...words });
}
