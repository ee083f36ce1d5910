import type { Static, TObject, TSchema } from 'typebox';
import type { Tx } from '../database/index.js';
import { missing } from '../errors/index.js';
import { mergePatch, PatchOf } from './merge-patch.js';
import type { Versioned } from './precondition.js';
import { type Call, type Route, type WriteRoute, writeRoute } from './route.js';
import { compile } from './validation.js';

type Described = Pick<
  WriteRoute<TSchema, TSchema, TSchema, TSchema>,
  'operationId' | 'summary' | 'description'
>;

interface Replaceable<P extends TSchema, B extends TObject, D extends TSchema>
  extends Pick<WriteRoute<P, TSchema, B, D>, 'path' | 'scope' | 'tag'> {
  put: Described;
  patch: Described;
  params: P;
  /** The whole record. It accepts every field that the API shows. */
  body: B;
  data: D;
  /** The kind of the record and the parameter that names it, for a patch of a missing record. */
  missing: readonly [kind: string, parameter: string];
  /** Locks the record and returns it as the API shows it; null if there is none. */
  lock(tx: Tx, params: Static<P>): Promise<(Static<D> & Versioned) | null>;
  replace(tx: Tx, call: Call<Static<P>, unknown, Static<B>>): Promise<Static<D>>;
}

/**
 * The two ways to change a record: as a whole, or by a merge patch. Both honour `If-Match`. A patch becomes a whole record
 * under the lock, and is then validated and saved like one.
 */
export function putAndPatchRoutes<P extends TSchema, B extends TObject, D extends TSchema>(
  of: Replaceable<P, B, D>,
): Route[] {
  const { put, patch, lock, replace, missing: absent, body, ...facts } = of;
  const check = compile(body, 'body');
  const changes = ({ params }: { params: Static<P> }) => `${of.path} ${JSON.stringify(params)}`;
  const common = { ...facts, changes, conditional: true } as const;
  return [
    writeRoute({
      ...common,
      ...put,
      method: 'PUT',
      body,
      async execute(tx, call) {
        call.precondition?.require(await lock(tx, call.params));
        return replace(tx, call);
      },
    }),
    writeRoute({
      ...common,
      ...patch,
      description: [PATCH_DESCRIPTION, patch.description].filter(Boolean).join(' '),
      method: 'PATCH',
      body: PatchOf(body),
      async execute(tx, call) {
        const current = await lock(tx, call.params);
        if (!current) throw missing(...absent);
        call.precondition?.require(current);
        const whole = mergePatch(fieldsOf(current, body), call.body) as Static<B>;
        const error = check(whole);
        if (error) throw error;
        return replace(tx, { ...call, body: whole });
      },
    }),
  ];
}

const PATCH_DESCRIPTION =
  'A JSON merge patch: omitted fields keep their values, null removes one, objects are merged, lists are replaced.';

const fieldsOf = (record: object, { properties }: TObject): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => Object.hasOwn(properties, name)));
