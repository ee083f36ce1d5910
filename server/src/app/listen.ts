import type { FastifyInstance } from 'fastify';
import { StartRefused } from '../platform/start-refused.js';

/** Listens and returns the port, which the system may have chosen; or throws with the reason and a remedy. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw listenRefusal(error as NodeJS.ErrnoException, host, port);
  }
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function listenRefusal(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartRefused(
      `Port ${port} on ${host} is taken. Stop what uses it, or choose another: PORT=8081 npm start`,
    );
  }
  if (error.code === 'EACCES')
    return new StartRefused(`Port ${port} may not be used by this user; choose one above 1023 with PORT.`);
  if (error.code === 'EADDRNOTAVAIL')
    return new StartRefused(`HOST ${host} is not an address of this machine.`);
  return error;
}
