import type { Operation } from './openapi.js';

export interface Request {
  method: string;
  /** Includes the origin, because it is copied to other machines. */
  url: string;
  /** JSON as typed; null for no body. */
  body: string | null;
  /** For the client, which fills in its paths itself. */
  path: string;
  pathValues: Readonly<Record<string, string>>;
}

/** Fills in the parameters. A list is given as `a, b`. */
export function requestOf(
  { method, path, parameters }: Pick<Operation, 'method' | 'path' | 'parameters'>,
  values: Readonly<Record<string, string>>,
  body: string | null,
  origin: string,
): Request {
  const query = new URLSearchParams();
  const pathValues: Record<string, string> = {};
  let filled = path;
  for (const { name, in: place, schema } of parameters) {
    const value = values[name]?.trim() ?? '';
    if (place === 'path') {
      pathValues[name] = value;
      filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    } else if (value !== '' && schema.type === 'array')
      for (const each of value.split(',')) query.append(name, each.trim());
    else if (value !== '') query.append(name, value);
  }
  const search = query.toString();
  const url = `${origin}${filled}${search === '' ? '' : `?${search}`}`;
  return { method, url, body, path, pathValues };
}

/** The names of the parameters that must be filled in before the request can be sent. */
export const missingOf = (
  { parameters }: Pick<Operation, 'parameters'>,
  values: Readonly<Record<string, string>>,
): string[] =>
  parameters.filter(({ name, required }) => required && !values[name]?.trim()).map(({ name }) => name);

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type SnippetLanguage = (typeof LANGUAGES)[number];

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a program. The key is read from the environment, because copied text ends up in chats and repositories. */
export const SNIPPETS: Readonly<Record<SnippetLanguage, (request: Request) => string>> = {
  curl({ method, url, body }) {
    const lines = [
      `curl -sS ${method === 'GET' ? '' : `-X ${method} `}${shellQuoted(url)}`,
      `  -H "Authorization: Bearer $LOTWARD_API_KEY"`,
    ];
    if (method === 'POST' || method === 'PATCH') lines.push(`  -H "Idempotency-Key: $(uuidgen)"`);
    if (body !== null) lines.push("  -H 'Content-Type: application/json'", `  -d ${shellQuoted(body)}`);
    return lines.join(' \\\n');
  },
  TypeScript({ method, url, body, path, pathValues }) {
    const { origin, searchParams } = new URL(url);
    const given: string[] = [];
    if (Object.keys(pathValues).length > 0) given.push(`path: ${JSON.stringify(pathValues)}`);
    if (searchParams.size > 0) given.push(`query: ${JSON.stringify(queryOf(searchParams))}`);
    if (body !== null) given.push(`body: ${body.trim()}`);
    const options = given.length === 0 ? '' : `, { ${given.join(', ')} }`;
    return [
      `import { createClient } from '@lotward/client';`,
      '',
      `const lotward = createClient({ baseUrl: '${origin}', apiKey: process.env.LOTWARD_API_KEY });`,
      `const data = await lotward.${method.toLowerCase()}('${path}'${options});`,
      'console.log(data);',
    ].join('\n');
  },
  Python({ method, url, body }) {
    return [
      'import os, json, uuid, urllib.request',
      '',
      'request = urllib.request.Request(',
      `    ${JSON.stringify(url)},`,
      `    method=${JSON.stringify(method)},`,
      ...(body === null ? [] : [`    data=json.dumps(json.loads(${pythonText(body)})).encode(),`]),
      '    headers={',
      `        "Authorization": "Bearer " + os.environ["LOTWARD_API_KEY"],`,
      ...(body === null ? [] : ['        "Content-Type": "application/json",']),
      ...(method === 'GET' ? [] : ['        "Idempotency-Key": str(uuid.uuid4()),']),
      '    },',
      ')',
      'with urllib.request.urlopen(request) as answer:',
      '    print(json.load(answer)["data"])',
    ].join('\n');
  },
};

/** A string literal for Python, which has all escapes of JSON. */
const pythonText = (text: string): string => JSON.stringify(text);

function queryOf(parameters: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
