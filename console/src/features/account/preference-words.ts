import { dictionary } from '../../app/language.js';

export const preferenceWords = dictionary(
  {
    title: 'Preferences',
    hint: 'Saved with your account in this organization and used in every browser you sign in to.',
    density: 'Density',
    comfortable: 'Comfortable',
    compact: 'Compact',
    timeZone: 'Time zone',
    timeZoneHint: (zone: string) => `Times are shown and entered in ${zone}.`,
    browserZone: 'Browser time zone',
    homePage: 'Home page',
    homePageHint: 'Opens after you sign in.',
  },
  {
    title: '个人偏好',
    hint: '保存在您的账户中，换用其他浏览器登录同样生效。',
    density: '显示密度',
    comfortable: '宽松',
    compact: '紧凑',
    timeZone: '时区',
    timeZoneHint: (zone: string) => `时间按 ${zone} 显示和录入。`,
    browserZone: '与浏览器一致',
    homePage: '首页',
    homePageHint: '登录后首先打开的页面。',
  },
);
