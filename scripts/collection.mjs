/*
 * Prints a collection of requests for Postman, which Bruno and Insomnia import too, made from the OpenAPI document: a folder for each area,
 * with the example of each body. The requests of the console's own sign-in are left out: they need a browser's cookie.
 */
import { readFileSync } from 'node:fs';

const document = JSON.parse(readFileSync(new URL('../server/openapi.json', import.meta.url), 'utf8'));
const LEFT_OUT = new Set(['Console', 'Live']);

const requests = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
);

function urlOf(path, parameters) {
  const parts = path.slice(1).split('/');
  const names = (where) => parameters.filter((parameter) => parameter.in === where);
  // Switched off: a request without them works, and a person sees what there is.
  const query = names('query').map(({ name, description }) => ({
    key: name,
    value: '',
    description,
    disabled: true,
  }));
  const variable = names('path').map(({ name, description }) => ({ key: name, value: '', description }));
  const segments = parts.map((part) => part.replaceAll(/\{(\w+)\}/g, ':$1'));
  return {
    raw: `{{baseUrl}}/${segments.join('/')}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(query.length > 0 ? { query } : {}),
    ...(variable.length > 0 ? { variable } : {}),
  };
}

function requestOf({ path, method, operation }) {
  const parameters = operation.parameters ?? [];
  const media = operation.requestBody?.content['application/json'];
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: [
        operation.description,
        operation['x-scope'] ? `Needs the scope \`${operation['x-scope']}\`.` : null,
      ]
        .filter(Boolean)
        .join('\n\n'),
      header: [
        ...(media ? [{ key: 'Content-Type', value: 'application/json' }] : []),
        ...parameters
          .filter((parameter) => parameter.in === 'header')
          .map(({ name, description }) => ({ key: name, value: '', description, disabled: true })),
      ],
      url: urlOf(path, parameters),
      ...(media
        ? {
            body: {
              mode: 'raw',
              raw: JSON.stringify(media.example ?? {}, null, 2),
              options: { raw: { language: 'json' } },
            },
          }
        : {}),
    },
  };
}

const folders = document.tags
  .filter(({ name }) => !LEFT_OUT.has(name))
  .map(({ name, description }) => ({
    name,
    description,
    item: requests.filter(({ operation }) => operation.tags.includes(name)).map(requestOf),
  }));

process.stdout.write(
  `${JSON.stringify(
    {
      info: {
        name: `${document.info.title} ${document.info.version}`,
        description: `${document.info.description}\n\nSet \`baseUrl\` and \`apiKey\` in the variables of the collection.`,
        schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
      },
      auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
      variable: [
        { key: 'baseUrl', value: 'http://127.0.0.1:4000', type: 'string' },
        { key: 'apiKey', value: '', type: 'string' },
      ],
      item: folders,
    },
    null,
    2,
  )}\n`,
);
