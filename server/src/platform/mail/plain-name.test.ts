import { expect, it } from 'vitest';
import { plainName } from './index.js';

it.each([
  ['Acme Medical', 'Acme Medical'],
  ['Acme Co., Ltd.', 'Acme Co., Ltd.'],
  ['上海某某医疗器械有限公司', '上海某某医疗器械有限公司'],
  ['Stent 3.0 × 18 mm, 2.5 bar', 'Stent 3.0 × 18 mm, 2.5 bar'],
  ['since 2026-11-15T10:00:00.000Z', 'since 2026-11-15T10:00:00.000Z'],
  ['A: B', 'A: B'],
  ['http://a', 'http[:]//a'],
  ['evil.example', 'evil[.]example'],
  ['www.evil.co.uk/x?y=1', 'www[.]evil[.]co[.]uk/x?y=1'],
  ['evil。公司', 'evil[。]公司'],
  ['http://192.0.2.1/', 'http[:]//192[.]0[.]2[.]1/'],
  ['me@evil.example', 'me[@]evil[.]example'],
  ['mailto:me', 'mailto[:]me'],
  ['a\r\nBcc: b', 'a Bcc: b'],
  ['a\u2028b', 'a b'],
  ['ev\u200bil', 'evil'],
])('%j is mailed as %j', (name, written) => expect(plainName(name)).toBe(written));
