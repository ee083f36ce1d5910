import { afterAll, beforeAll, describe } from 'vitest';
import { fullTier } from '../../server/test/harness/index.js';
import { testExpiry } from './desk/expiry.js';
import { testFiles } from './desk/files.js';
import { testHandheldIn } from './desk/handheld.js';
import { testInterruptionsIn } from './desk/interruptions.js';
import { testListsIn } from './desk/lists.js';
import { testSearchingIn } from './desk/searching.js';
import { type ConsoleService, FOUR_LOOKS, nameOfLooks, openConsole } from './harness/index.js';
import { testDevelopersIn } from './looks/developers.js';
import { testGoodsIn } from './looks/goods.js';

let service: ConsoleService;
beforeAll(async () => {
  if (fullTier) service = await openConsole();
});
afterAll(() => service?.close());

const opened = () => service;
/** The daily work in other looks than at the desk: in the words, the width and the colours that people have there. */
for (const looks of FOUR_LOOKS)
  describe.skipIf(!fullTier)(nameOfLooks(looks), () => {
    testSearchingIn(opened, looks);
    testListsIn(opened, looks);
    testGoodsIn(opened, looks);
    testExpiry(opened, looks);
    testHandheldIn(opened, looks);
    testDevelopersIn(opened, looks);
    testFiles(opened, looks);
    testInterruptionsIn(opened, looks);
  });
