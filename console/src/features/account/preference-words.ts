import { dictionary } from '../../app/language.js';

export const preferenceWords = dictionary(
  {
    title: 'Preferences',
    hint: 'Kept with your account in this organization: they follow you to other browsers.',
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
    hint: '随您在本企业的账户保存，在其他浏览器登录时同样生效。',
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
