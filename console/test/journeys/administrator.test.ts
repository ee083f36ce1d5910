import { afterAll, beforeAll, describe, expect } from 'vitest';
import { sealFactor } from '../../../server/src/people/sign-in/sealed-factors.store.js';
import { newTotpSecret } from '../../../server/src/people/sign-in/totp.js';
import { codeAt } from '../../../server/test/access/people.js';
import { GTIN } from '../../../server/test/harness/index.js';
import {
  button,
  type ConsoleService,
  dialog,
  field,
  hasBrowser,
  inBrowser,
  inFullTier,
  openConsole,
  said,
  type Visit,
} from '../harness/index.js';
import { testCoverage } from './coverage.js';
import { importsRun, testImporting } from './importing.js';
import { testSafeguards } from './safeguards.js';
import { testWebhook, webhooks } from './webhook.js';

/**
 * One organization and one browser session for all of it. A form is filled in, submitted, and read back from the API.
 * All forms and confirmations are built of the same parts: usually those with something of their own are tried, in the
 * full tier every one.
 */
let world: ConsoleService;
let visit: Visit & { email: string };
beforeAll(async () => {
  world = await openConsole({ webhooks });
  if (hasBrowser) visit = await world.enter('admin');
});
afterAll(async () => {
  await visit?.leave();
  await world?.close();
});

const submit = async (label: string, done: string | RegExp) => {
  await button(dialog(visit.page), label).click();
  await said(visit.page, done);
};
const fill = (label: string, text: string) => field(dialog(visit.page), label).first().fill(text);
/** Chooses in the window: a filter of the page behind it may have the same label. */
const pick = async (label: RegExp, typed: string, meant: string) => {
  await dialog(visit.page).getByRole('combobox', { name: label }).fill(typed);
  await visit.page.getByRole('option', { name: meant }).click();
};
const get = <D = unknown>(path: string) => world.must<D>('GET', path);
const adjust = (batchNo: string, quantityDelta: number, given = {}) =>
  world.must('POST', '/v2/stock/adjustments', {
    ...{ productCode: GTIN, batchNo, expiryDate: '2030-12-31', warehouse: 'WH-1', quantityDelta, ...given },
    reason: 'opening stock',
  });
const newOrder = async (orderNo: string, quantity = 1) => {
  const lines = [{ lineNo: 1, productCode: GTIN, quantity, unitPrice: '1' }];
  const sale = { warehouse: 'WH-1', currency: 'EUR', customerCode: 'HOSP-1', lines };
  const { orderId } = await world.must<{ orderId: string }>('POST', '/v2/orders', { orderNo, ...sale });
  return orderId;
};

// Before what is changed below: certificates are then required of suppliers.
testSafeguards(() => ({ world, visit }));
testCoverage(() => ({ world, visit }));

describe('a CSV file of partners', () => {
  testImporting(() => ({ world, visit }));
});

describe('the catalogue', () => {
  inBrowser(
    'a product is created with its packages, without the removed one, and what is refused is said at its field',
    60_000,
    async () => {
      const { page } = visit;
      await visit.go('/products');
      await button(page, 'Create product').click();
      await fill('Product code', 'FORM-1');
      await fill('Name', 'Guide wire');
      await fill('Minimum temperature (°C)', '2');
      await button(dialog(page), 'Add package').click();
      await button(dialog(page), 'Add package').click();
      await button(dialog(page), 'Remove package 1').click();
      // The stent is identified by it.
      await fill('Package identifier (UDI-DI)', GTIN);
      await fill('Base units', '5');
      visit.expects(/^40[09] PUT \/v2\/products\/FORM-1$/);
      await button(dialog(page), 'Create product').click();
      await dialog(page).getByText('Could not create product').waitFor();
      const refused = dialog(page).locator('input[aria-invalid=true]');
      expect(
        await refused.evaluateAll((inputs) => inputs.map((each) => (each as HTMLInputElement).value)),
      ).toEqual([GTIN]);
      await fill('Package identifier (UDI-DI)', '16901234567899');
      await submit('Create product', 'Guide wire saved.');
      expect(await get('/v2/products/FORM-1')).toMatchObject({
        productName: 'Guide wire',
        storage: { temperatureMin: 2 },
        packaging: [{ udiDi: '16901234567899', level: 'box', quantity: 5 }],
      });
    },
  );

  inFullTier(
    'a partner is created with an address, and what is refused is said at its field',
    60_000,
    async () => {
      const { page } = visit;
      await visit.go('/partners');
      await button(page, 'Create partner').click();
      await fill('Code', 'FORM-P');
      await fill('Name', 'North clinic');
      await field(dialog(page), 'Roles').click({ force: true });
      await page.getByRole('option', { name: 'Customer' }).click();
      await fill('GLN', '123');
      await button(dialog(page), 'Add address').click();
      await fill('Address code', 'MAIN');
      await fill('Address name', 'Main entrance');
      visit.expects(/^400 PUT \/v2\/partners\/FORM-P$/);
      await button(dialog(page), 'Create partner').click();
      await dialog(page).getByText('Could not create partner').waitFor();
      await fill('GLN', '');
      await submit('Create partner', 'North clinic saved.');
      expect(await get('/v2/partners/FORM-P')).toMatchObject({
        roles: ['customer'],
        addresses: [{ code: 'MAIN', name: 'Main entrance' }],
      });
    },
  );

  inFullTier(
    'a warehouse is created; a zone that is added and removed again is not in it',
    60_000,
    async () => {
      const { page } = visit;
      await visit.go('/warehouses');
      await button(page, 'Create warehouse').click();
      await fill('Code', 'WH-F');
      await fill('Name', 'Annex');
      await button(dialog(page), 'Add zone').click();
      await button(dialog(page), 'Add zone').click();
      await button(dialog(page), 'Remove zone 1').click();
      await fill('Zone code', 'COLD');
      await fill('Zone name', 'Cold room');
      await submit('Create warehouse', 'Annex saved.');
      expect(await get('/v2/warehouses/WH-F')).toMatchObject({
        kind: 'own',
        zones: [{ code: 'COLD', name: 'Cold room' }],
      });
    },
  );
});

describe('a file of products', () => {
  importsRun(() => world);
  inFullTier('is imported; a row with a problem is skipped', 60_000, async () => {
    const { page } = visit;
    await visit.go('/products/import');
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'products.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(
        'productCode,productName,riskClass,shelfLifeDays\nFORM-CSV,Suture,II,720\nFORM-BAD,Gauze,IX,\n',
      ),
    });
    await page.getByText('1 row ready to import. 1 row with problems will be skipped.').waitFor();
    await button(page, 'Import 1 row').click();
    await page.getByText('1 created, 0 replaced, 1 rejected.').waitFor();
    expect(await get('/v2/products/FORM-CSV')).toMatchObject({
      ...{ productName: 'Suture', riskClass: 'II', shelfLifeDays: 720 },
    });
    expect((await world.api.call('GET', '/v2/products/FORM-BAD', undefined, world.org.key)).status).toBe(404);
  });
});

describe('stock', () => {
  const stock = (warehouse: string) => get(`/v2/inventory?productCode=FORM-S&warehouse=${warehouse}`);

  inFullTier('is transferred and held by hand', 90_000, async () => {
    const { page } = visit;
    await world.must('PUT', '/v2/products/FORM-S', { productName: 'Sheath', tracking: 'batch' });
    await adjust('F1', 8, { productCode: 'FORM-S' });
    await world.must('PUT', '/v2/warehouses/WH-2', { name: 'Second', kind: 'own', zones: [] });
    await visit.go('/inventory/batch?productCode=FORM-S&batchNo=F1');
    await button(page, 'Transfer stock').click();
    await pick(/^From/, 'Main', 'Main · WH-1');
    await pick(/^To\b/, 'Second', 'Second · WH-2');
    await fill('Quantity', '3');
    await fill('Reason', 'rebalance');
    await submit('Transfer stock', 'Stock transferred.');
    await button(page, 'Hold stock').click();
    await fill('Reason', 'label smudged');
    await submit('Hold stock', 'Stock put on hold.');
    expect(await stock('WH-1')).toMatchObject({ totalQuantity: 5, blockedQuantity: 5 });
    expect(await stock('WH-2')).toMatchObject({ totalQuantity: 3, blockedQuantity: 3 });
  });

  inFullTier('is released from hold, and adjusted by hand', 90_000, async () => {
    const { page } = visit;
    await button(page, /^Actions for /).click();
    await page.getByRole('menuitem', { name: 'Release hold' }).click();
    await fill('Reason', 'label replaced');
    await submit('Release hold', 'Hold released.');
    expect(await stock('WH-1')).toMatchObject({ availableQuantity: 5 });
    await button(page, 'Adjust stock').click();
    await pick(/^Warehouse/, 'Main', 'Main · WH-1');
    await fill('Quantity change', '-2');
    await fill('Reason', 'broken');
    await submit('Adjust stock', 'Stock adjusted.');
    expect(await stock('WH-1')).toMatchObject({ availableQuantity: 3 });
  });
});

describe('an order', () => {
  const endings = ['Close order', 'Cancel order'];
  const act = async (label: string, done: string, reason?: string) => {
    if (endings.includes(label)) {
      await button(visit.page, 'More actions').click();
      await visit.page.getByRole('menuitem', { name: label }).click();
    } else await button(visit.page, label).click();
    if (reason !== undefined) await fill('Reason', reason);
    await submit(label, done);
  };

  let held: string;
  inFullTier('is put on hold with a reason, and no longer offered for approval', 90_000, async () => {
    held = await newOrder('F-REJECT');
    await visit.go(`/orders/${held}`);
    await button(visit.page, 'Approve order').waitFor();
    await act('Hold order', 'Order put on hold.', 'credit limit');
    expect(await get(`/v2/orders/${held}`)).toMatchObject({ onHold: true });
    await button(visit.page, 'Release order').waitFor();
    expect(await button(visit.page, 'Approve order').count()).toBe(0);
  });

  inFullTier('is released, rejected and cancelled, each with its reason', 90_000, async () => {
    await act('Release order', 'Order released.');
    await act('Reject order', 'Order rejected.', 'wrong customer');
    expect(await get(`/v2/orders/${held}`)).toMatchObject({ status: 'rejected', onHold: false });
    const cancelled = await newOrder('F-CANCEL');
    await visit.go(`/orders/${cancelled}`);
    await act('Cancel order', 'Order cancelled.', 'sent twice');
    expect(await get(`/v2/orders/${cancelled}`)).toMatchObject({ status: 'cancelled' });
  });

  inFullTier('says why its approval was refused', 90_000, async () => {
    const { page } = visit;
    const tooLarge = await newOrder('F-LARGE', 1_000_000);
    await visit.go(`/orders/${tooLarge}`);
    visit.expects(/^400 POST \/v2\/orders\/.*\/approve$/);
    await button(page, 'Approve order').click();
    await button(dialog(page), 'Approve order').click();
    await dialog(page).getByText('Could not approve order').waitFor();
    expect(await dialog(page).innerText()).toContain(GTIN);
    await button(dialog(page), 'Cancel').click();
  });

  inFullTier('that is dispatched in part is closed', 90_000, async () => {
    await adjust('F9', 4);
    const partial = await newOrder('F-CLOSE', 2);
    await world.must('POST', `/v2/orders/${partial}/approve`, {});
    const lines = [{ lineNo: 1, quantity: 1 }];
    const { dispatchId, lines: toPick } = await world.must<{
      dispatchId: string;
      lines: { toPick: { batchNo: string }[] }[];
    }>('POST', '/v2/dispatches', { orderId: partial, lines });
    const { apiKey: picker } = await world.org.newKey({ owner: 'picker@test.example' });
    const picks = [{ lineNo: 1, batchNo: toPick[0]?.toPick[0]?.batchNo ?? '', quantity: 1 }];
    await world.must('POST', `/v2/dispatches/${dispatchId}/picks`, { picks }, picker);
    await world.must('POST', `/v2/dispatches/${dispatchId}/recheck`, { result: 'pass' });
    await visit.go(`/orders/${partial}`);
    await act('Close order', 'Order closed.', 'customer took one only');
    expect(await get(`/v2/orders/${partial}`)).toMatchObject({ lines: [{ closedQuantity: 1 }] });
  });
});

describe('labels', () => {
  inFullTier('are printed in the chosen shape and number', 60_000, async () => {
    const { page } = visit;
    await adjust('F-LBL', 1);
    await visit.go(`/trace?${new URLSearchParams({ code: `(01)${GTIN}(10)F-LBL` })}`);
    await page.getByText('Linear barcode').click();
    await page.getByRole('link', { name: 'Print labels' }).click();
    await field(page, 'Copies').fill('3');
    await field(page, 'Copies').blur();
    await expect.poll(() => page.getByRole('img', { name: /^Label for/ }).count()).toBe(3);
    await visit.settle();
    const images = await page
      .getByRole('img', { name: /^Label for/ })
      .evaluateAll((labels) =>
        (labels as HTMLImageElement[]).map(({ src, naturalWidth }) => ({ src, naturalWidth })),
      );
    for (const { src, naturalWidth } of images) {
      expect(src).toContain('symbology=gs1-128');
      expect(naturalWidth).toBeGreaterThan(0);
    }
    await page.evaluate(() => {
      window.print = () => {
        document.title = 'printed';
      };
    });
    await button(page, 'Print labels').click();
    expect(await page.title()).toBe('printed');
  });
});

describe('quality', () => {
  inFullTier('a certificate is added, and a recall closed', 90_000, async () => {
    const { page } = visit;
    await visit.go('/certificates');
    await button(page, 'Add certificate').click();
    await pick(/^Supplier/, 'Acme', 'Acme Devices · SUP-1');
    await dialog(page).getByLabel(/^Type/).fill('business_licence');
    await fill('Certificate no.', 'LIC-F');
    await fill('Issued by', 'NMPA');
    await fill('Valid from', '2026-01-01');
    await fill('Valid to', '2030-01-01');
    await submit('Add certificate', 'Certificate LIC-F saved.');
    const { items } = await get<{ items: { certificateNo: string }[] }>('/v2/certificates?subjectCode=SUP-1');
    expect(items.find(({ certificateNo }) => certificateNo === 'LIC-F')).toMatchObject({
      ...{ issuer: 'NMPA', validTo: '2030-01-01' },
    });

    await adjust('F-RCL', 1);
    const { recallId } = await world.must<{ recallId: string }>('POST', '/v2/recalls', {
      ...{ recallNo: 'F-RCL', productCode: GTIN, class: 'II', reason: 'cracks', batchNos: ['F-RCL'] },
    });
    await visit.go(`/recalls/${recallId}`);
    await adjust('F-RCL', -1);
    await button(page, 'Close recall').click();
    await fill('Reason', 'all returned');
    await submit('Close recall', 'Recall closed.');
    expect(await get(`/v2/recalls/${recallId}`)).toMatchObject({ status: 'closed' });
  });

  inFullTier('a monitoring point is created with its limits', 90_000, async () => {
    const { page } = visit;
    await visit.go('/environment/points');
    await button(page, 'Create point').click();
    await fill('Point ID', 'FORM-PT');
    await fill('Name', 'Shelf 4');
    await pick(/^Warehouse/, 'Main', 'Main · WH-1');
    await field(dialog(page), 'Upper limit').first().fill('8');
    await button(dialog(page), 'Create point').click();
    await said(page, 'Shelf 4 saved.');
    expect(await get('/v2/environment/points/FORM-PT')).toMatchObject({ warehouse: 'WH-1', name: 'Shelf 4' });
  });
});

describe('an alert', () => {
  inFullTier(
    'puts the batches whose storage limits were exceeded on hold, and no others',
    90_000,
    async () => {
      const { page } = visit;
      await world.must('PUT', '/v2/warehouses/WH-H', { name: 'Cold store', kind: 'own', zones: [] });
      const storage = { temperatureMin: 2, temperatureMax: 8 };
      await world.must('PUT', '/v2/products/FORM-COLD', { productName: 'Glue', storage });
      await adjust('F-WARM', 2, { warehouse: 'WH-H', productCode: 'FORM-COLD' });
      await adjust('F-ANY', 2, { warehouse: 'WH-H' });
      await world.must('PUT', '/v2/environment/points/FORM-HOT', {
        ...{ name: 'Cold store door', warehouse: 'WH-H', temperature: { min: 2, max: 8 } },
      });
      const at = world.db.clock.now().toISOString();
      const { alerts } = await world.must<{ alerts: string[] }>('POST', '/v2/environment/readings', {
        readings: [{ pointId: 'FORM-HOT', at, temperature: 19 }],
      });
      await visit.go(`/environment/alerts/${alerts[0]}`);
      await button(page, 'Hold batches').click();
      await fill('Reason', 'door left open');
      await submit('Hold batches', '1 batch put on hold.');
      const holds = (batchNo: string) => get<{ items: object[] }>(`/v2/stock/holds?batchNo=${batchNo}`);
      const { items } = await holds('F-WARM');
      expect(items).toMatchObject([{ warehouse: 'WH-H', status: 'active', reason: 'door left open' }]);
      expect((await holds('F-ANY')).items).toEqual([]);
      await page.getByText('On hold', { exact: true }).waitFor();
      expect(await button(page, 'Hold batches').count()).toBe(0);
    },
  );
});

describe('settings', () => {
  const STEP_UP_MS = 5 * 60_000;

  /** The last second factor is too long ago. Returns what gives it in the window that asks for it. */
  async function waitingForFactor(refusal: RegExp): Promise<() => Promise<void>> {
    const { db } = world;
    const secret = newTotpSecret();
    await db.sql('update accounts set totp_sealed = $2, totp_confirmed_at = now() where email = $1', [
      visit.email,
      sealFactor(db.box, visit.email, secret),
    ]);
    db.clock.advance(STEP_UP_MS + 1_000);
    await visit.livesIn(db.clock.now());
    visit.expects(refusal);
    return async () => {
      const asking = visit.page.getByRole('dialog', { name: 'Confirm that it is you' });
      await field(asking, 'Authentication code').fill(codeAt(secret, db.clock.now()));
      await button(asking, 'Verify code').click();
      await asking.waitFor({ state: 'hidden' });
    };
  }

  inFullTier(
    'the organization is renamed, and a certificate required of every supplier',
    60_000,
    async () => {
      const { page } = visit;
      await visit.go('/settings/organization');
      await field(page, 'Name').fill('Renamed Devices');
      await button(page, 'Add requirement').click();
      await field(page, 'Certificate type').fill('gsp');
      await button(page, 'Save changes').click();
      await said(page, 'Settings saved.');
      expect(await get('/v2/settings')).toMatchObject({
        name: 'Renamed Devices',
        demandedCertificates: [{ subjectType: 'supplier', type: 'gsp' }],
      });
    },
  );

  inFullTier(
    're-checks by the picker are allowed only with a second factor given again',
    60_000,
    async () => {
      const { page } = visit;
      await visit.go('/settings/organization');
      const giveFactor = await waitingForFactor(/^403 PATCH \/v2\/settings$/);
      await page.getByRole('switch', { name: 'Allow the picker to re-check' }).check({ force: true });
      await button(page, 'Save changes').click();
      expect(await get('/v2/settings')).toMatchObject({ samePersonRecheck: false });
      await giveFactor();
      await said(page, 'Settings saved.');
      expect(await get('/v2/settings')).toMatchObject({ samePersonRecheck: true });
    },
  );

  inFullTier('a user is invited', 90_000, async () => {
    const { page } = visit;
    await visit.go('/settings/users');
    await button(page, 'Invite user').click();
    await fill('E-mail', 'new@form.example');
    await dialog(page).getByRole('radio', { name: 'Sales' }).check();
    await submit('Send invitation', 'Invitation sent to new@form.example.');
    const { items } = await get<{ items: { email: string; role: string }[] }>('/v2/settings/users');
    expect(items.find(({ email }) => email === 'new@form.example')).toMatchObject({ role: 'sales' });
  });

  inFullTier('an OAuth client is created, and a webhook without events refused', 90_000, async () => {
    const { page } = visit;
    await visit.go('/settings/api?tab=clients');
    await button(page, 'Create client').click();
    await fill('Name', 'Ward app');
    await dialog(page).getByRole('checkbox', { name: 'All Orders scopes' }).check();
    await submit('Create client', 'Client Ward app created.');
    await button(page, "I've saved it").click();
    const clients = await get<{ items: { name: string }[] }>('/v2/settings/clients');
    expect(clients.items.map(({ name }) => name)).toContain('Ward app');

    await visit.go('/webhooks');
    await button(page, 'Create webhook').click();
    await fill('Endpoint URL', 'https://partner.example/hooks');
    visit.expects(/^400 POST \/v2\/webhooks$/);
    await button(dialog(page), 'Create webhook').click();
    await dialog(page).getByText('Choose at least one event type.').first().waitFor();
    await button(dialog(page), 'Cancel').click();
  });

  inFullTier('a sandbox is opened, its key shown once, and ended', 90_000, async () => {
    const { page } = visit;
    await visit.go('/settings/api?tab=sandboxes');
    await button(page, 'Create sandbox').click();
    await fill('Name', 'Ward tests');
    await submit('Create sandbox', 'Sandbox Ward tests created.');
    const [sandboxKey = ''] = await dialog(page).locator('code').allTextContents();
    expect(await world.api.call('GET', '/v2/whoami', undefined, sandboxKey)).toMatchObject({
      data: { sandbox: true, organization: { name: 'Ward tests' } },
    });
    await button(page, "I've saved it").click();
    await dialog(page).waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(sandboxKey);
    await button(page, 'End sandbox').click();
    await button(dialog(page), 'End sandbox').click();
    await page.getByText('Sandbox ended.').first().waitFor();
    const { items } = await get<{ items: { status: string }[] }>('/v2/sandboxes');
    expect(items.map(({ status }) => status)).toContain('ended');
  });

  let apiKey = '';
  inBrowser(
    'an administrator creates a key, once they gave their second factor again; it is shown once, and used',
    60_000,
    async () => {
      const { page } = visit;
      await visit.go('/settings/api');
      const giveFactor = await waitingForFactor(/^403 POST \/v2\/settings\/keys$/);
      await button(page, 'Create key').click();
      await field(dialog(page), 'Name').fill('Order sync');
      await dialog(page).getByRole('checkbox', { name: 'All Products and partners scopes' }).check();
      await button(dialog(page), 'Create key').click();
      await giveFactor();
      await page.getByText('Save the secret').waitFor();
      [apiKey = ''] = await dialog(page).locator('code').allTextContents();

      const product = await world.api.call('GET', `/v2/products/${GTIN}`, undefined, apiKey);
      expect(product).toMatchObject({ status: 200, data: { productCode: GTIN } });
      expect(await world.api.call('GET', '/v2/orders', undefined, apiKey)).toMatchObject({ status: 403 });

      await button(page, "I've saved it").click();
      await dialog(page).waitFor({ state: 'hidden' });
      expect(await page.content()).not.toContain(apiKey);
    },
  );

  inFullTier('a key is changed, and revoked', 60_000, async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Order sync' }).click();
    await button(page, 'Edit').click();
    await dialog(page).getByRole('checkbox', { name: 'All Products and partners scopes' }).uncheck();
    await dialog(page).getByRole('checkbox', { name: 'All Orders scopes' }).check();
    await fill('IP allow-list', '127.0.0.1\n10.0.0.0/8');
    await submit('Save changes', 'Order sync saved.');
    const { items } = await get<{ items: { name: string }[] }>('/v2/settings/keys');
    expect(items.find(({ name }) => name === 'Order sync')).toMatchObject({
      scopes: ['orders:approve', 'orders:read', 'orders:write'],
      allowList: ['127.0.0.1', '10.0.0.0/8'],
    });
    await expect
      .poll(() => world.api.call('GET', '/v2/orders', undefined, apiKey), { timeout: 60_000 })
      .toMatchObject({ status: 200 });

    await button(page, 'Revoke key').click();
    await button(dialog(page), 'Revoke key').click();
    await said(page, 'Credential revoked.');
    await expect
      .poll(() => world.api.call('GET', '/v2/products', undefined, apiKey), { timeout: 60_000 })
      .toMatchObject({ status: 401 });
  });

  inFullTier(
    'a person who chooses Chinese reads Chinese everywhere, also after coming back',
    60_000,
    async () => {
      const { page } = visit;
      await visit.go('/settings/api');
      await button(page, 'Language').click();
      await page.getByRole('menuitem', { name: '简体中文' }).click();
      await page.getByRole('heading', { name: 'API 管理', level: 1 }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
      const others = [
        ['/products', '产品'],
        ['/orders', '销售订单'],
        ['/certificates', '资质证照'],
      ] as const;
      for (const [path, heading] of [...others, ['/settings/api', 'API 管理']] as const) {
        await visit.go(path);
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
        const menu = await page.getByRole('navigation').innerText();
        expect(menu.replace(/API|UDI|UTC|Webhook/g, '')).not.toMatch(/[A-Za-z]/);
      }
      await page.reload();
      await page.getByRole('heading', { name: 'API 管理', level: 1 }).waitFor();
      await button(page, '语言').click();
      await page.getByRole('menuitem', { name: 'English' }).click();
      await page.getByRole('heading', { name: 'API management', level: 1 }).waitFor();
    },
  );
});

describe('watching', () => {
  testWebhook(() => ({ world, visit }));
});
