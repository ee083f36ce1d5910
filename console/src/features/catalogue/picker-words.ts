import { dictionary } from '../../app/language.js';

export const pickerWords = dictionary(
  {
    product: 'Product',
    productHint: 'Name or code',
    supplier: 'Supplier',
    customer: 'Customer',
    manufacturer: 'Manufacturer',
    partnerHint: 'Name or code',
    warehouse: 'Warehouse',
    nothing: 'No results',
  },
  {
    product: '产品',
    productHint: '名称或编码',
    supplier: '供应商',
    customer: '客户',
    manufacturer: '生产企业',
    partnerHint: '名称或编码',
    warehouse: '仓库',
    nothing: '没有匹配的结果',
  },
);
