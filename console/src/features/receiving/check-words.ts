import { dictionary } from '../../app/language.js';

export const checkWords = dictionary(
  {
    title: 'Check before you accept',
    licence: 'Licence of the supplier: in force, and covers the goods.',
    noLicence: 'No licence of this supplier is on record.',
    validTo: (day: string) => `valid to ${day}`,
    noEnd: 'no expiry',
    registration: 'Name, specification, manufacturer and registration no. on the label are those below.',
    expiry: 'Batch number and expiry date on the label are those below.',
    temperature: 'Transport temperature is within the storage conditions.',
    transported: (temperature: string) => `Recorded: ${temperature}.`,
    notRecorded: 'Not recorded on this receipt.',
    packaging: 'Packaging and seals are intact, clean and dry.',
    storage: 'Storage conditions',
    tooWarm: 'The recorded transport temperature is outside these conditions.',
  },
  {
    title: '验收前请核对',
    licence: '供应商证照有效，且覆盖所供产品。',
    noLicence: '该供应商没有已登记的证照。',
    validTo: (day: string) => `有效期至 ${day}`,
    noEnd: '长期有效',
    registration: '标签上的名称、规格型号、生产企业和注册证号与下列一致。',
    expiry: '标签上的批号和有效期与下列一致。',
    temperature: '运输温度符合储运条件。',
    transported: (temperature: string) => `记录温度：${temperature}。`,
    notRecorded: '收货单未记录运输温度。',
    packaging: '包装和封签完好、清洁、干燥。',
    storage: '储运条件',
    tooWarm: '记录的运输温度不符合该条件。',
  },
);
