import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/zh-cn.js';
import { DatePicker } from '@mantine/dates';
import { dictionary, useLanguage, useWords } from '../app/language.js';

const calendarWords = dictionary(
  {
    previousMonth: 'Previous month',
    nextMonth: 'Next month',
    previousYear: 'Previous year',
    nextYear: 'Next year',
    previousDecade: 'Previous decade',
    nextDecade: 'Next decade',
    monthLevelControl: 'Choose month',
    yearLevelControl: 'Choose year',
    month: 'MMMM YYYY',
  },
  {
    previousMonth: '上个月',
    nextMonth: '下个月',
    previousYear: '上一年',
    nextYear: '下一年',
    previousDecade: '上一个十年',
    nextDecade: '下一个十年',
    monthLevelControl: '选择月份',
    yearLevelControl: '选择年份',
    month: 'YYYY年M月',
  },
);

/** Loaded when it is first opened. */
export default function Calendar({ day, onChoose }: { day: string | null; onChoose: (day: string) => void }) {
  const { month, ...labels } = useWords(calendarWords);
  const { language } = useLanguage();
  return (
    <DatePicker
      value={day}
      {...(day === null ? {} : { defaultDate: day })}
      onChange={(chosen) => chosen && onChoose(chosen)}
      locale={language === 'zh-CN' ? 'zh-cn' : 'en'}
      firstDayOfWeek={1}
      monthLabelFormat={month}
      ariaLabels={labels}
      highlightToday
    />
  );
}
