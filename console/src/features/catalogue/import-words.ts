import { counting } from '../../app/counting.js';
import { dictionary } from '../../app/language.js';

const rows = counting('row', 'rows');

export const importWords = dictionary(
  {
    importFile: 'Import CSV',
    exportFile: 'Export CSV',
    exported: (count: number) => `${rows(count)} exported.`,
    importProducts: 'Import products',
    importPartners: 'Import partners',
    hint: 'Upload a CSV file with a header row (UTF-8, Unicode text or GB18030). Nothing is saved before you have seen the result of the check.',
    replaces:
      'A row with an existing code replaces the whole record. An empty cell or a missing column resets its field to the default.',
    addressesStay: 'Delivery addresses are not part of the file and stay as they are.',
    chooseFile: 'Choose file',
    otherFile: 'Choose another file',
    template: 'Download template',
    readAs: (encoding: string) => `Read as ${encoding}`,
    columns: 'Columns',
    meaning: 'Meaning',
    example: 'Example',
    columnsHint: 'Columns can be in any order.',
    required: 'required',
    line: 'Line',
    problems: 'Problems',
    fine: 'None',
    preview: 'Preview',
    previewHint: (shown: number, all: number) =>
      shown < all ? `First ${shown} of ${rows(all)}. Rows with problems come first.` : rows(all),
    counts: (ready: number, refused: number) =>
      refused === 0
        ? `${rows(ready)} ready to import.`
        : `${rows(ready)} ready to import. ${rows(refused)} with problems will be skipped.`,
    run: (count: number) => `Import ${rows(count)}`,
    stop: 'Stop import',
    progress: 'Import progress',
    progressText: (done: number, all: number) => `${done} of ${all}`,
    finished: 'Import finished',
    stopped: 'Import stopped',
    summary: (made: number, changed: number, refused: number) =>
      `${made} created, ${changed} replaced, ${refused} rejected.`,
    notDone: (count: number) => `${rows(count)} not processed.`,
    refusedRows: 'Rejected rows',
    reason: 'Reason',
    column: 'Column',
    saveRefused: 'Download rejected rows',
    check: 'Check file',
    checking: (done: number, all: number) => `Checking ${done} of ${all}…`,
    checkedCounts: (made: number, changed: number) => `${made} to create, ${changed} to replace.`,
    shownOnly: (shown: number, all: number) =>
      `First ${shown} of ${counting('rejected row', 'rejected rows')(all)}.`,
    unreadable:
      'The file encoding is not supported, or characters were lost when the file was saved. Save the file as “CSV UTF-8” in your spreadsheet and try again.',
  },
  {
    importFile: '导入 CSV',
    exportFile: '导出 CSV',
    exported: (count: number) => `已导出 ${count} 行。`,
    importProducts: '导入产品',
    importPartners: '导入往来单位',
    hint: '使用带表头的 CSV 文件，可直接使用 Excel 保存的文件（UTF-8、Unicode 文本或 GB18030）。先检查文件，确认后才会导入。',
    replaces: '编码已存在的记录将被整条替换：空白单元格或缺少的列恢复为默认值，原有内容不保留。',
    addressesStay: '文件不含收货地址，原有收货地址保持不变。',
    chooseFile: '选择文件',
    otherFile: '选择其他文件',
    template: '下载模板',
    readAs: (encoding: string) => `按 ${encoding} 读取`,
    columns: '列说明',
    meaning: '含义',
    example: '示例',
    columnsHint: '列的顺序不限，表头须使用下列英文名称。',
    required: '必填',
    line: '行号',
    problems: '问题',
    fine: '无',
    preview: '预览',
    previewHint: (shown: number, all: number) =>
      shown < all ? `共 ${all} 行，显示前 ${shown} 行，有问题的在前。` : `共 ${all} 行。`,
    counts: (ready: number, refused: number) =>
      refused === 0 ? `${ready} 行可以导入。` : `${ready} 行可以导入，${refused} 行有问题，将跳过。`,
    run: (count: number) => `导入 ${count} 行`,
    stop: '停止导入',
    progress: '导入进度',
    progressText: (done: number, all: number) => `${done} / ${all}`,
    finished: '导入完成',
    stopped: '导入已停止',
    summary: (made: number, changed: number, refused: number) =>
      `新建 ${made} 条，替换 ${changed} 条，失败 ${refused} 条。`,
    notDone: (count: number) => `${count} 行未处理。`,
    refusedRows: '导入失败的行',
    reason: '原因',
    column: '列',
    saveRefused: '下载失败的行',
    check: '检查文件',
    checking: (done: number, all: number) => `正在检查 ${done} / ${all}…`,
    checkedCounts: (made: number, changed: number) => `新建 ${made} 条，替换 ${changed} 条。`,
    shownOnly: (shown: number, all: number) => `共 ${all} 行失败，显示前 ${shown} 行。`,
    unreadable: '无法识别文件编码，或保存时已丢失字符。请在电子表格中另存为“CSV UTF-8”后重新选择。',
  },
);
