import { afterAll, beforeAll } from 'vitest';
import { testCodes } from './desk/codes.js';
import { testCraft } from './desk/craft.js';
import { testDocs } from './desk/docs.js';
import { testDrafts } from './desk/drafts.js';
import { testExpiry } from './desk/expiry.js';
import { testFiles } from './desk/files.js';
import { testHandheld } from './desk/handheld.js';
import { testInterruptions } from './desk/interruptions.js';
import { testKeyboardAlone } from './desk/keyboard-alone.js';
import { testLists } from './desk/lists.js';
import { testOrganizations } from './desk/organizations.js';
import { testPerson } from './desk/person.js';
import { testQuality } from './desk/quality.js';
import { testScanning } from './desk/scanning.js';
import { testSearching } from './desk/searching.js';
import { testStaff } from './desk/staff.js';
import { type ConsoleService, openConsole } from './harness/index.js';

/** One service, with an organization for each of them: a service, and the console loaded from it anew, cost more than most tests. */
let service: ConsoleService;
beforeAll(async () => {
  service = await openConsole();
});
afterAll(() => service?.close());

const opened = () => service;
testScanning(opened);
testDrafts(opened);
testHandheld(opened);
testCodes(opened);
testDocs(opened);
testInterruptions(opened);
testOrganizations(opened);
testStaff(opened);
testKeyboardAlone(opened);
testSearching(opened);
testQuality(opened);
testFiles(opened);
testExpiry(opened);
testCraft(opened);
testLists(opened);
// The last of them: its time goes on, which others' windows would not know.
testPerson(opened);
