/*
 * The calls that cause events, for the load generator: of Lotward the approval of an order, of the bare server and of a peer a publish call.
 */
import { adapters } from './adapters.mjs';
import { digitsOf, orderIdOf, tenantPlaceOf } from './shapes.mjs';

const approval = {
  status: 200,
  callOf: (_target, number) => ({ path: `/v2/orders/${orderIdOf(number)}/approve`, body: '{}' }),
  isRight: (number, text) => text.includes(`"orderId":"${orderIdOf(number)}"`),
};
const bare = {
  status: 200,
  callOf: ({ shape }, number) => ({ path: `/${tenantPlaceOf(shape, number)}/${number}`, body: '{}' }),
  isRight: () => true,
};
const publish = ({ acceptedStatus, publishOf }) => ({
  status: acceptedStatus,
  callOf: ({ settings, shape, template }, number) =>
    publishOf(settings, shape.tenants[tenantPlaceOf(shape, number)], template.join(digitsOf(number))),
  isRight: () => true,
});

/** Each event once, going on where the last round ended. */
export function asking(target) {
  const { shape, keys } = target;
  const form = { lotward: approval, bare }[target.form] ?? publish(adapters[target.form]);
  let next = shape.firstNumber + target.published;
  return {
    next: () => next++,
    request(number) {
      const { path, body } = form.callOf(target, number);
      const key = keys[tenantPlaceOf(shape, number)];
      return (
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
      );
    },
    isRight: (number, text) => text.startsWith(`HTTP/1.1 ${form.status} `) && form.isRight(number, text),
  };
}
